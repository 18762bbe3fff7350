/// The syntax of header fields (RFC 9110, section 5, https://www.rfc-editor.org/rfc/rfc9110#section-5).
package enum FieldSyntax {
    /// Whether a text is a token, as methods and field names must be.
    ///
    /// Names such as `:status`, a pseudo-header field in HTTP/2, are not tokens.
    ///
    /// - Parameter text: Any text.
    /// - Returns: Whether the text is not empty and all of its characters are allowed.
    package static func isToken(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { !$0.isEmpty && ByteSet.token.containsAll(of: UnsafeRawBufferPointer($0)) }
    }

    /// Returns a text with the characters that a field value cannot contain (CR, LF and NUL) replaced with spaces.
    ///
    /// Each character is replaced with one space, so the length stays the same.
    ///
    /// - Parameter text: Any text.
    /// - Returns: The text on one line.
    package static func singleLine(_ text: String) -> String {
        guard text.utf8.contains(where: isInvalidInValue) else { return text }
        return String(decoding: text.utf8.map { isInvalidInValue($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func isInvalidInValue(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0 }
}
