/// One escape in a string (RFC 8259, section 7), a surrogate pair being one.
struct JSONEscape {
    /// The character that the escape stands for, or half of a surrogate pair.
    let unit: UInt32

    /// The number of bytes that it takes in the text.
    let size: Int

    /// Reads an escape.
    ///
    /// - Parameters:
    ///   - text: What stands between the quotes of a string that yajl has accepted.
    ///   - backslash: The place of the escape.
    @inline(__always)
    init(in text: UnsafeRawBufferPointer, at backslash: Int) {
        let letter = text[backslash + 1]
        (unit, size) =
            letter == UInt8(ascii: "u") ? Self.hexadecimal(in: text, at: backslash) : (Self.character(of: letter), 2)
    }

    /// Reads four hexadecimal digits, and those of the second half where they write half of a pair.
    private static func hexadecimal(in text: UnsafeRawBufferPointer, at backslash: Int) -> (unit: UInt32, size: Int) {
        let first = number(in: text, at: backslash + 2)
        let next = backslash + 6
        guard first & 0xFC00 == 0xD800, next + 6 <= text.count, text[next] == UInt8(ascii: "\\"),
            text[next + 1] == UInt8(ascii: "u")
        else { return (first, 6) }
        let second = number(in: text, at: next + 2)
        guard second & 0xFC00 == 0xDC00 else { return (first, 6) }
        return (0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF), 12)
    }

    /// The character that a backslash and one letter stand for: a quotation mark, slash or backslash itself, or one from
    /// U+0008 to U+000D.
    ///
    /// The letters b, f, n, r and t differ in the four bits that choose a digit of the table: there is nothing that a
    /// processor could guess wrong.
    @inline(__always)
    private static func character(of letter: UInt8) -> UInt32 {
        let table: UInt64 = 0x9D0_A000_C080
        let control = UInt32(truncatingIfNeeded: table >> (UInt64(letter & 0x1E) * 2)) & 0xF
        return letter < 0x60 ? UInt32(letter) : control
    }

    /// The number that four hexadecimal digits write.
    private static func number(in text: UnsafeRawBufferPointer, at place: Int) -> UInt32 {
        text[place..<place + 4].reduce(0) { $0 << 4 | UInt32($1 > 0x39 ? ($1 | 0x20) - 0x57 : $1 - 0x30) }
    }
}
