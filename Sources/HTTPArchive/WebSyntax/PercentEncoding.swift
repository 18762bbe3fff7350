/// Percent-encoding (RFC 3986, section 2.1, https://www.rfc-editor.org/rfc/rfc3986#section-2.1).
package enum PercentEncoding {
    /// Decodes a percent-encoded text.
    ///
    /// - Parameter text: Any text; percent signs without two hexadecimal digits after them are unchanged.
    /// - Returns: The decoded text, with U+FFFD for bytes that are not UTF-8.
    /// - Complexity: O(*n*) in the length of the text.
    package static func decoded(_ text: Substring.UTF8View) -> String {
        String(decoding: bytes(of: text), as: UTF8.self)
    }

    /// Decodes a percent-encoded text if the result is valid UTF-8.
    ///
    /// - Parameter text: Any text; percent signs without two hexadecimal digits after them are unchanged.
    /// - Returns: The decoded text; `nil` if the bytes are not UTF-8.
    /// - Complexity: O(*n*) in the length of the text.
    package static func decodedUTF8(_ text: Substring.UTF8View) -> String? {
        String(validating: bytes(of: text), as: UTF8.self)
    }

    private static func bytes(of text: Substring.UTF8View) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = value(of: rest.prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func value(of digits: Substring.UTF8View) -> UInt8? {
        guard digits.count == 2, let high = digits.first?.hexadecimalDigit, let low = digits.last?.hexadecimalDigit
        else { return nil }
        return high << 4 | low
    }
}
