/// The replacement for a secret.
///
/// A placeholder is `REDACTED-` followed by 16 hexadecimal digits of the secret's HMAC-SHA256 (RFC 2104,
/// https://www.rfc-editor.org/rfc/rfc2104). The same secret and key always result in the same placeholder. Without the
/// key, the secret cannot be recovered by testing candidates.
enum Placeholder {
    /// The bare word, for use without a key.
    static let word = Array("REDACTED".utf8)

    private static let digitCount = 16

    /// Returns the placeholder for a secret.
    ///
    /// - Parameters:
    ///   - secret: The secret, unescaped.
    ///   - key: The key, or nil for the bare word.
    /// - Returns: The placeholder.
    static func of(_ secret: [UInt8], key: AuthenticationKey?) -> [UInt8] {
        guard let key else { return word }
        let code = key.code(for: secret)
        return word + [UInt8(ascii: "-")] + Hexadecimal.digits(code.prefix(digitCount / 2))
    }

    /// Whether the entire text is a placeholder or the bare word.
    static func isPlaceholder(_ text: [UInt8]) -> Bool {
        text.first == word.first && text.withUnsafeBytes { $0.starts(with: word) && end(in: $0, at: 0) == $0.count }
    }

    /// Returns the end offset of the placeholder or bare word that begins at an offset.
    static func end(in text: UnsafeRawBufferPointer, at start: Int) -> Int {
        let plain = start + word.count
        guard plain < text.count, text[plain] == UInt8(ascii: "-") else { return plain }
        let digits = text[(plain + 1)...].prefix(digitCount)
        return digits.count == digitCount && digits.allSatisfy(isDigit) ? plain + 1 + digitCount : plain
    }

    /// Returns the ranges of placeholders and bare words.
    static func ranges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while let found = text[from: start].firstOffset(of: word) {
            let end = end(in: text, at: start + found)
            ranges.append(start + found..<end)
            start = end
        }
        return ranges
    }

    /// Returns the ranges of placeholders without bare words.
    static func keyedRanges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        ranges(in: text).filter { $0.count > word.count }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte.isDigit || 0x61...0x66 ~= byte }
}
