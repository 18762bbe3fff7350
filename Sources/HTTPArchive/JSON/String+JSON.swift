extension String {
    /// The text of what stands between the quotes of a string that yajl has accepted.
    ///
    /// The same as the text of a ``JSONString``, without telling whether U+FFFD stands for something else.
    ///
    /// - Parameters:
    ///   - source: The bytes between the quotes.
    ///   - hasEscape: Whether there may be a backslash among them.
    init(source: UnsafeRawBufferPointer, hasEscape: Bool) {
        guard hasEscape else {
            self.init(decoding: source, as: UTF8.self)
            return
        }
        // No escape is shorter than what it stands for.
        self.init(unsafeUninitializedCapacity: source.count) { text in
            Self.unescape(source, into: UnsafeMutableRawBufferPointer(text))
        }
    }

    /// Resolves escapes in one pass, which copies and looks for the next backslash at once.
    ///
    /// Texts of programs and data have an escape every thirty bytes: to search and to copy such short pieces by functions of
    /// the C library takes longer than their bytes do.
    ///
    /// - Returns: The number of bytes written.
    private static func unescape(_ source: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) -> Int {
        var place = 0
        var count = 0
        while place < source.count {
            if place &+ 8 <= source.count {
                let word = source.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                // As many bytes were read as written, or more: there is room for eight.
                text.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
                let backslashes = backslashes(in: UInt64(littleEndian: word))
                let plain = backslashes == 0 ? 8 : backslashes.trailingZeroBitCount / 8
                place &+= plain
                count &+= plain
                if backslashes == 0 { continue }
            } else if source[place] != UInt8(ascii: "\\") {
                text[count] = source[place]
                place &+= 1
                count &+= 1
                continue
            }
            let escape = JSONEscape(in: source, at: place)
            place &+= escape.size
            if escape.unit < 0x80 {
                text[count] = UInt8(truncatingIfNeeded: escape.unit)
                count &+= 1
            } else {
                for byte in UTF8.encode(Unicode.Scalar(escape.unit) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
                    text[count] = byte
                    count += 1
                }
            }
        }
        return count
    }

    /// The highest bits of the bytes that are a backslash; the lowest such byte is right, those above it may not be.
    @inline(__always)
    private static func backslashes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let difference = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        return (difference &- ones) & ~difference & (ones << 7)
    }
}
