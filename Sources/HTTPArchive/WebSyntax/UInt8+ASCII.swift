package import Foundation

extension UInt8 {
    /// Whether the byte is an ASCII letter, a digit or an underscore.
    @inline(__always)
    var isPartOfWord: Bool {
        (self | 0x20) &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10 || self == UInt8(ascii: "_")
    }

    /// Whether the byte is an ASCII digit.
    @inline(__always)
    package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// Whether the byte is a space, or a control character from tab to carriage return.
    @inline(__always)
    var isBlank: Bool { self == 0x20 || self &- 0x09 < 5 }

    /// The lowercase form of an uppercase ASCII letter, or any other byte unchanged.
    @inline(__always)
    package var lowercase: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }

    /// Whether the byte may be part of a URL scheme (RFC 3986, section 3.1).
    var isPartOfScheme: Bool {
        self != UInt8(ascii: "_") && isPartOfWord || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without leading and trailing spaces, tabs and line breaks.
    var withoutBlanks: SubSequence {
        guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else {
            return self[startIndex..<startIndex]
        }
        return self[first...last]
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the bytes with each pair of a byte, such as a quotation mark, replaced by a single one.
    func withoutDoubled(_ byte: UInt8) -> [UInt8] {
        guard firstOffset(of: byte) != nil else { return [UInt8](self) }
        var bytes: [UInt8] = []
        var isSecond = false
        for next in self {
            isSecond = next == byte && !isSecond && bytes.last == byte
            if !isSecond { bytes.append(next) }
        }
        return bytes
    }
}

extension StringProtocol {
    /// Returns the text without leading and trailing characters of a set of whitespace.
    ///
    /// Unlike `trimmingCharacters(in:)`, this method does not convert text that begins and ends with visible ASCII
    /// characters to `NSString`, which takes long.
    ///
    /// - Parameter set: A set of whitespace characters.
    /// - Returns: The text.
    package func trimming(_ set: CharacterSet) -> String {
        guard let first = first?.asciiValue, let last = last?.asciiValue else { return trimmingCharacters(in: set) }
        return 0x21...0x7E ~= first && 0x21...0x7E ~= last ? String(self) : trimmingCharacters(in: set)
    }
}
