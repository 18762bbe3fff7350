import Foundation

/// Forms as request bodies.
enum Form {
    /// Encodes the fields of a form.
    ///
    /// - Returns: `nil` for another media type, a multipart one without a boundary, and a file whose content is missing.
    static func encode(_ fields: [HAR.Parameter], as type: MediaType?) -> Data? {
        switch type?.essence {
        case "application/x-www-form-urlencoded", nil: urlEncoded(fields)
        case "multipart/form-data": type?.parameters["boundary"].flatMap { multipart(fields, boundary: $0) }
        default: nil
        }
    }

    /// Fields joined by ampersands (https://url.spec.whatwg.org/#urlencoded-serializing).
    private static func urlEncoded(_ fields: [HAR.Parameter]) -> Data {
        let pairs = fields.map { field in
            field.value.map { percentEncoded(field.name) + "=" + percentEncoded($0) } ?? percentEncoded(field.name)
        }
        return Data(pairs.joined(separator: "&").utf8)
    }

    private static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case UInt8(ascii: " "): result += "+"
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// A part for each field (RFC 7578, https://www.rfc-editor.org/rfc/rfc7578).
    private static func multipart(_ fields: [HAR.Parameter], boundary: String) -> Data? {
        var text = ""
        for field in fields {
            guard let value = field.value ?? (field.fileName == nil ? "" : nil) else { return nil }
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(field.name))\""
            if let fileName = field.fileName { text += "; filename=\"\(quoted(fileName))\"" }
            if let type = field.contentType { text += "\r\nContent-Type: \(type)" }
            text += "\r\n\r\n\(value)\r\n"
        }
        return Data((text + "--\(boundary)--\r\n").utf8)
    }

    private static func quoted(_ name: String) -> String {
        name.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }
}
