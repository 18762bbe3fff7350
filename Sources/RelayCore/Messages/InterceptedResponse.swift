public import Foundation

/// A response as returned by an interceptor.
public struct InterceptedResponse: Hashable, Sendable {
    /// The absolute URL of the resource that sent the response, as text.
    public var url: String

    /// The status code, from 100 to 999.
    public var status: Int

    /// The reason phrase, such as `Not Found`; may be empty.
    public var statusText: String

    /// The version of the protocol, such as `HTTP/1.1`.
    public var httpVersion: String

    /// The header fields in order, including repeated fields.
    public var headers: [HeaderField]

    /// The whole body, without content and transfer codings.
    public var body: Data

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - url: The absolute URL of the resource that sent the response, as text.
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
    /// Replaces the body and updates the header fields that describe it.
    ///
    /// An existing `Content-Length` is set to the new length. Codings and checksums of the old body are removed.
    mutating func replaceBody(with body: Data) {
        self.body = body
        headers.remove(named: Self.fieldsOfBytes)
        correctLength()
    }

    /// Sets `Content-Length`, if present, to the size of the body.
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

    /// The fields that describe the encoded bytes: RFC 9110, section 8.4, RFC 9112, section 6.1, RFC 9530 and its
    /// predecessors.
    private static let fieldsOfBytes: Set = [
        "content-encoding", "transfer-encoding", "content-digest", "repr-digest", "digest", "content-md5",
    ]
}

extension [HeaderField] {
    /// Replaces all fields of the same name, at the index and with the spelling of the first one.
    mutating func set(_ field: HeaderField) {
        let name = field.name.lowercased()
        guard let index = firstIndex(where: { $0.name.lowercased() == name }) else { return append(field) }
        self[index].value = field.value
        let rest = self[(index + 1)...].filter { $0.name.lowercased() != name }
        replaceSubrange((index + 1)..., with: rest)
    }
}

extension InterceptedResponse {
    /// Whether a status code redirects the client.
    static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Whether a response may have a body (RFC 9110, section 6.4.1).
    static func canHaveBody(status: Int, method: String) -> Bool {
        method.uppercased() != "HEAD" && status >= 200 && status != 204 && status != 304
    }
}
