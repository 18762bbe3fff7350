import Foundation
package import HTTPArchive
package import RecordingFormats

/// Cassettes of Ruby's VCR and of compatible libraries such as Betamax, in YAML or JSON.
package enum VCRCassette: RecordingFormat {
    package static let name = "vcr"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        file.value?["http_interactions"]?.array != nil
    }

    /// Returns the interactions in file order, which is also VCR's replay order.
    ///
    /// The field `_recorded_with` of each entry contains the cassette's `recorded_with`.
    ///
    /// - Parameter file: The file.
    /// - Returns: An entry for each interaction.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        let content = try file.content()
        let common = content.rest(besides: ["http_interactions"])
        return try content.required("http_interactions").elements().map { value throws(HARError) in
            var exchange = try exchange(value, in: file)
            exchange.entryFields = common + value.rest(besides: ["request", "response", "recorded_at"])
            return exchange.entry
        }.withAscendingTimes
    }

    private static func exchange(_ value: RecordedValue, in file: RecordingFile) throws(HARError) -> RecordedExchange {
        let request = try value.required("request")
        let response = try value.required("response")
        let status = try response.required("status")
        var exchange = RecordedExchange(
            start: try value["recorded_at"]?.date() ?? file.date, url: try request.required("uri").text(),
            status: try status.required("code").status())
        exchange.method = try request["method"]?.text().uppercased() ?? "GET"
        exchange.requestHeaders = try request["headers"]?.headers() ?? []
        exchange.requestBody = try request["body"].map(body)
        exchange.statusText = try status["message"]?.scalarText() ?? ""
        exchange.responseHeaders = try response["headers"]?.headers() ?? []
        try exchange.setResponseBody(response["body"].map(body) ?? Data())
        // VCR records the version only for some clients.
        if let version = try (response["http_version"] ?? response["body"]?["http_version"])?.scalarText() {
            exchange.httpVersion = version.contains("/") ? version : "HTTP/\(version)"
        }
        exchange.requestFields = request.rest(besides: ["method", "uri", "headers", "body"])
        let url = response["url"]?.value == request["uri"]?.value ? ["url"] as Set : []
        exchange.responseFields =
            response.rest(besides: url.union(["status", "headers", "body", "http_version"]))
            + status.rest(besides: ["code", "message"])
        return exchange
    }

    /// Returns the bytes of a body that is Base64 or a string with a charset.
    private static func body(_ value: RecordedValue) throws(HARError) -> Data {
        guard value.value.object != nil, value[RecordedValue.binaryName] == nil else { return try value.bytes() }
        if let text = value["base64_string"] { return try text.base64Bytes() }
        guard let string = value["string"] else { return Data() }
        let label = try value["encoding"]?.text() ?? "UTF-8"
        guard let text = string.value.text, label.uppercased() != "ASCII-8BIT", let charset = Charset(label: label),
            let bytes = charset.encodeExactly(text)
        else { return try string.bytes() }
        return bytes
    }
}
