/// Checks and conversions of JSON text that do not require a parser.
package enum JSONText {
    /// Returns the offset of the next token, skipping whitespace, commas and colons.
    ///
    /// - Parameters:
    ///   - bytes: Text that the parser has accepted so far.
    ///   - start: The offset after a token.
    /// - Returns: The offset of the token, or the end of the text.
    @inline(__always)
    static func skipGap(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start
        while offset < bytes.count, isGap(bytes[offset]) { offset &+= 1 }
        return offset
    }

    /// Returns whether a byte separates tokens: whitespace, a comma or a colon.
    package static func isGap(_ byte: UInt8) -> Bool {
        isWhitespace(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
    }

    /// Returns whether a byte is JSON whitespace (RFC 8259, section 2), or a vertical tab or form feed, which the
    /// parsers also accept.
    @inline(__always)
    package static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }

    /// Replaces vertical tabs and form feeds in accepted text with spaces.
    ///
    /// Unlike the JSON grammar, the parsers accept these characters as whitespace. They reject them in strings.
    static func withoutOtherWhitespace(_ text: [UInt8]) -> [UInt8] {
        let isValid = text.withUnsafeBytes { $0.firstOffset(of: 0x0B) == nil && $0.firstOffset(of: 0x0C) == nil }
        return isValid ? text : text.map { $0 == 0x0B || $0 == 0x0C ? UInt8(ascii: " ") : $0 }
    }

    /// Returns whether every backslash begins a valid escape sequence (RFC 8259, section 7).
    ///
    /// - Parameter text: The text between the quotation marks of a string.
    /// - Returns: `true` if all escape sequences are valid, or if the text contains no escape sequences.
    static func hasValidEscapes(_ text: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while let backslash = text[from: offset].firstOffset(of: UInt8(ascii: "\\")) {
            guard let size = escapeSize(in: text, at: offset + backslash) else { return false }
            offset += backslash + size
        }
        return true
    }

    /// Returns the size of an escape sequence, or of half a surrogate pair, in bytes; nil if it is not valid.
    static func escapeSize(in text: UnsafeRawBufferPointer, at backslash: Int) -> Int? {
        let rest = text[from: backslash]
        guard rest.count >= 2, rest[0] == UInt8(ascii: "\\") else { return nil }
        if rest[1] == UInt8(ascii: "u") {
            return rest.dropFirst(2).prefix(4).count(where: isHexadecimal) == 4 ? 6 : nil
        }
        return "\"\\/bfnrt".utf8.contains(rest[1]) ? 2 : nil
    }

    /// Returns whether the text is a JSON number (RFC 8259, section 6).
    package static func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
        numberEnd(from: 0) { $0 < text.count ? text[$0] : nil } == text.count
    }

    /// Returns the end of the longest JSON number that begins at `start`, or nil if none begins there.
    ///
    /// `byte` returns the byte at an offset, or nil at the end of the input.
    @inline(__always)
    static func numberEnd(from start: Int, in byte: (Int) -> UInt8?) -> Int? {
        func digitsEnd(_ start: Int) -> Int {
            var end = start
            while let next = byte(end), isDigit(next) { end += 1 }
            return end
        }
        let whole = byte(start) == UInt8(ascii: "-") ? start + 1 : start
        var end = byte(whole) == UInt8(ascii: "0") ? whole + 1 : digitsEnd(whole)
        guard end > whole else { return nil }
        if byte(end) == UInt8(ascii: ".") {
            let fractionEnd = digitsEnd(end + 1)
            if fractionEnd > end + 1 { end = fractionEnd }
        }
        if let letter = byte(end), letter | 0x20 == UInt8(ascii: "e") {
            let sign = byte(end + 1)
            let exponent = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") ? end + 2 : end + 1
            let exponentEnd = digitsEnd(exponent)
            if exponentEnd > exponent { end = exponentEnd }
        }
        return end
    }

    /// Returns whether a byte is a decimal digit.
    package static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Returns whether a byte is an ASCII letter or digit.
    package static func isLetterOrDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) }

    /// Returns whether a byte is a hexadecimal digit.
    package static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}

extension JSONText {
    /// Returns the same JSON with all non-ASCII characters escaped.
    ///
    /// Bytes that are not valid UTF-8 are unchanged.
    static func inASCII(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(where: { $0 >= 0x80 }) else { return text }
        var ascii: [UInt8] = []
        var rest = text[...]
        while let byte = rest.first {
            var iterator = rest.prefix(4).makeIterator()
            var decoder = UTF8()
            if byte >= 0x80, case .scalarValue(let scalar) = decoder.decode(&iterator) {
                for unit in String(scalar).utf16 { ascii += "\\u".utf8 + hexadecimal(unit) }
                rest.removeFirst(UTF8.width(scalar))
            } else {
                ascii.append(byte)
                rest.removeFirst()
            }
        }
        return ascii
    }

    /// Returns the four hexadecimal digits of a UTF-16 code unit.
    package static func hexadecimal(_ unit: UInt16) -> [UInt8] {
        Hexadecimal.digits([UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)])
    }
}

/// An escape sequence in a string (RFC 8259, section 7).
///
/// A surrogate pair counts as one escape sequence.
struct JSONEscape {
    /// The character that the escape sequence represents, or a lone surrogate.
    let unit: UInt32

    /// The size of the escape sequence in the text, in bytes.
    let size: Int

    /// Reads an escape sequence.
    ///
    /// - Parameters:
    ///   - text: The text between the quotation marks of a string that the parser has accepted.
    ///   - backslash: The offset of the escape sequence.
    @inline(__always)
    init(in text: UnsafeRawBufferPointer, at backslash: Int) {
        let letter = text[backslash + 1]
        (unit, size) =
            letter == UInt8(ascii: "u") ? Self.hexadecimal(in: text, at: backslash) : (Self.character(of: letter), 2)
    }

    /// Reads four hexadecimal digits, and the next escape sequence if the two form a surrogate pair.
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

    /// Returns the character that a letter after a backslash represents: a quotation mark, slash or backslash, or a
    /// control character from U+0008 to U+000D.
    ///
    /// The letters b, f, n, r and t differ in the four bits that select a digit of the table. A table lookup avoids
    /// branches that could be mispredicted.
    @inline(__always)
    private static func character(of letter: UInt8) -> UInt32 {
        let table: UInt64 = 0x9D0_A000_C080
        let control = UInt32(truncatingIfNeeded: table >> (UInt64(letter & 0x1E) * 2)) & 0xF
        return letter < 0x60 ? UInt32(letter) : control
    }

    /// Returns the value of four hexadecimal digits.
    private static func number(in text: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
        text[offset..<offset + 4].reduce(0) { $0 << 4 | UInt32($1 > 0x39 ? ($1 | 0x20) - 0x57 : $1 - 0x30) }
    }
}

extension Unicode.Scalar {
    /// Whether the character could control a terminal because it is unprintable.
    ///
    /// Line feeds and tabs are excluded.
    package var controlsTerminal: Bool { isUnprintable && self != "\n" && self != "\t" }

    /// Whether the character moves the cursor, ends the line or changes the direction of the text.
    package var isUnprintable: Bool {
        // Looking up the category takes long, so that frequent characters are distinguished by their numbers.
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0xAD: return true
        case 0..<0x600, 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20C0, 0x3041...0xD7A3: return false
        default: break
        }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension String {
    /// The JSON text with terminal control characters escaped.
    ///
    /// In valid JSON, such characters occur only in strings.
    package var escapingControls: String {
        if !unicodeScalars.contains(where: \.controlsTerminal) { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.controlsTerminal {
                for unit in String(scalar).utf16 {
                    text += "\\u" + String(decoding: JSONText.hexadecimal(unit), as: UTF8.self)
                }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
