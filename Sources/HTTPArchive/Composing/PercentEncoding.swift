/// Percent-encoding (RFC 3986, section 2.1, https://www.rfc-editor.org/rfc/rfc3986#section-2.1).
package enum PercentEncoding {
    /// The text that percent-encoded bytes stand for.
    ///
    /// - Parameter text: Any text; percent signs without two digits after them stay.
    /// - Returns: The text, repaired where the bytes are not UTF-8.
    /// - Complexity: O(*n*) in the length of the text.
    package static func removed(from text: Substring.UTF8View) -> String {
        String(decoding: bytes(of: text), as: UTF8.self)
    }

    /// The text that percent-encoded bytes stand for, where it is one.
    ///
    /// - Parameter text: Any text; percent signs without two digits after them stay.
    /// - Returns: The text; `nil` where the bytes are not UTF-8.
    /// - Complexity: O(*n*) in the length of the text.
    package static func validRemoved(from text: Substring.UTF8View) -> String? {
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
        guard digits.count == 2, let high = digits.first.flatMap(digit), let low = digits.last.flatMap(digit) else {
            return nil
        }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
