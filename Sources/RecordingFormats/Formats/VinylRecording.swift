import Foundation
package import HTTPArchive

/// Recordings of Vinyl, which are arrays of tracks.
///
/// Vinyl plays the first track that matches.
package enum VinylRecording: RecordingFormat {
    package static let name = "vinyl"

    /// The custom response field that is `false` if a track has no body.
    ///
    /// A response with an empty body lacks this field.
    package static let bodyField = "_hasBody"

    /// The member of a request or a response with the bytes of its body in Base64, if its body in Vinyl's form would have
    /// other bytes.
    ///
    /// `har export` adds this member, which Vinyl and DVR ignore.
    package static let bytesField = "_bodyBase64"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let track = file.value?[0], let response = track["response"]?.object else { return false }
        return response["url"] != nil || track["request"]?["url"] != nil
    }

    /// Returns the tracks in order.
    ///
    /// The response has a field `_url` if its URL differs from the request's URL.
    ///
    /// - Parameter file: The file.
    /// - Returns: An entry for each track.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location.
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
    ///   - start: The time of recording. If nil (the default), the response's `Date` field or, if that is missing, the
    ///     file's date is used.
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
        exchange.requestBody = try request.flatMap { request throws(HARError) in
            try Self.body(of: request, exchange.requestHeaders, untyped)?.bytes
        }
        exchange.responseHeaders = responseHeaders
        exchange.responseBody = Data()
        let body = try Self.body(of: response, responseHeaders, untyped)
        if let body { (exchange.responseBody, exchange.responseType) = body }
        exchange.requestFields =
            request?.rest(besides: ["url", "method", "headers", "body", VinylRecording.bytesField]) ?? []
        exchange.responseFields = response.rest(besides: [
            "url", "status", "headers", "body", VinylRecording.bytesField,
        ])
        if body == nil {
            exchange.responseFields.append(.init(name: JSONString(VinylRecording.bodyField), value: .bool(false)))
        }
        if let responseURL, responseURL != url {
            exchange.responseFields.append(.init(name: "_url", value: .string(JSONString(responseURL))))
        }
    }

    /// Returns the bytes of the body of a message and the media type that its JSON type implies, if any.
    private static func body(
        of message: RecordedValue, _ headers: [HAR.Header], _ untyped: UntypedText
    ) throws(HARError) -> (bytes: Data, type: String?)? {
        if let bytes = message[VinylRecording.bytesField] { return (try bytes.base64Bytes(), nil) }
        return try message["body"].flatMap { value throws(HARError) in try body(value, headers, untyped) }
    }

    /// Returns the bytes of a body and the media type that its JSON type implies, if any.
    ///
    /// Returns nil for `null` without a `Content-Type`.
    ///
    /// Vinyl and DVR look up the field `Content-Type` case-sensitively.
    private static func body(
        _ value: RecordedValue, _ headers: [HAR.Header], _ untyped: UntypedText
    ) throws(HARError) -> (bytes: Data, type: String?)? {
        let type = headers.first { $0.name == "Content-Type" }?.value
        if case .null = value.value, type == nil { return nil }
        guard case .string(let string) = value.value else { return (value.value.data(), "application/json") }
        let text = string.text
        switch type {
        // Neither Vinyl nor DVR stores a JSON body as a string, so a string is the text of the body.
        case let type? where type.hasPrefix("text/") || type.hasPrefix("application/json"):
            return (Data(text.utf8), nil)
        case .some: return ((try? value.base64Bytes()) ?? Data(text.utf8), nil)
        case nil:
            if untyped == .base64, let bytes = try? value.base64Bytes() { return (bytes, nil) }
            return (Data(text.utf8), "text/plain")
        }
    }
}
