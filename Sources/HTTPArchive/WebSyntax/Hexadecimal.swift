/// Hexadecimal encoding of bytes (RFC 4648, section 8, https://www.rfc-editor.org/rfc/rfc4648#section-8).
package enum Hexadecimal {
    /// Encodes bytes as lowercase text, with two digits for each byte.
    ///
    /// - Parameter bytes: The bytes, such as a hash.
    /// - Returns: The digits.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: digits(bytes), as: UTF8.self)
    }

    /// Encodes bytes as lowercase ASCII digits, two for each byte.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The digits.
    package static func digits(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            digits.append(lowercase(byte >> 4))
            digits.append(lowercase(byte & 0xF))
        }
        return digits
    }

    /// Decodes hexadecimal text.
    ///
    /// - Parameter text: The digits, in uppercase or lowercase.
    /// - Returns: The bytes, or `nil` if the number of digits is odd or the text contains other characters.
    package static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var digits = text.utf8.makeIterator()
        while let first = digits.next() {
            guard let high = first.hexadecimalDigit, let low = digits.next()?.hexadecimalDigit else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Returns the ASCII code of the lowercase digit for a value below 16.
    static func lowercase(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    /// Returns the ASCII code of the uppercase digit for a value below 16.
    static func uppercase(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}

extension UInt8 {
    /// The value of a hexadecimal digit, or `nil` for any other byte.
    @inlinable package var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
