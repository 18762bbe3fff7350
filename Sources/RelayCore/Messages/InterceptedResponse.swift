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

extension InterceptedResponse {
    /// Takes another body, and makes the fields right that describe it.
    ///
    /// A length that is given becomes the new one; codings and checksums of the old body go.
    mutating func replaceBody(with body: Data) {
        self.body = body
        headers.remove(named: Self.fieldsOfBytes)
        correctLength()
    }

    /// Sets `Content-Length`, if there is one, to the number of bytes of the body.
    mutating func correctLength() {
        let length = String(body.count)
        let values = headers.values(named: "content-length")
        guard !values.isEmpty, values != [length] else { return }
        headers.set(HeaderField(name: "Content-Length", value: length))
    }

    /// Whether the headers name a content coding, so that `Content-Length` is the length of the encoded body.
    var isEncoded: Bool {
        headers.values(named: "content-encoding").contains { !["", "identity"].contains($0.lowercased()) }
    }

    /// What describes the very bytes: RFC 9110, section 8.4, RFC 9112, section 6.1, RFC 9530 and what came before it.
    private static let fieldsOfBytes: Set = [
        "content-encoding", "transfer-encoding", "content-digest", "repr-digest", "digest", "content-md5",
    ]
}

extension [HeaderField] {
    /// Takes a field in place of all of its name, where the first of them stood and in its spelling.
    mutating func set(_ field: HeaderField) {
        let name = field.name.lowercased()
        guard let place = firstIndex(where: { $0.name.lowercased() == name }) else { return append(field) }
        self[place].value = field.value
        let rest = self[(place + 1)...].filter { $0.name.lowercased() != name }
        replaceSubrange((place + 1)..., with: rest)
    }
}

extension InterceptedResponse {
    /// Whether an answer of that status sends the client elsewhere.
    static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Whether an answer may have a body (RFC 9110, section 6.4.1).
    static func canHaveBody(status: Int, method: String) -> Bool {
        method.uppercased() != "HEAD" && status >= 200 && status != 204 && status != 304
    }
}
