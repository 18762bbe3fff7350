import Foundation
package import HTTPArchive

/// Folders that earlier versions of Relay recorded, with one file for each request.
///
/// The request is identified by the content of the file, because the hash in the file name differs between platforms.
package enum RelayFolder: RecordingFormat {
    package static let name = "relay"

    /// The header field that Relay added to its requests and responses.
    private static let mark = "x-relayreplay"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let value = file.value else { return false }
        return value["statusCode"] != nil && value["responseData"] != nil && value["responseHeaders"] != nil
    }

    /// Returns the entry of a file.
    ///
    /// Its start time is the response's `Date` field or, if that is missing, the file's date.
    ///
    /// - Parameter file: The file.
    /// - Returns: One entry.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location.
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

    /// Returns the bytes of a body.
    ///
    /// Text is encoded as UTF-8, regardless of the response's charset.
    private static func body(_ value: RecordedValue) throws(HARError) -> Data {
        guard let data = value["data"] else { return Data() }
        guard try value["isBase64Encoded"]?.bool() ?? false else { return Data(try data.text().utf8) }
        return try data.base64Bytes()
    }
}
