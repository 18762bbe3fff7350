import HTTPArchive

/// Typographic quotation marks, which text editors write instead of the quotation marks of JSON.
extension LenientString {
    /// Returns the size of a quotation mark in UTF-8, and whether it is a double one, or nil for other text.
    static func quote(in text: UnsafeRawBufferPointer, at offset: Int) -> (size: Int, isDouble: Bool)? {
        guard offset < text.count else { return nil }
        switch text[offset] {
        case UInt8(ascii: "\""): return (1, true)
        case UInt8(ascii: "'"), UInt8(ascii: "`"): return (1, false)
        default: return typographicQuote(in: text, at: offset)
        }
    }

    /// Returns the size of a quotation mark that is not in ASCII, and whether it is a double one, or nil for other text.
    static func typographicQuote(in text: UnsafeRawBufferPointer, at offset: Int) -> (size: Int, isDouble: Bool)? {
        guard offset + 1 < text.count else { return nil }
        switch (text[offset], text[offset + 1], offset + 2 < text.count ? text[offset + 2] : 0) {
        case (0xC2, 0xAB, _), (0xC2, 0xBB, _): return (2, true)  // « »
        case (0xC2, 0xB4, _): return (2, false)  // ´
        case (0xE2, 0x80, 0x98...0x9B): return (3, false)  // ‘ ’ ‚ ‛
        case (0xE2, 0x80, 0x9C...0x9F): return (3, true)  // “ ” „ ‟
        case (0xE2, 0x80, 0xB2), (0xE2, 0x80, 0xB9), (0xE2, 0x80, 0xBA): return (3, false)  // ′ ‹ ›
        case (0xE2, 0x80, 0xB3): return (3, true)  // ″
        case (0xE3, 0x80, 0x8C...0x8F), (0xE3, 0x80, 0x9D...0x9F): return (3, true)  // 「 」 『 』 〝 〞 〟
        case (0xEF, 0xBC, 0x82): return (3, true)  // ＂
        case (0xEF, 0xBC, 0x87): return (3, false)  // ＇
        default: return nil
        }
    }

    /// Whether a byte can begin a quotation mark that is not in ASCII.
    static func beginsTypographicQuote(_ byte: UInt8) -> Bool {
        byte == 0xC2 || byte == 0xE2 || byte == 0xE3 || byte == 0xEF
    }

    /// Returns the size of the quotation mark that ends a text.
    static func closingQuoteSize(of text: UnsafeRawBufferPointer) -> Int {
        for size in [3, 2] where text.count >= size {
            if typographicQuote(in: text, at: text.count - size)?.size == size { return size }
        }
        return min(1, text.count)
    }
}
