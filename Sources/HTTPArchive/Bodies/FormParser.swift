package import Foundation

/// Parses the names and values in URLs and forms.
package enum FormParser {
    /// The media type of a request body whose type is not declared.
    ///
    /// `URLSession` sends this type by default. Bodies of this type are compared as forms.
    package static let undeclaredType = "application/x-www-form-urlencoded"

    /// Returns the decoded query parameters of a URL, in order.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The names and values. A name without an equals sign has an empty value.
    package static func parameters(of url: LiteralURL) -> [HAR.QueryParameter] {
        FormEncoding.items(of: url.query.dropFirst(), invalidText: .unchanged).map {
            HAR.QueryParameter(name: $0.name, value: $0.value)
        }
    }

    /// Parses the fields of a form.
    ///
    /// For a file, only the name and the media type are returned, not the content.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - type: The media type of the request.
    /// - Returns: The fields, or `nil` if the body is not a form.
    package static func fields(of body: Data, type: MediaType?) -> [HAR.Parameter]? {
        switch type?.essence {
        case "application/x-www-form-urlencoded":
            guard let text = String(validating: body, as: UTF8.self) else { return nil }
            return FormEncoding.items(of: text[...], invalidText: .unchanged).map {
                HAR.Parameter(name: $0.name, value: $0.value)
            }
        case "multipart/form-data":
            return MultipartBody(body, type: type)?.parts.map { part in
                let text = part.fileName == nil ? String(validating: part.content, as: UTF8.self) : nil
                return HAR.Parameter(
                    name: part.name, value: text, fileName: part.fileName, contentType: part.type)
            }
        default: return nil
        }
    }
}

/// Decodes bodies that can be recorded as text.
package enum RecordedText {
    /// The media type of a body whose type is not declared (RFC 9110, section 8.3,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-8.3).
    package static let unknownType = "application/octet-stream"

    /// Returns the possible texts of a body, most likely first: decoded with the charset of the media type, and decoded
    /// as UTF-8.
    ///
    /// A body that contains U+0000 or U+FFFD is never treated as text, because its text could not be distinguished from
    /// repaired or truncated text. A body that contains other binary control characters is treated as text only if its
    /// media type is a text type.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - type: The media type, or `nil` if it is unknown.
    /// - Returns: The texts. Encoding a text with its charset restores the bytes.
    package static func candidates(for body: Data, type: MediaType?) -> some Sequence<String> {
        let declared = type?.charset.flatMap(Charset.init(label:)) ?? .utf8
        let charsets = declared == .utf8 ? [.utf8] : [declared, .utf8]
        return charsets.lazy.compactMap { text(of: body, in: $0, isText: isText(type)) }
    }

    private static func text(of body: Data, in charset: Charset, isText: Bool) -> String? {
        if charset == .utf8 {
            guard let text = String(validating: body, as: UTF8.self), isSafe(text, isText: isText) else { return nil }
            return text
        }
        let text = charset.decode(body)
        return isSafe(text, isText: isText) && charset.encodeExactly(text) == body ? text : nil
    }

    private static func isText(_ type: MediaType?) -> Bool {
        guard let type = type?.essence else { return false }
        return type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml") || textTypes.contains(type)
    }

    private static let textTypes: Set = [
        "application/json", "application/xml", "application/javascript", "application/ecmascript",
        "application/x-javascript", "application/x-www-form-urlencoded", "application/graphql", "application/x-ndjson",
        "application/jsonl", "application/yaml", "multipart/form-data",
    ]

    /// Returns whether text contains no binary data bytes (https://mimesniff.spec.whatwg.org/#binary-data-byte) and no
    /// replacement characters.
    private static func isSafe(_ text: String, isText: Bool) -> Bool {
        text.withUTF8Bytes { bytes in
            var offset = 0
            while offset < bytes.count {
                // Most words of text contain none of these bytes.
                if offset &+ 8 <= bytes.count {
                    let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                    let found = word.bytes(below: 0x20) | word.bytes(equalTo: 0xEF)
                    offset &+= found.trailingZeroBitCount / 8
                    if found == 0 { continue }
                }
                switch bytes[offset] {
                case 0: return false
                case 0x01...0x08, 0x0B, 0x0E...0x1A, 0x1C...0x1F: if !isText { return false }
                case 0xEF: if bytes[offset + 1] == 0xBF, bytes[offset + 2] == 0xBD { return false }
                default: break
                }
                offset &+= 1
            }
            return true
        }
    }
}
