public import Foundation

/// The parts of a response, which can be passed to ``ResponseStrategy``.
public struct MockResponse: Hashable, Sendable {
    /// The status code.
    public let status: Int

    /// The body, or `nil` for none.
    public let data: Data?

    /// The header fields, or `nil` for none.
    public let headers: [String: String]?

    /// Creates a response.
    public init(status: Int, data: Data?, headers: [String: String]?) {
        self.status = status
        self.data = data
        self.headers = headers
    }
}

/// A wildcard in a URL pattern of ``Innernet``.
public enum WildcardKey: String, Sendable {
    /// Matches all remaining parts of a URL.
    case allPathMatch = "**"

    /// Matches one part of a URL.
    case singlePathMatch = "*"
}
