/// What can be told about a text in Base64 without decoding it (RFC 4648, section 4).
struct Base64Text {
    private var digitCount = 0
    private var paddingCount = 0
    private var hasLooseDigits = false
    private var hasForeignCharacters = false

    /// Takes the next character.
    mutating func take(_ character: UInt8) {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            digitCount += 1
            if paddingCount > 0 { hasForeignCharacters = true }
        case UInt8(ascii: "-"), UInt8(ascii: "_"):
            digitCount += 1
            hasLooseDigits = true
        case UInt8(ascii: "="): paddingCount += 1
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: " "): hasLooseDigits = true
        default: hasForeignCharacters = true
        }
    }

    /// Whether the text cannot be decoded whole.
    var isMalformed: Bool { hasForeignCharacters || digitCount % 4 == 1 }

    /// Whether the text can be decoded, but is not as the standard says.
    var isLoose: Bool { hasLooseDigits || (digitCount + paddingCount) % 4 != 0 || paddingCount > 2 }

    /// The number of bytes that the text stands for.
    var byteCount: Int { digitCount * 3 / 4 }
}
