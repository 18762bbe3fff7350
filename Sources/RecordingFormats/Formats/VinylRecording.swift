import Foundation
package import HTTPArchive

/// Vinyls of Vinyl: arrays of tracks, of which the first match is played.
package enum VinylRecording: RecordingFormat {
    package static let name = "vinyl"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let track = file.value?[0], let response = track["response"]?.object else { return false }
        return response["url"] != nil || track["request"]?["url"] != nil
    }

    /// Returns the tracks in order.
    ///
    /// A response has its URL in `_url` if it differs from the URL of the request.
    ///
    /// - Parameter file: The file.
    /// - Returns: An entry for each track.
    /// - Throws: `malformedRecording` and `malformedJSON` with the location.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        var entries: [HAR.Entry] = []
        for value in try file.content().elements() {
            var track = try RecordedTrack(value, in: file, untyped: .plain)
            track.exchange.entryFields = value.rest(besides: ["request", "response"])
            entries.append(track.exchange.entry)
        }
        return entries.withAscendingTimes
    }
}

/// A request and its response, in the common format of Vinyl and DVR.
struct RecordedTrack {
    /// The encoding of a string body without a media type.
    enum UntypedText {
        case plain, base64
    }

    /// The exchange.
    var exchange: RecordedExchange

    /// Reads a pair.
    ///
    /// - Parameters:
    ///   - value: The pair.
    ///   - start: The time of recording; by default the response's `Date` field, or else the file's date.
    ///   - file: The file.
    ///   - untyped: The encoding of a string body without a media type.
    /// - Throws: `malformedRecording` with the location.
    init(_ value: RecordedValue, start: Date? = nil, in file: RecordingFile, untyped: UntypedText) throws(HARError) {
        let response = try value.required("response")
        let responseHeaders = try response["headers"]?.headers() ?? []
        let request = value["request"]
        let requestURL = try request?["url"]?.text()
        let responseURL = try response["url"]?.text()
        guard let url = requestURL ?? responseURL else {
            throw value.error("The member 'url' is missing in the request and the response.")
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

    /// Returns the bytes of a body, and its media type if the header fields do not have it.
    ///
    /// Both tools find the field `Content-Type` with this spelling only.
    private static func body(
        _ value: RecordedValue, _ headers: [HAR.Header], _ untyped: UntypedText
    ) throws(HARError) -> (bytes: Data, type: String?) {
        let type = headers.first { $0.name == "Content-Type" }?.value
        guard case .string(let string) = value.value else { return (value.value.data(), "application/json") }
        let text = string.text
        switch type {
        // Neither tool writes JSON as a string, so a string is plain text.
        case let type? where type.hasPrefix("text/") || type.hasPrefix("application/json"):
            return (Data(text.utf8), nil)
        case .some: return (Data(base64Encoded: text) ?? Data(text.utf8), nil)
        case nil:
            if untyped == .base64, let bytes = Data(base64Encoded: text) { return (bytes, nil) }
            return (Data(text.utf8), "text/plain")
        }
    }
}
