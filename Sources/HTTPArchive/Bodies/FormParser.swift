package import Foundation

/// Names and values, of a URL or of a form, as an archive has them beside the text.
package enum FormParser {
    /// The media type of a request's body that names none: the session declares it so, and it is compared as a form.
    package static let undeclaredType = "application/x-www-form-urlencoded"

    /// The parameters of a URL in their order, decoded.
    ///
    /// - Parameter url: The URL without its fragment.
    /// - Returns: Names and values; a name without an equals sign has an empty value.
    package static func parameters(ofURL url: Substring) -> [HAR.QueryParameter] {
        items(of: url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()).map {
            HAR.QueryParameter(name: $0.name, value: $0.value)
        }
    }

    /// The fields of a form.
    ///
    /// A file has its name and its media type here; its content stands in the text alone.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - type: What the request says of them.
    /// - Returns: `nil` for a body that is no form.
    package static func fields(of body: Data, type: MediaType?) -> [HAR.Parameter]? {
        switch type?.essence {
        case "application/x-www-form-urlencoded":
            guard let text = String(validating: body, as: UTF8.self) else { return nil }
            return items(of: text.utf8[...]).map { HAR.Parameter(name: $0.name, value: $0.value) }
        case "multipart/form-data":
            return MultipartBody(body, type: type)?.parts.map { part in
                let text = part.fileName == nil ? String(validating: part.content, as: UTF8.self) : nil
                return HAR.Parameter(
                    name: part.name, value: text, fileName: part.fileName, contentType: part.type)
            }
        default: return nil
        }
    }

    /// What stands between ampersands (https://url.spec.whatwg.org/#urlencoded-parsing).
    private static func items(of text: Substring.UTF8View) -> [(name: String, value: String)] {
        text.split(separator: UInt8(ascii: "&")).map { item in
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            return (decoded(name), decoded(item[name.endIndex...].dropFirst()))
        }
    }

    /// The text that an encoded one stands for; where that is no text, it is left as it is.
    private static func decoded(_ text: Substring.UTF8View) -> String {
        let spaced = Substring(text).replacing("+", with: " ")
        return PercentEncoding.decodedUTF8(spaced[...].utf8) ?? String(Substring(text))
    }
}

/// Bodies as text.
package enum RecordedText {
    /// The media type of what names none (RFC 9110, section 8.3, https://www.rfc-editor.org/rfc/rfc9110#section-8.3).
    package static let unknownType = "application/octet-stream"

    /// The texts that a body may be, the likely first: in the charset that it names, else in UTF-8.
    ///
    /// What no tool could tell from a text that was repaired or cut off is none: a body with U+0000, or with U+FFFD. Nor is
    /// one with control characters, unless its media type is one of text.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - type: The media type; `nil` when it is unknown.
    /// - Returns: Texts that are these bytes in their charset.
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

    /// Whether a text has nothing that is a sign of binary data
    /// (https://mimesniff.spec.whatwg.org/#binary-data-byte), nor what stands for lost bytes.
    private static func isSafe(_ text: String, isText: Bool) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var last: UInt32 = 0
            for byte in bytes {
                last = (last << 8 | UInt32(byte)) & 0xFF_FFFF
                switch byte {
                case 0: return false
                case 0x01...0x08, 0x0B, 0x0E...0x1A, 0x1C...0x1F: if !isText { return false }
                default: if last == 0xEF_BFBD { return false }
                }
            }
            return true
        }
    }
}
