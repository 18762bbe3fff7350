import Foundation
package import HTTPArchive
package import RecordingFormats

/// The console output of Innernet: an object for each passed-through or intercepted request, in an array or as JSON
/// Lines.
package enum InnernetConsole: RecordingFormat {
    package static let name = "innernet-console"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let value = file.value.flatMap({ $0[0] ?? $0 }) else { return false }
        return value["url"] != nil && (value["resBody"] != nil || value["resHeaders"] != nil)
    }

    /// Returns the requests in file order.
    ///
    /// A request without a response becomes a failed entry.
    ///
    /// The field `_wasIntercepted` of each entry contains the value of `wasIntercepted`.
    ///
    /// - Parameter file: The file.
    /// - Returns: An entry for each object.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        let content = try file.content()
        let values = content.value.array == nil ? [content] : try content.elements()
        return try values.map { value throws(HARError) in
            let headers = try value["resHeaders"]?.headers() ?? []
            let code = try value["statusCode"]?.int() ?? 0
            var exchange = RecordedExchange(
                start: headers.date ?? file.date, url: try value.required("url").text(),
                status: code <= 0 ? 0 : try value.required("statusCode").status())
            exchange.method = try value["method"]?.text().uppercased() ?? "GET"
            exchange.requestHeaders = try value["reqHeaders"]?.headers() ?? []
            exchange.requestBody = try value["reqBody"].map { value throws(HARError) in
                try body(value, exchange.requestHeaders)
            }
            exchange.responseHeaders = headers
            exchange.responseBody =
                try value["resBody"].map { value throws(HARError) in try body(value, headers) }
                ?? Data()
            if code <= 0 { exchange.responseFields = [.init(name: "_error", value: "net::ERR_FAILED")] }
            exchange.entryFields = value.rest(besides: [
                "url", "method", "statusCode", "reqHeaders", "reqBody", "resHeaders", "resBody",
            ])
            return exchange.entry
        }.withAscendingTimes
    }

    /// Returns the bytes of a body, which Innernet writes as text or, for binary data, as Base64.
    ///
    /// A word can be valid Base64 by chance, but its decoded bytes are rarely valid UTF-8.
    private static func body(_ value: RecordedValue, _ headers: [HAR.Header]) throws(HARError) -> Data {
        guard value.value.object == nil, value.value.array == nil else { return value.value.data() }
        let text = try value.scalarText()
        guard let bytes = Data(base64Encoded: text) else { return Data(text.utf8) }
        let type = headers.values(of: "content-type").first.flatMap(MediaType.init)?.essence ?? "text/plain"
        let isBinary = ["image/", "audio/", "video/", "font/", "application/octet-stream"].contains {
            type.hasPrefix($0)
        }
        return isBinary || String(validating: bytes, as: UTF8.self) != nil ? bytes : Data(text.utf8)
    }
}
