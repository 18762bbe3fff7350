import Foundation
package import HTTPArchive

/// Vinyls: arrays of tracks, the first of which that matches is played.
package enum VinylRecording: RecordingFormat {
    package static let name = "vinyl"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let track = file.value?[0], let response = track["response"]?.object else { return false }
        return response["url"] != nil || track["request"]?["url"] != nil
    }

    /// The tracks in their order.
    ///
    /// The response's URL stands in its field `_url` where it is another one than the request's.
    ///
    /// - Parameter file: The file.
    /// - Returns: An entry for each track.
    /// - Throws: `malformedRecording` and `malformedJSON` with the place.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        var entries: [HAR.Entry] = []
        for value in try file.content().elements() {
            var track = try RecordedTrack(value, in: file, untyped: .plain)
            track.exchange.entryFields = value.rest(besides: ["request", "response"])
            entries.append(track.exchange.entry)
        }
        return entries.inOrderOfTime
    }
}

/// The pair of request and response that Vinyl and DVR keep in the same form.
struct RecordedTrack {
    /// How a body that is a string is read when no header field says what it is.
    enum UntypedText {
        case plain, base64
    }

    /// The exchange.
    var exchange: RecordedExchange

    /// Reads a pair.
    ///
    /// - Parameters:
    ///   - value: The pair.
    ///   - start: When it was recorded; the time of the answer's header field `Date`, or else of the file, by default.
    ///   - file: The file.
    ///   - untyped: How a body is read that has no media type.
    /// - Throws: `malformedRecording` with the place.
    init(_ value: RecordedValue, start: Date? = nil, in file: RecordingFile, untyped: UntypedText) throws(HARError) {
        let response = try value.required("response")
        let responseHeaders = try response["headers"]?.headers() ?? []
        let request = value["request"]
        let requestURL = try request?["url"]?.text()
        let responseURL = try response["url"]?.text()
        guard let url = requestURL ?? responseURL else {
            throw value.error("Neither the request nor the response has a 'url'.")
        }
        exchange = RecordedExchange(
            start: start ?? responseHeaders.date ?? file.date, url: url,
            status: try response.required("status").status())
        exchange.method = try request?["method"]?.text() ?? "GET"
        exchange.requestHeaders = try request?["headers"]?.headers() ?? []
        exchange.requestBody = try request?["body"].map { value throws(HARError) in
            try Self.body(value, exchange.requestHeaders, untyped).bytes
        }
        exchange.responseHeaders = responseHeaders
        exchange.responseBody = Data()
        if let body = response["body"] {
            let (bytes, type) = try Self.body(body, responseHeaders, untyped)
            exchange.responseBody = bytes
            exchange.responseType = type
        }
        exchange.requestFields = request?.rest(besides: ["url", "method", "headers", "body"]) ?? []
        exchange.responseFields = response.rest(besides: ["url", "status", "headers", "body"])
        if let responseURL, responseURL != url {
            exchange.responseFields.append(.init(name: "_url", value: .string(JSONString(responseURL))))
        }
    }

    /// The bytes of a body, and its media type where the header fields do not tell it.
    ///
    /// Both tools look for the field by this very name: with another spelling it is not there.
    private static func body(
        _ value: RecordedValue, _ headers: [HAR.Header], _ untyped: UntypedText
    ) throws(HARError) -> (bytes: Data, type: String?) {
        let type = headers.first { $0.name == "Content-Type" }?.value
        guard case .string(let string) = value.value else { return (value.value.data(), "application/json") }
        let text = string.text
        switch type {
        // Neither tool writes a string for JSON: it is text that stands for itself.
        case let type? where type.hasPrefix("text/") || type.hasPrefix("application/json"):
            return (Data(text.utf8), nil)
        case .some: return (Data(base64Encoded: text) ?? Data(text.utf8), nil)
        case nil:
            if untyped == .base64, let bytes = Data(base64Encoded: text) { return (bytes, nil) }
            return (Data(text.utf8), "text/plain")
        }
    }
}
