import Foundation
import HTTPArchive

extension EntryBuilder {
    /// Returns the HAR representation of the received part of the response.
    func response(of exchange: CapturedExchange) throws(HARError) -> HAR.Response {
        guard let head = exchange.head else {
            var response = HAR.Response(
                status: 0, httpVersion: exchange.recordedVersion, content: HAR.Content(size: 0, mimeType: "x-unknown"))
            Self.add(exchange.error ?? URLError(.badServerResponse), to: &response)
            return response
        }
        let cookies = head.headers.values(named: "set-cookie")
        var response = HAR.Response(
            status: head.status, statusText: head.statusText, httpVersion: exchange.recordedVersion,
            cookies: cookies.compactMap { CookieHeader.cookie($0, at: exchange.start) },
            headers: head.headers.recorded, content: HAR.Content(size: exchange.body.count, mimeType: ""),
            redirectURL: InterceptedResponse.isRedirect(head.status)
                ? head.headers.values(named: "location").first ?? "" : "",
            headersSize: exchange.wire.responseHeadersSize, bodySize: Self.bodySize(of: exchange, head))
        let change = try add(exchange.body, to: &response)
        if let size = exchange.wire.responseBodySize, exchange.error == nil, head.headers.declareContentCoding {
            response.content.compression = exchange.body.count - size
        }
        if let headers = response.headersSize, let body = response.bodySize {
            response["_transferSize"] = .number(JSONNumber(headers + body))
        }
        response.clientURL = exchange.clientURL
        if let error = exchange.error { Self.add(error, to: &response) }
        change?.update(&response.fields)
        return response
    }

    /// Returns the size of the body on the wire, in bytes, or `nil` if it is unknown.
    private static func bodySize(of exchange: CapturedExchange, _ head: CapturedExchange.Head) -> Int? {
        guard InterceptedResponse.canHaveBody(status: head.status, method: exchange.request.method) else { return 0 }
        if let size = exchange.wire.responseBodySize { return size }
        return head.headers.declareContentCoding ? nil : exchange.body.count
    }

    /// Adds the error that ended an exchange, as Chromium's error name and the `URLError` code.
    private static func add(_ error: any Error, to response: inout HAR.Response) {
        response["_error"] = .string(JSONString(RecordedFailure.text(for: error)))
        if let code = RecordedFailure.code(of: error) {
            response[RecordedFailure.codeField] = .number(JSONNumber(code.rawValue))
        }
    }

    // MARK: - Body

    /// Adds the body, unless the settings exclude it.
    ///
    /// - Returns: The change in the body's length caused by redaction, or nil if the body is not in a file.
    private func add(_ body: SpooledBody, to response: inout HAR.Response) throws(HARError) -> BodyLengthChange? {
        let label = response.header("content-type") ?? (body.count == 0 ? "x-unknown" : RecordedText.unknownType)
        let type = MediaType(label)
        response.content.mimeType = label
        if body.count == 0 {
            response.content.text = ""
        } else if let reason = reasonToOmit(body, of: type) {
            response.content.comment = "The body was omitted: \(reason.text)."
            response.content["_bodyOmitted"] = .string(JSONString(reason.name))
        } else if settings.bodies == .attach || body.count > settings.largestEmbeddedBody {
            let (file, change) = try attach(body, type: label)
            response.content["_file"] = .string(JSONString(file))
            response.content["_fileEncoding"] = "identity"
            return change
        } else {
            response.embed(body.data)
        }
        return nil
    }

    /// Returns the reason for omitting a body, or `nil` if the body is recorded.
    private func reasonToOmit(_ body: SpooledBody, of type: MediaType?) -> (name: String, text: String)? {
        if settings.bodies == .omit { return ("setting", "bodies are not recorded") }
        if let wanted = settings.mediaTypes {
            let essence = type?.essence ?? RecordedText.unknownType
            let isWanted = wanted.contains {
                WildcardPattern($0.lowercased(), separators: "/").matches(essence)
            }
            if !isWanted { return ("mediaType", "its media type is excluded") }
        }
        if let limit = settings.maximumBodySize, body.count > limit {
            return ("size", "it is \(MessageText.bytes(body.count)) long, and the limit is \(limit)")
        }
        return nil
    }
}
