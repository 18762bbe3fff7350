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
