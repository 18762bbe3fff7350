/// Finds the bounds of values in JSON text, which may be truncated or invalid.
enum JSONTextBounds {
    /// Returns the end offset of the string that begins with the quotation mark at an offset.
    @inline(__always)
    static func stringEnd(in text: UnsafeRawBufferPointer, from quote: Int) -> (end: Int, hasEscape: Bool) {
        let mark = text[quote]
        var offset = quote + 1
        var hasEscape = false
        while offset < text.count {
            switch text[offset] {
            case mark: return (offset + 1, hasEscape)
            case UInt8(ascii: "\\"):
                hasEscape = true
                offset += 2
            default: offset += 1
            }
        }
        return (text.count, hasEscape)
    }

    /// Returns the end offset of the string literal that begins with the quotation mark at an offset.
    ///
    /// A doubled quotation mark, as in SQL and CSV, does not end the literal.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - quote: The offset of the quotation mark.
    ///   - hasEscapes: Whether a backslash escapes a quotation mark; `true` by default.
    /// - Returns: The end offset, and whether the literal contains a backslash.
    static func literalEnd(
        in text: UnsafeRawBufferPointer, from quote: Int, hasEscapes: Bool = true
    ) -> (end: Int, hasEscape: Bool) {
        var hasEscape = false
        var end = quote
        repeat {
            if hasEscapes {
                let part = stringEnd(in: text, from: end)
                (end, hasEscape) = (part.end, hasEscape || part.hasEscape)
            } else {
                end = text[from: end + 1].firstOffset(of: text[quote]).map { end + $0 + 2 } ?? text.count
            }
        } while end < text.count && text[end] == text[quote]
        return (end, hasEscape)
    }

    /// Returns the end offset of a number or a word.
    @inline(__always)
    static func wordEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start + 1
        let endsOfWords = endsOfWords
        while offset < text.count, !endsOfWords.contains(text[offset]) { offset += 1 }
        return offset
    }

    private static let endsOfWords = ByteSet("\t\n\u{B}\u{C}\r \"{}[],:")

    /// Returns the end offset of the array or object that begins at an offset.
    static func containerEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start
        var depth = 0
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\""):
                offset = stringEnd(in: text, from: offset).end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return offset + 1 }
            default: break
            }
            offset += 1
        }
        return text.count
    }

    /// Returns the offset of the first byte that is not whitespace.
    static func skipBlanks(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start
        while offset < text.count, text[offset].isBlank { offset += 1 }
        return offset
    }
}
