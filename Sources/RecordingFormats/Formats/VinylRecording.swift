import Foundation
package import HTTPArchive

/// Recordings of Vinyl, which are arrays of tracks.
///
/// Vinyl plays the first track that matches.
package enum VinylRecording: RecordingFormat {
    package static let name = "vinyl"

    /// The custom field of a response that is `false` if its track has no body, as opposed to an empty one.
    package static let bodyField = "_hasBody"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let track = file.value?[0], let response = track["response"]?.object else { return false }
        return response["url"] != nil || track["request"]?["url"] != nil
    }

    /// Returns the tracks in order.
    ///
    /// The response's `_url` is its URL if that differs from the URL of the request.
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

/// A request and its response in the format that Vinyl and DVR share.
struct RecordedTrack {
    /// The encoding of a string body without a media type.
    enum UntypedText {
        case plain, base64
    }

    /// The exchange.
    var exchange: RecordedExchange

    /// Reads a request and its response.
    ///
    /// - Parameters:
    ///   - value: The object with the request and the response.
    ///   - start: The time of recording; nil (the default) for the response's `Date` field, or else the file's date.
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
            throw value.error("The member 'url' is missing from both the request and the response.")
        }
        exchange = RecordedExchange(
            start: start ?? responseHeaders.date ?? file.date, url: url,
            status: try response.required("status").int())
        exchange.method = try request?["method"]?.text() ?? "GET"
        exchange.requestHeaders = try request?["headers"]?.headers() ?? []
        exchange.requestBody = try request?["body"].flatMap { value throws(HARError) in
            try Self.body(value, exchange.requestHeaders, untyped)?.bytes
        }
        exchange.responseHeaders = responseHeaders
        exchange.responseBody = Data()
        let body = try response["body"].flatMap { value throws(HARError) in
            try Self.body(value, responseHeaders, untyped)
        }
        if let body { (exchange.responseBody, exchange.responseType) = body }
        exchange.requestFields = request?.rest(besides: ["url", "method", "headers", "body"]) ?? []
        exchange.responseFields = response.rest(besides: ["url", "status", "headers", "body"])
        if body == nil {
            exchange.responseFields.append(.init(name: JSONString(VinylRecording.bodyField), value: .bool(false)))
        }
        if let responseURL, responseURL != url {
            exchange.responseFields.append(.init(name: "_url", value: .string(JSONString(responseURL))))
        }
    }

    /// Returns the bytes of a body, and its media type if the header fields do not contain it, or nil for `null`
    /// without a media type.
    ///
    /// Both tools find the field `Content-Type` only if its name has this case.
    private static func body(
        _ value: RecordedValue, _ headers: [HAR.Header], _ untyped: UntypedText
    ) throws(HARError) -> (bytes: Data, type: String?)? {
        let type = headers.first { $0.name == "Content-Type" }?.value
        if case .null = value.value, type == nil { return nil }
        guard case .string(let string) = value.value else { return (value.value.data(), "application/json") }
        let text = string.text
        switch type {
        // Neither tool encodes JSON as a string, so a string is plain text.
        case let type? where type.hasPrefix("text/") || type.hasPrefix("application/json"):
            return (Data(text.utf8), nil)
        case .some: return ((try? value.base64Bytes()) ?? Data(text.utf8), nil)
        case nil:
            if untyped == .base64, let bytes = try? value.base64Bytes() { return (bytes, nil) }
            return (Data(text.utf8), "text/plain")
        }
    }
}
