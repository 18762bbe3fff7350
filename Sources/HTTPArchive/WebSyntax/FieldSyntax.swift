/// The syntax of header fields (RFC 9110, section 5, https://www.rfc-editor.org/rfc/rfc9110#section-5).
package enum FieldSyntax {
    /// Returns whether a string is a token, the syntax of methods and field names.
    ///
    /// The names of HTTP/2 pseudo-header fields, such as `:status`, are not tokens.
    ///
    /// - Parameter text: Any string.
    /// - Returns: Whether the string is non-empty and contains only token characters.
    package static func isToken(_ text: String) -> Bool {
        text.withUTF8Bytes { !$0.isEmpty && ByteSet.token.containsAll(of: $0) }
    }

    /// Returns whether a field value consists of visible ASCII characters and spaces between them.
    ///
    /// Most values do. They have one line and no surrounding whitespace.
    ///
    /// - Parameter value: The value.
    /// - Returns: Whether the value is plain; `true` for an empty value.
    package static func isPlain(_ value: String) -> Bool {
        value.utf8.first != UInt8(ascii: " ") && value.utf8.last != UInt8(ascii: " ")
            && value.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
    }

    /// Returns whether a string can be sent as a field value (RFC 9110, section 5.5,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-5.5).
    package static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    /// Returns whether a string can be sent as the target of a request, because it is not empty and has no spaces or
    /// control characters.
    ///
    /// Clients do not percent-encode all other characters that RFC 3986 excludes.
    package static func isTarget(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// Replaces the characters that a field value cannot contain (CR, LF and NUL) with spaces.
    ///
    /// Each character becomes one space, so the length does not change.
    ///
    /// - Parameter text: Any string.
    /// - Returns: The string on one line.
    package static func singleLine(_ text: String) -> String {
        guard text.utf8.contains(where: isInvalidInValue) else { return text }
        return String(decoding: text.utf8.map { isInvalidInValue($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func isInvalidInValue(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0 }
}

/// A line of a header section (RFC 9112, section 5, https://www.rfc-editor.org/rfc/rfc9112#section-5).
package struct FieldLine: Hashable, Sendable {
    /// The name as written, without surrounding whitespace.
    package let name: Substring

    /// The value, without surrounding whitespace.
    package let value: Substring

    /// Splits a line at its first colon.
    ///
    /// Returns `nil` if the line has no colon.
    ///
    /// - Parameter line: The line, with or without its line break.
    package init?(_ line: Substring) {
        let bytes = line.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        name = Substring(bytes[..<colon].withoutBlanks)
        value = Substring(bytes[bytes.index(after: colon)...].withoutBlanks)
    }
}
