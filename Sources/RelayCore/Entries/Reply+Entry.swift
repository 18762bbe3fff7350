import Foundation
package import HTTPArchive

extension Reply {
    /// Creates a response from the recorded response or failure of an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - request: The request to answer.
    ///   - folder: The directory that contains the archive and its attached bodies.
    ///   - storedBody: The body, if it is to be read in parts and is not read with the entry; nil by default.
    ///   - allowsMissingBody: Whether a missing body is replaced with an empty one.
    /// - Throws: `entryNotReplayable` if the status is invalid or not final; `bodyNotCaptured` if the body is missing;
    ///   any error from reading a body file.
    package init(
        of entry: HAR.Entry, to request: InterceptedRequest, in folder: HAR.BodyFolder?,
        storedBody: StoredBody? = nil, allowsMissingBody: Bool
    ) throws(HARError) {
        var response = entry.response
        if response.content.text?.isEmpty != false, response.content["_file"] == nil, let body = entry.eventSourceBody {
            response.content.text = body.base64EncodedString()
            response.content.encoding = "base64"
        }
        if let error = response.invalidStatus { throw error }
        // A response recorded at the client can have any status.
        let isVerbatim = response.clientURL != nil
        if !isVerbatim, let reason = entry.unreplayedReason { throw HARError(.entryNotReplayable, reason) }
        if let text = isVerbatim ? entry.failureText : entry.failure {
            let error = RecordedFailure.error(text, code: response[RecordedFailure.codeField]?.int, url: request.url)
            let part = InterceptedResponse(
                receivedPartOf: response, to: request, in: folder, storedBody: storedBody)
            self.init(part.map { .success($0) } ?? .failure(error))
            breakOff = part == nil ? nil : error
        } else {
            let body = try response.replayedBody(
                for: request, in: folder, storedBody: storedBody, allowsMissing: allowsMissingBody)
            let seen = response.clientURL.map { InterceptedResponse(response, seenAt: $0, body: body) }
            self.init(.success(seen ?? InterceptedResponse(response, to: request, body: body)))
        }
        recorded = entry
        isLast = isVerbatim
        self.isVerbatim = isVerbatim
    }
}

extension Reply {
    /// The recorded entry, if it opened a WebSocket connection, for an adapter that replays these connections.
    package var upgrade: HAR.Entry? { recorded.flatMap { $0.opensWebSocket ? $0 : nil } }
}

extension HAR.Response {
    /// The error for a status that is not an integer, or nil if the status is an integer or missing.
    fileprivate var invalidStatus: HARError? {
        guard let value = self["status"], value != .null, fields.int("status") == nil else { return nil }
        let text = value.text.map { "\"\($0.prefix(40))\"" } ?? value.number?.text
        return HARError(
            .entryNotReplayable,
            """
            Expected an integer as the status, found \(text.map(MessageText.text) ?? value.kindTitle). Correct the \
            entry, or stub the request.
            """)
    }

    /// Returns the body to deliver for a request.
    fileprivate func replayedBody(
        for request: InterceptedRequest, in folder: HAR.BodyFolder?, storedBody: StoredBody?, allowsMissing: Bool
    ) throws(HARError) -> ReplayedBody {
        let isVerbatim = clientURL != nil
        guard isVerbatim || Self.finalStatuses.contains(status) else {
            throw HARError(
                .entryNotReplayable,
                "The status \(status) is not a final HTTP status (200 to 999). Correct the entry, or stub the request.")
        }
        let canHaveBody = InterceptedResponse.canHaveBody(status: status, method: request.method)
        if isVerbatim || canHaveBody, let body = try body(in: folder, storedBody) { return body }
        guard !canHaveBody || allowsMissing || InterceptedResponse.isRedirect(status) else {
            throw HARError(
                .bodyNotCaptured,
                """
                The archive does not contain the body of the response. Capture the archive again with bodies, set \
                `deliversMissingBodiesAsEmpty` in the configuration, or use `har serve --empty-bodies`.
                """)
        }
        return ReplayedBody()
    }

    /// Returns the body, or nil if it is missing.
    fileprivate func body(in folder: HAR.BodyFolder?, _ storedBody: StoredBody?) throws(HARError) -> ReplayedBody? {
        if let storedBody { return ReplayedBody(stored: storedBody) }
        let body = try folder.map { folder throws(HARError) in try interpretedBody(in: folder) } ?? interpretedBody
        return body.map { ReplayedBody(data: $0.bytes, keepsCoding: $0.keepsCoding) }
    }
}

/// The body of a recorded response.
struct ReplayedBody {
    /// The bytes; empty if the body is read in parts.
    var data = Data()

    /// The body, if it is read in parts.
    var stored: StoredBody?

    /// Whether the body has content codings that the client must remove.
    var keepsCoding = false
}

extension InterceptedResponse {
    /// Creates a response without setting lengths.
    fileprivate init(
        url: String, recorded response: HAR.Response, headers: [HeaderField], body: ReplayedBody
    ) {
        self.init(
            url: url, status: response.status, statusText: response.statusText,
            httpVersion: Self.version(response.httpVersion), headers: headers, body: body.data)
        storedBody = body.stored
        keepsCoding = body.keepsCoding
    }
}

extension InterceptedResponse {
    /// Creates a response from the recorded part of a truncated response, or returns nil if no part was recorded.
    ///
    /// Also returns nil for redirects, because the client would follow the redirect instead of receiving the error.
    fileprivate init?(
        receivedPartOf response: HAR.Response, to request: InterceptedRequest, in folder: HAR.BodyFolder?,
        storedBody: StoredBody?
    ) {
        guard HAR.Response.finalStatuses.contains(response.status), !Self.isRedirect(response.status),
            Self.canHaveBody(status: response.status, method: request.method),
            let body = try? response.body(in: folder, storedBody)
        else { return nil }
        self.init(response, to: request, body: body, isWhole: false)
    }
}

extension InterceptedResponse {
    /// Creates a response from one that was recorded at the client.
    ///
    /// Header fields are preserved, except that `Content-Length` is corrected in archives redacted by earlier versions,
    /// which contain the length before redaction.
    ///
    /// - Parameters:
    ///   - response: The recorded response.
    ///   - url: The final URL of the response, after any redirects.
    ///   - body: The body.
    init(_ response: HAR.Response, seenAt url: String, body: ReplayedBody) {
        self.init(
            url: url, recorded: response,
            headers: response.headers.map { HeaderField(name: $0.name, value: $0.value) }, body: body)
        guard !headers.declareContentCoding else { return }
        // A stored body is not searched for placeholders. Without them, the recorded length is correct anyway.
        if storedBody != nil || HARRedactor.isRedacted(String(decoding: self.body, as: UTF8.self)) { correctLength() }
    }

    /// Creates a response from a recorded one, as a live server would send it.
    ///
    /// Pseudo-header fields are omitted, and fields that a tool joined with line breaks are split. Because the body is
    /// decoded, fields that describe its coding are removed, and a recorded length is corrected. If the body still has
    /// its content codings, `Content-Encoding` is kept.
    ///
    /// - Parameters:
    ///   - response: The recorded response.
    ///   - request: The request to answer.
    ///   - body: The body; empty if the response cannot have one.
    ///   - isWhole: Whether the body is complete; `true` by default. The recorded length of a truncated body is kept if
    ///     the body had no content coding.
    init(_ response: HAR.Response, to request: InterceptedRequest, body: ReplayedBody, isWhole: Bool = true) {
        var headers = response.headers.flatMap { header -> [HeaderField] in
            if FieldSyntax.isPlain(header.value) { return [HeaderField(name: header.name, value: header.value)] }
            return header.value.split(whereSeparator: \.isNewline).map {
                HeaderField(name: header.name, value: $0.trimming(.whitespaces))
            }
        }
        headers.removeAll { $0.name.hasPrefix(":") || $0.name.isEmpty }
        if Self.isRedirect(response.status), !response.redirectURL.isEmpty, headers.values(named: "location").isEmpty {
            headers.append(HeaderField(name: "Location", value: response.redirectURL))
        }
        self.init(url: request.url, recorded: response, headers: headers, body: body)
        guard Self.canHaveBody(status: status, method: request.method) else { return }
        let hasCoding = !self.headers.values(named: "content-encoding").isEmpty
        self.headers.remove(
            named: body.keepsCoding ? ["transfer-encoding"] : ["content-encoding", "transfer-encoding"])
        if isWhole || hasCoding { correctLength() }
    }

    /// The 304 response for a client that already has this response (RFC 9110, section 15.4.5).
    var notModified: InterceptedResponse {
        let kept: Set = ["cache-control", "content-location", "date", "etag", "expires", "vary"]
        var response = self
        response.status = 304
        response.statusText = "Not Modified"
        response.headers.removeAll { !kept.contains($0.name.lowercased()) }
        response.body = Data()
        return response
    }

    /// Returns the HTTP version in its usual spelling, or `HTTP/1.1` if the recorded text is unknown.
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
    /// Whether the exchange opened a WebSocket connection.
    var opensWebSocket: Bool {
        failureText == nil && (response.status == 101 || self["_webSocketMessages"]?.array?.isEmpty == false)
    }

    /// A copy with the response marked as recorded at the client, with the request URL if the final URL is unknown.
    package var asSeenByClient: HAR.Entry {
        var entry = self
        let url = request[HAR.Response.clientURLField]?.text ?? request.url
        if response.clientURL == nil { entry.response.clientURL = url }
        return entry
    }
}

extension HAR.Response {
    /// The field with the final URL of a response that was recorded at the client.
    ///
    /// A response is *recorded on the wire* if the archive contains it as the server sent it. It is *recorded at the
    /// client* if the archive contains it as the session delivered it to the app: decoded, after any redirects, and
    /// with the final URL. A response recorded at the client is replayed unchanged for any request, with the recorded
    /// URL and header fields. A redirect status is not followed.
    static let clientURLField = "_url"

    /// The final URL of a response recorded at the client, or `nil` if it was recorded on the wire.
    var clientURL: String? {
        get { self[Self.clientURLField]?.text }
        set { self[Self.clientURLField] = newValue.map { .string(JSONString($0)) } }
    }
}
