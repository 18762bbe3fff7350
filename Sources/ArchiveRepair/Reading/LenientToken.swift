import HTTPArchive

/// Strings with single quotation marks, raw control characters, or escape sequences that JSON does not have.
enum LenientString {
    /// Returns whether an escape sequence is valid in JSON.
    ///
    /// - Parameters:
    ///   - text: The text that contains the escape sequence.
    ///   - backslash: The offset of its backslash, which is followed by at least one byte.
    /// - Returns: Whether JSON has this escape sequence.
    static func isStrict(_ text: UnsafeRawBufferPointer, at backslash: Int) -> Bool {
        switch text[backslash + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        case UInt8(ascii: "u"): digits(in: text, at: backslash + 2, count: 4) != nil
        default: false
        }
    }

    /// Returns the JSON string for a quoted string.
    ///
    /// - Parameter text: The string with its quotation marks.
    /// - Returns: The string with double quotation marks.
    static func strict(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        let content = text[from: quote(in: text, at: 0)?.size ?? 1]
        let text = content[from: 0, to: content.count - closingQuoteSize(of: content)]
        var result: [UInt8] = [UInt8(ascii: "\"")]
        result.reserveCapacity(text.count + 16)
        var offset = 0
        while offset < text.count {
            let byte = text[offset]
            switch byte {
            case UInt8(ascii: "\\"): offset = appendEscape(in: text, at: offset, to: &result)
            case 0..<0x20:
                append(scalar: UInt32(byte), to: &result)
                offset += 1
            case UInt8(ascii: "\""):
                result += [UInt8(ascii: "\\"), byte]
                offset += 1
            default:
                result.append(byte)
                offset += 1
            }
        }
        result.append(UInt8(ascii: "\""))
        return result
    }

    /// Returns the JSON string for an expression that joins quoted strings, such as `'a' + 'b'` or `('a' 'b')`.
    static func joined(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = [UInt8(ascii: "\"")]
        var start = 0
        while start < text.count {
            let quote = text[start]
            guard isQuote(quote) else {
                start += 1
                continue
            }
            var end = start + 1
            while end < text.count, text[end] != quote { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
            result += strict(text[from: start, to: min(end + 1, text.count)]).dropFirst().dropLast()
            start = end + 1
        }
        return result + [UInt8(ascii: "\"")]
    }

    /// Returns whether a byte begins and ends a string in JSON, JavaScript or Python.
    static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
    }

    /// Appends the strict form of an escape sequence, and returns the offset after it.
    ///
    /// Escape sequences of JavaScript and Python are converted. A backslash before any other character is kept as a
    /// backslash, so that no text is lost.
    private static func appendEscape(
        in text: UnsafeRawBufferPointer, at backslash: Int, to result: inout [UInt8]
    ) -> Int {
        let end = text.count
        let next = backslash + 1
        guard next < end else {
            result += Array("\\\\".utf8)
            return next
        }
        if isStrict(text, at: backslash) {
            result += [UInt8(ascii: "\\"), text[next]]
            return next + 1
        }
        if let (value, after) = codePoint(in: text, at: next) {
            append(scalar: value, to: &result)
            return after
        }
        switch text[next] {
        case UInt8(ascii: "'"), UInt8(ascii: "`"): result.append(text[next])
        case UInt8(ascii: "\n"): break
        case UInt8(ascii: "\r"): return next + 1 < end && text[next + 1] == UInt8(ascii: "\n") ? next + 2 : next + 1
        default:
            result += Array("\\\\".utf8)
            return next
        }
        return next + 1
    }

    /// Returns the code point of an escape sequence that only other languages have, and the offset after it.
    private static func codePoint(in text: UnsafeRawBufferPointer, at letter: Int) -> (UInt32, Int)? {
        let next = letter + 1
        switch text[letter] {
        case UInt8(ascii: "v"): return (0x0B, next)
        case UInt8(ascii: "0"): return next < text.count && JSONText.isDigit(text[next]) ? nil : (0, next)
        case UInt8(ascii: "x"): return digits(in: text, at: next, count: 2).map { ($0, next + 2) }
        case UInt8(ascii: "u"): return braced(in: text, at: next)
        case UInt8(ascii: "U"):
            guard let value = digits(in: text, at: next, count: 8), Unicode.Scalar(value) != nil else { return nil }
            return (value, next + 8)
        default: return nil
        }
    }

    private static func append(scalar value: UInt32, to result: inout [UInt8]) {
        switch value {
        case 0x09: result += Array("\\t".utf8)
        case 0x0A: result += Array("\\n".utf8)
        case 0x0D: result += Array("\\r".utf8)
        case 0..<0x20: result += Array("\\u".utf8) + JSONText.hexadecimal(UInt16(value))
        case UInt32(UInt8(ascii: "\"")), UInt32(UInt8(ascii: "\\")):
            result += [UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: value)]
        default: result += UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
        }
    }

    /// Returns the value of hexadecimal digits, or nil if there are fewer digits.
    private static func digits(in text: UnsafeRawBufferPointer, at start: Int, count: Int) -> UInt32? {
        guard start + count <= text.count else { return nil }
        var value: UInt32 = 0
        for byte in text[start..<start + count] {
            guard let digit = byte.hexadecimalDigit else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// Returns the code point between braces, as in `\u{1F600}`, and the offset after the closing brace.
    private static func braced(in text: UnsafeRawBufferPointer, at start: Int) -> (UInt32, Int)? {
        guard start < text.count, text[start] == UInt8(ascii: "{") else { return nil }
        for count in 1...6 where start + 1 + count < text.count && text[start + 1 + count] == UInt8(ascii: "}") {
            guard let value = digits(in: text, at: start + 1, count: count), Unicode.Scalar(value) != nil else {
                return nil
            }
            return (value, start + count + 2)
        }
        return nil
    }
}

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

/// Numbers with a notation that JSON does not have: `+1`, `.5`, `5.`, `007`, `0x1F`, `10n`.
enum LenientNumber {
    /// Returns the JSON number, or nil if the text is not a number in any of these notations.
    static func strict(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = text.dropFirst(isNegative || text.first == UInt8(ascii: "+") ? 1 : 0)
        if digits.count > 2, digits.first == UInt8(ascii: "0"), digits.dropFirst().first.map({ $0 | 0x20 }) == 0x78 {
            let number = UInt64(String(decoding: digits.dropFirst(2), as: UTF8.self), radix: 16)
            return number.map { Array((isNegative ? "-\($0)" : "\($0)").utf8) }
        }
        let hasSuffix = text.last.map { $0 | 0x20 == UInt8(ascii: "n") || $0 | 0x20 == UInt8(ascii: "l") } ?? false
        return JSONNumber(decimal: Array(text.dropLast(hasSuffix ? 1 : 0))[...]).map { Array($0.text.utf8) }
    }
}

/// Words that other languages write instead of `true`, `false` and `null`.
struct LenientWord {
    let strict: [UInt8]

    /// Whether the word is a number that JSON cannot represent.
    let isNonFinite: Bool

    /// Creates the word, or returns nil if the text is not a known word.
    init?(_ text: UnsafeRawBufferPointer) {
        guard text.count <= 9 else { return nil }
        let word = String(decoding: text, as: UTF8.self).lowercased()
        isNonFinite = ["nan", "infinity", "inf"].contains(word)
        switch word {
        case "true", "false", "null": strict = Array(word.utf8)
        case "none", "nil", "undefined", "nan", "infinity", "inf": strict = Array("null".utf8)
        default: return nil
        }
    }
}
