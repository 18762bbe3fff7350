/// A media type with its parameters (RFC 9110, section 8.3.1, https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1).
public struct MediaType: Hashable, Sendable {
    /// The type and subtype in lowercase, such as `text/html`.
    public let essence: String

    /// The values of the parameters, by lowercase name.
    public let parameters: [String: String]

    /// Parses the value of a header field, such as `Content-Type`.
    ///
    /// Returns `nil` if no slash separates a type and a subtype, as in `x-unknown`. Parameters without an equals sign
    /// are ignored.
    ///
    /// - Parameter text: The value, such as `text/html; charset=utf-8`.
    public init?(_ text: String) {
        let field = FieldParameters(text)
        let essence = field.value.lowercased()
        guard essence.utf8.contains(UInt8(ascii: "/")) else { return nil }
        self.essence = essence
        parameters = field.parameters
    }

    /// The `charset` parameter, or `nil` if it is missing or empty.
    public var charset: String? { parameters["charset"].flatMap { $0.isEmpty ? nil : $0 } }
}

extension MediaType {
    /// Whether bodies of the type are text.
    package var isText: Bool {
        essence.hasPrefix("text/") || essence.hasSuffix("/xml") || essence.hasSuffix("+xml")
            || ["json", "javascript", "form-urlencoded", "graphql"].contains { essence.contains($0) }
    }

    /// Whether bodies of the type are images, sound, video or fonts in a binary format.
    var isMedia: Bool { !isText && ["image/", "audio/", "video/", "font/"].contains { essence.hasPrefix($0) } }
}

/// A field value with parameters, as in `Content-Type` and `Content-Disposition` (RFC 9110, section 5.6.6,
/// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.6).
package struct FieldParameters: Hashable, Sendable {
    /// The text before the first semicolon, without surrounding whitespace.
    package let value: String

    /// The unquoted values of the parameters, by lowercase name.
    ///
    /// If a name is repeated, its first value is used.
    package let parameters: [String: String]

    /// Parses the value of a header field.
    ///
    /// Any string is accepted, and parameters without an equals sign are ignored.
    ///
    /// - Parameter text: The value, such as `form-data; name="a;\"b"`.
    /// - Complexity: O(*n*), where *n* is the length of the string.
    package init(_ text: String) {
        let parts = Self.split(text)
        value = parts.first?.trimmed ?? ""
        parameters = Dictionary(
            parts.dropFirst().compactMap { part in
                guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                let name = part[..<equals].trimmed.lowercased()
                return (name, Self.unquoted(part[part.utf8.index(after: equals)...].trimmed))
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// Splits the text at semicolons outside quoted strings.
    private static func split(_ text: String) -> [Substring] {
        if text.withUTF8Bytes({ $0.firstOffset(of: UInt8(ascii: ";")) }) == nil { return [text[...]] }
        var parts: [Substring] = []
        var isQuoted = false
        var isEscaped = false
        var start = text.startIndex
        for index in text.utf8.indices {
            switch text.utf8[index] {
            case UInt8(ascii: ";") where !isQuoted:
                parts.append(text[start..<index])
                start = text.utf8.index(after: index)
                isEscaped = false
            case UInt8(ascii: "\"") where !isEscaped: isQuoted.toggle()
            case UInt8(ascii: "\\"): isEscaped = isQuoted && !isEscaped
            default: isEscaped = false
            }
        }
        return parts + [text[start...]]
    }

    /// Returns the unescaped content of a quoted string, or any other text unchanged (RFC 9110, section 5.6.4,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.4).
    private static func unquoted(_ value: String) -> String {
        let bytes = value.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return value
        }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in bytes.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                text.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Substring {
    /// The text without leading and trailing whitespace.
    fileprivate var trimmed: String {
        // Most text is ASCII and needs no lookup of Unicode properties.
        if utf8.allSatisfy({ $0 < 0x80 }) { return String(Substring(utf8.withoutBlanks)) }
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
