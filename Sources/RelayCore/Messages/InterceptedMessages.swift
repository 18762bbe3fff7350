public import Foundation
package import HTTPArchive

/// A request as received by an interceptor.
public struct InterceptedRequest: Hashable, Sendable {
    /// The method, such as `GET`.
    public var method: String

    /// The absolute URL as text.
    public var url: String

    /// The header fields, including fields from the session's configuration.
    ///
    /// If the client stores the fields in a dictionary, their order is lost and they are sorted by name.
    public var headers: [HeaderField]

    /// The complete body, or `nil` if the request has no body.
    public var body: Data?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method; `GET` by default.
    ///   - url: The absolute URL as text.
    ///   - headers: The header fields; none by default.
    ///   - body: The complete body, or `nil` (the default) for no body.
    public init(method: String = "GET", url: String, headers: [HeaderField] = [], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension InterceptedRequest {
    /// The maximum number of consecutive redirects before a request fails.
    package static let redirectLimit = 20

    /// Returns the request to send after a redirect
    /// ([RFC 9110, section 15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4)).
    ///
    /// Status codes 301 and 302 change POST to GET, 303 changes every method except HEAD to GET, and 307 and 308
    /// preserve the method. If the method changes to GET, the body and the fields that describe it are removed. If the
    /// origin changes, credentials are removed.
    ///
    /// - Parameter response: The response to this request.
    /// - Returns: The next request, or `nil` if the response is not a redirect or does not have a valid HTTP URL as its
    ///   location.
    package func redirected(by response: InterceptedResponse) -> InterceptedRequest? {
        guard InterceptedResponse.isRedirect(response.status),
            let location = response.headers.values(named: "location").first,
            let base = URL(text: url), let target = Self.target(location, from: base)
        else { return nil }
        var next = self
        next.url = target.absoluteString
        let changesToGet =
            switch response.status {
            case 301, 302: method == "POST"
            case 303: method != "HEAD" && method != "GET"
            default: false
            }
        if changesToGet {
            next.method = "GET"
            next.body = nil
            next.headers.remove(named: Self.bodyFields)
        }
        if Self.origin(of: target) != Self.origin(of: base) { next.headers.remove(named: Self.credentialFields) }
        return next
    }

    /// Returns the URL of a `Location` field, with the fragment of `base` if the location has no fragment.
    private static func target(_ location: String, from base: URL) -> URL? {
        let text = location.trimming(.whitespacesAndNewlines)
        guard let target = URL(text: text, relativeTo: base)?.absoluteURL, target.isHTTP, target.host() != nil else {
            return nil
        }
        guard target.fragment == nil, let fragment = base.fragment else { return target }
        return URL(text: target.absoluteString + "#" + fragment)
    }

    private static func origin(of url: URL) -> [String] {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? LiteralURL.defaultPort(of: scheme) ?? 80
        return [scheme, url.host()?.lowercased() ?? "", String(port)]
    }

    private static let bodyFields: Set = [
        "content-encoding", "content-language", "content-length", "content-location", "content-type",
        "transfer-encoding",
    ]

    private static let credentialFields: Set = ["authorization", "cookie", "proxy-authorization"]
}

extension URL {
    /// Whether the scheme is `http` or `https`, ignoring case.
    package var isHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }

    /// The lowercase schemes of URLs that a session loads from a server.
    static let networkSchemes: Set = ["http", "https", "ws", "wss", "ftp", "ftps"]

    /// Whether a session loads the URL from a server.
    package var isOnNetwork: Bool { scheme.map { Self.networkSchemes.contains($0.lowercased()) } ?? false }
}

/// A header field of a request or response, as sent.
public struct HeaderField: Hashable, Sendable {
    /// The name, as spelled by the sender.
    ///
    /// Names are case-insensitive.
    public var name: String

    /// The value without surrounding whitespace.
    public var value: String

    /// Creates a header field.
    ///
    /// - Parameters:
    ///   - name: The name, such as `Content-Type`.
    ///   - value: The value, such as `text/html`.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HeaderField {
    /// Returns whether the field has a name, which is ASCII, in any case.
    package func isNamed(_ name: String) -> Bool {
        self.name.utf8.count == name.utf8.count
            && self.name.withUTF8Bytes { bytes in
                name.withUTF8Bytes { zip(bytes, $0).allSatisfy { $0.lowercase == $1.lowercase } }
            }
    }
}

extension [HeaderField] {
    /// Returns the values of all fields with the given name, in order.
    ///
    /// - Parameter name: A case-insensitive field name.
    /// - Returns: The values; empty if there are no fields with this name.
    package func values(named name: String) -> [String] {
        compactMap { $0.isNamed(name) ? $0.value : nil }
    }
}

extension Array<HeaderField> {
    /// Removes all fields with the given names.
    ///
    /// - Parameter names: The lowercase field names.
    mutating func remove(named names: Set<String>) {
        removeAll { names.contains($0.name.lowercased()) }
    }
}

/// A response as returned by an interceptor.
public struct InterceptedResponse: Hashable, Sendable {
    /// The absolute URL of the response as text.
    public var url: String

    /// The status code, from 100 to 999.
    public var status: Int

    /// The reason phrase, such as `Not Found`; may be empty.
    public var statusText: String

    /// The version of the protocol, such as `HTTP/1.1`.
    public var httpVersion: String

    /// The header fields in order, including repeated fields.
    public var headers: [HeaderField]

    /// The complete body, with content and transfer codings removed.
    public var body: Data {
        didSet { (storedBody, keepsCoding) = (nil, false) }
    }

    /// The body in a file, for an adapter that reads it in parts, or nil if ``body`` is the body.
    ///
    /// If it is not nil, ``body`` is empty.
    package var storedBody: StoredBody?

    /// Whether the body has the content codings of its header fields, because the archive contains it like this.
    package var keepsCoding = false

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - url: The absolute URL of the response as text.
    ///   - status: The status code; 200 by default.
    ///   - statusText: The reason phrase; empty by default.
    ///   - httpVersion: The version of the protocol; `HTTP/1.1` by default.
    ///   - headers: The header fields in order; none by default.
    ///   - body: The complete decoded body; empty by default.
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
    /// The size of the body, in bytes.
    package var bodySize: Int { storedBody?.count ?? body.count }

    /// Replaces the body, and updates the header fields that describe the body.
    ///
    /// An existing `Content-Length` is set to the new length. The fields for codings and checksums are removed.
    package mutating func replaceBody(with body: Data) {
        self.body = body
        headers.remove(named: Self.fieldsOfBytes)
        correctLength()
    }

    /// Sets `Content-Length`, if present, to the size of the body.
    mutating func correctLength() {
        let length = String(bodySize)
        let values = headers.values(named: "content-length")
        guard !values.isEmpty, values != [length] else { return }
        headers.set(HeaderField(name: "Content-Length", value: length))
    }

    /// The fields that describe the encoded bytes (RFC 9110, section 8.4; RFC 9112, section 6.1; RFC 9530 and its
    /// predecessors).
    private static let fieldsOfBytes: Set = [
        "content-encoding", "transfer-encoding", "content-digest", "repr-digest", "digest", "content-md5",
    ]
}

extension [HeaderField] {
    /// Whether the fields of a response declare a content coding.
    ///
    /// In that case, `Content-Length` is the length of the encoded body.
    var declareContentCoding: Bool {
        values(named: "content-encoding").contains { !["", "identity"].contains($0.lowercased()) }
    }

    /// Sets the value of the first field with this name and removes the others, or appends the field if it is missing.
    mutating func set(_ field: HeaderField) {
        let name = field.name.lowercased()
        guard let index = firstIndex(where: { $0.name.lowercased() == name }) else { return append(field) }
        self[index].value = field.value
        let rest = self[(index + 1)...].filter { $0.name.lowercased() != name }
        replaceSubrange((index + 1)..., with: rest)
    }
}

extension InterceptedResponse {
    /// Returns whether a status code is a redirect.
    static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Returns whether a response can have a body (RFC 9110, section 6.4.1).
    static func canHaveBody(status: Int, method: String) -> Bool {
        method.uppercased() != "HEAD" && status >= 200 && status != 204 && status != 304
    }
}

extension URL {
    /// Creates a URL from text in an archive or header field.
    ///
    /// The text may contain characters that are invalid in a URL.
    ///
    /// Invalid characters are percent-encoded, and all other characters are unchanged. Foundation's lenient parser
    /// would also encode the percent signs of existing escape sequences.
    ///
    /// - Parameters:
    ///   - text: An absolute or relative URL; surrounding whitespace is ignored.
    ///   - base: The base of a relative URL, or nil (the default) for none.
    package init?(text: String, relativeTo base: URL? = nil) {
        let url = LiteralURL(text.trimming(.whitespacesAndNewlines))
        // The host is not encoded, because brackets are valid there and Foundation converts non-ASCII letters.
        let start = url.hasAuthority ? url.beforeUser + url.user + url.authority : ""
        let rest = url.withoutFragment.utf8.dropFirst(start.utf8.count)
        var legal = start + PercentEncoding.encoded(Substring(rest), keeping: .urlPart, keepsEscapes: true)
        if !url.fragment.isEmpty {
            // The first number sign starts the fragment. Any others are part of it.
            legal += "#" + PercentEncoding.encoded(url.fragment.dropFirst(), keeping: .urlPart, keepsEscapes: true)
        }
        self.init(string: String(legal), relativeTo: base)
    }
}

extension InterceptedRequest {
    /// The request with the bare word `REDACTED` in place of each placeholder.
    var withoutKeys: InterceptedRequest {
        var request = self
        request.url = HARRedactor.withoutKeys(url)
        request.headers = headers.map { field in
            HeaderField(name: field.name, value: HARRedactor.withoutKeys(field.value))
        }
        request.body = body.map { HARRedactor.withoutKeys($0) }
        return request
    }

    /// Whether the request contains placeholders for secrets, in any form.
    var isRedacted: Bool {
        HARRedactor.isRedacted(url) || headers.contains { HARRedactor.isRedacted($0.value) }
            || body.map { HARRedactor.isRedacted($0) } ?? false
    }

    /// The placeholders in the request.
    ///
    /// They distinguish the request from similar requests with other secrets.
    ///
    /// Placeholders in cookies are excluded because cookies change with each session.
    var placeholders: [String] {
        let fields = headers.filter { $0.name.lowercased() != "cookie" }.map(\.value)
        let body = body.map { String(decoding: $0, as: UTF8.self) }
        let texts = [url] + fields + [body].compactMap { $0 }
        return Set(texts.flatMap(HARRedactor.placeholders)).sorted()
    }
}

extension InterceptedRequest {
    /// The approximate number of bytes to parse and compare.
    package var byteCount: Int {
        let head = headers.reduce(url.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard let body, !body.isEmpty else { return head }
        let isCoded = !headers.values(named: "content-encoding").isEmpty
        return head + (isCoded ? min(body.count, 1 << 20) * Self.largestRatio : body.count)
    }

    /// The ratio of DEFLATE for data of equal bytes (https://zlib.net/zlib_tech.html); other codings exceed it.
    private static let largestRatio = 1032
}

extension [HeaderField] {
    /// Returns a body without the content codings that the fields name, or nil without codings, or if the body cannot be
    /// decoded or would be larger than 100 MB.
    func body(decodedFrom data: Data) -> Data? {
        try? body(decodedFrom: data, upTo: ContentCoding.greatestSize)
    }

    /// Returns the body without the content codings that the fields name, or nil if it cannot be decoded.
    ///
    /// - Throws: `limitExceeded` if the decoded body is larger than the limit, in bytes.
    func body(decodedFrom data: Data, upTo limit: Int) throws(HARError) -> Data? {
        let codings = filter { $0.isNamed("content-encoding") }
            .map { HAR.Header(name: $0.name, value: $0.value) }
        guard !codings.isEmpty,
            case .bytes(let body) = try ContentCoding.decoded(data, headers: codings, upTo: limit)
        else { return nil }
        return body
    }
}

extension InterceptedResponse {
    /// The response as archives contain it, if its body was received from the network.
    ///
    /// A body that cannot be decoded keeps its content codings.
    package var decoded: InterceptedResponse {
        var response = self
        if let body = headers.body(decodedFrom: body) {
            response.body = body
        } else {
            response.keepsCoding = true
        }
        return response
    }
}
