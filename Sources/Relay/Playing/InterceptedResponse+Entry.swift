import Foundation
import HTTPArchive

extension InterceptedResponse {
    /// The response of an entry, as its client saw it.
    ///
    /// Header fields stay as they are. Archives that were redacted by earlier versions have the length that the body had
    /// before; it is corrected.
    ///
    /// - Parameters:
    ///   - response: The recorded response.
    ///   - url: The URL that the client saw.
    ///   - body: The body.
    init(_ response: HAR.Response, seenAt url: String, body: Data) {
        self.init(
            url: url, status: response.status, statusText: response.statusText,
            httpVersion: Self.version(response.httpVersion),
            headers: response.headers.map { HeaderField(name: $0.name, value: $0.value) }, body: body)
        if !isEncoded, !body.isEmpty, HARRedactor.isRedacted(String(decoding: body, as: UTF8.self)) { correctLength() }
    }

    /// The answer of an entry, as a live server's would reach the client.
    ///
    /// Pseudo-header fields are left out, fields that a tool joined by line breaks are several again. The body is decoded:
    /// what describes its coding goes, and a length that was recorded is made right.
    ///
    /// - Parameters:
    ///   - response: The recorded answer.
    ///   - request: The request that it answers.
    ///   - body: The body; none where the answer can have none.
    ///   - isWhole: Whether it is all of the body; a length that says how much was to come then stays. `true` by default.
    init(_ response: HAR.Response, to request: InterceptedRequest, body: Data, isWhole: Bool = true) {
        var headers = response.headers.flatMap { header in
            header.value.split(whereSeparator: \.isNewline).map {
                HeaderField(name: header.name, value: $0.trimmingCharacters(in: .whitespaces))
            } + (header.value.isEmpty ? [HeaderField(name: header.name, value: "")] : [])
        }
        headers.removeAll { $0.name.hasPrefix(":") || $0.name.isEmpty }
        if Self.isRedirect(response.status), !response.redirectURL.isEmpty, headers.values(named: "location").isEmpty {
            headers.append(HeaderField(name: "Location", value: response.redirectURL))
        }
        self.init(
            url: request.url, status: response.status, statusText: response.statusText,
            httpVersion: Self.version(response.httpVersion), headers: headers, body: body)
        guard Self.canHaveBody(status: status, method: request.method) else { return }
        let hasCoding = !self.headers.values(named: "content-encoding").isEmpty
        self.headers.remove(named: ["content-encoding", "transfer-encoding"])
        if isWhole || hasCoding { correctLength() }
    }

    /// The answer to a client that has this one already (RFC 9110, section 15.4.5).
    var notModified: InterceptedResponse {
        let kept: Set = ["cache-control", "content-location", "date", "etag", "expires", "vary"]
        var response = self
        response.status = 304
        response.statusText = "Not Modified"
        response.headers.removeAll { !kept.contains($0.name.lowercased()) }
        response.body = Data()
        return response
    }

    /// Whether an answer of that status sends the client elsewhere.
    static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Whether an answer may have a body (RFC 9110, section 6.4.1).
    static func canHaveBody(status: Int, method: String) -> Bool {
        method.uppercased() != "HEAD" && status >= 200 && status != 204 && status != 304
    }

    /// The version of HTTP in its usual spelling; `HTTP/1.1` where the recorded text says nothing.
    private static func version(_ text: String) -> String {
        switch text.lowercased() {
        case "h2", "http/2", "http/2.0": "HTTP/2"
        case "h3", "http/3", "http/3.0": "HTTP/3"
        case "http/1.0", "1.0": "HTTP/1.0"
        default: "HTTP/1.1"
        }
    }
}
