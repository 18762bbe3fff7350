extension UInt8 {
    /// Whether the byte is an ASCII letter, a digit or an underscore.
    var isPartOfWord: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether the byte is an ASCII digit.
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// Whether the byte is a space, or a control character from tab to carriage return.
    var isBlank: Bool { self == 0x20 || 0x09...0x0D ~= self }

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
