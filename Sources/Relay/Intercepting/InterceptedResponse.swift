public import Foundation

/// A response as an interceptor gives it.
public struct InterceptedResponse: Hashable, Sendable {
    /// The absolute URL that the response came from, as text.
    public var url: String

    /// The status code, from 100 to 999.
    public var status: Int

    /// The reason phrase, such as `Not Found`; may be empty.
    public var statusText: String

    /// The version of the protocol, such as `HTTP/1.1`.
    public var httpVersion: String

    /// The header fields in order, repeated ones as often as they were sent.
    public var headers: [HeaderField]

    /// The whole body, without any content or transfer coding.
    public var body: Data

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - url: The absolute URL that the response came from, as text.
    ///   - status: The status code; 200 by default.
    ///   - statusText: The reason phrase; empty by default.
    ///   - httpVersion: The version of the protocol; `HTTP/1.1` by default.
    ///   - headers: The header fields in order; none by default.
    ///   - body: The whole decoded body; empty by default.
    public init(
        url: String, status: Int = 200, statusText: String = "", httpVersion: String = "HTTP/1.1",
        headers: [HeaderField] = [], body: Data = Data()
    ) {
        self.url = url
        self.status = status
        self.statusText = statusText
        self.httpVersion = httpVersion
        self.headers = headers
        self.body = body
    }
}
