public import Foundation

/// A request as an interceptor sees it.
public struct InterceptedRequest: Hashable, Sendable {
    /// The method, such as `GET`.
    public var method: String

    /// The absolute URL as text.
    public var url: String

    /// The header fields, those of the session's configuration included.
    ///
    /// A client that keeps fields in a dictionary loses their order; they are then sorted by name.
    public var headers: [HeaderField]

    /// The whole body, or `nil` when there is none.
    public var body: Data?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method; `GET` by default.
    ///   - url: The absolute URL as text.
    ///   - headers: The header fields; none by default.
    ///   - body: The whole body, or `nil` (the default) when there is none.
    public init(method: String = "GET", url: String, headers: [HeaderField] = [], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
