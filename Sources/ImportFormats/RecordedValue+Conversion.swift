import Foundation
import HTTPArchive
import RecordingFormats

extension RecordedValue {
    /// Returns the UTF-8 bytes of a string, or the bytes of a binary YAML scalar.
    func bytes() throws(HARError) -> Data {
        guard let binary = value[Self.binaryName]?.text else { return Data(try text().utf8) }
        return try bytes(base64: binary)
    }

    /// The message for a time that cannot be parsed.
    static let invalidDate =
        "Expected a date and time such as 2026-01-31T12:00:00Z, found a value in another format."

    /// Returns a time in ISO 8601 format, with UTC as the default time zone, or in the format of the `Date` header
    /// field.
    func date() throws(HARError) -> Date {
        let text = try text()
        guard let date = HAR.date(text) ?? HAR.date(text + "Z") ?? CookieDate.date(text) else {
            throw error(Self.invalidDate)
        }
        return date
    }
}

extension RecordedExchange {
    /// Sets the response body, after decoding any content coding that the header fields name.
    ///
    /// - Throws: `limitExceeded` if the decoded body is too large.
    mutating func setResponseBody(_ body: Data) throws(HARError) {
        switch try ContentCoding.decoded(body, headers: responseHeaders) {
        case .bytes(let bytes): responseBody = bytes
        case .unsupported: encodedBody = body
        }
    }
}
