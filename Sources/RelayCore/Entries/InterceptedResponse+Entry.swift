import Foundation
package import HTTPArchive

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

extension HAR.Entry {
    /// The same entry, as its client saw it: where it has no URL of its own, that of the request is the one of the response.
    package var asSeenByClient: HAR.Entry {
        var entry = self
        let url = request[HAR.Response.clientURLField]?.text ?? request.url
        if response.clientURL == nil { entry.response.clientURL = url }
        return entry
    }
}

extension HAR.Response {
    /// The field with the URL of a response as its client saw it.
    ///
    /// A session gives its client one answer, whatever redirects led to it, under the URL where these ended. What was
    /// recorded there, and not on the wire, has that URL here. It is given as it is: with this URL and these header
    /// fields, whatever the request was, and as the last answer, whatever its status is.
    static let clientURLField = "_url"

    /// The URL of a response as its client saw it; `nil` for one that was recorded on the wire.
    var clientURL: String? {
        get { self[Self.clientURLField]?.text }
        set { self[Self.clientURLField] = newValue.map { .string(JSONString($0)) } }
    }
}
