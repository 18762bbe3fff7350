import Foundation
package import HTTPArchive

/// Folders of the files that the library Relay wrote before it recorded HAR, a file for each request.
///
/// A request is found by what its file says; the name of the file holds a hash that differs between platforms.
package enum RelayFolder: RecordingFormat {
    package static let name = "relay"

    /// The mark that the library put on requests and answers of its own.
    private static let mark = "x-relayreplay"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let value = file.value else { return false }
        return value["statusCode"] != nil && value["responseData"] != nil && value["responseHeaders"] != nil
    }

    /// The entry of a file, which starts at the time of its answer's header field `Date`, or else of the file.
    ///
    /// - Parameter file: The file.
    /// - Returns: One entry.
    /// - Throws: `malformedRecording` and `malformedJSON` with the place.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        let content = try file.content()
        let responseHeaders = try content["responseHeaders"]?.headers() ?? []
        var exchange = RecordedExchange(
            start: responseHeaders.date ?? file.date, url: try content.required("service").text(),
            status: try content.required("statusCode").status())
        exchange.method = try content["requestType"]?.text() ?? "GET"
        exchange.requestHeaders = try content["requestHeaders"]?.headers().filter(isUnmarked) ?? []
        exchange.requestBody = try content["requestBody"].map(body)
        exchange.responseHeaders = responseHeaders.filter(isUnmarked)
        exchange.responseBody = try body(content.required("responseData"))
        exchange.entryFields = content.rest(besides: [
            "service", "requestType", "requestHeaders", "requestBody", "responseHeaders", "statusCode", "responseData",
        ])
        return [exchange.entry]
    }

    private static func isUnmarked(_ header: HAR.Header) -> Bool { header.name.lowercased() != mark }

    /// A body, whose text is in UTF-8 whatever the charset of the answer was.
    private static func body(_ value: RecordedValue) throws(HARError) -> Data {
        guard let data = value["data"] else { return Data() }
        guard try value["isBase64Encoded"]?.bool() ?? false else { return Data(try data.text().utf8) }
        return try data.base64Bytes()
    }
}
