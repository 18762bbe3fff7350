/// A secret that was detected by its format.
struct TokenMatch {
    /// The kind of secret.
    var kind: SecretKind

    /// The range of the secret, in bytes.
    var range: Range<Int>
}

/// Finds tokens with known prefixes, private keys and card numbers.
///
/// Create a separate search for each string, and search the string from start to end.
struct TokenSearch {
    /// The offset before which no token begins, for each format.
    ///
    /// The array is allocated when the first prefix is found, because most text has no prefix.
    private var noneBefore: [Int] = []

    /// The prefixes of all formats.
    ///
    /// A constant property is read faster than a static one.
    private let byStart = TokenPattern.byStart

    /// Whether a token may begin with a pair of bytes, indexed by both bytes.
    static let isStart: [Bool] = {
        var isStart = [Bool](repeating: false, count: 1 << 16)
        isStart[pair(UInt8(ascii: "-"), UInt8(ascii: "-"))] = true
        for first in UInt8(ascii: "0")...UInt8(ascii: "9") {
            for second in UInt8(ascii: "0")...UInt8(ascii: "9") { isStart[pair(first, second)] = true }
        }
        for start in TokenPattern.starts { isStart[pair(start.0, start.1)] = true }
        return isStart
    }()

    /// The characters that, directly before digits, indicate a longer number or a path.
    private static let precedesFraction = ByteSet(".-/\\%")

    private static func pair(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }

    /// Returns the index in ``isStart`` of the two bytes at an offset.
    @inline(__always)
    static func pair(in text: UnsafeRawBufferPointer, at offset: Int) -> Int {
        offset &+ 1 < text.count ? pair(text[offset], text[offset &+ 1]) : 0
    }

    /// Returns the tokens in the text, in order.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the text.
    static func tokens(in text: UnsafeRawBufferPointer) -> [TokenMatch] {
        var search = TokenSearch()
        var found: [TokenMatch] = []
        var offset = 0
        while offset < text.count {
            let isInWord = offset > 0 && text[offset - 1].isPartOfWord && text[offset].isPartOfWord
            if !isInWord, isStart[pair(in: text, at: offset)], let token = search.token(in: text, at: offset) {
                found.append(token)
                offset = token.range.upperBound
            } else {
                offset += 1
            }
        }
        return found
    }

    /// Returns the token at an offset.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - offset: The offset of two bytes for which ``isStart`` is true. It must not be inside a word.
    /// - Returns: The token, or nil if no token begins there.
    mutating func token(in text: UnsafeRawBufferPointer, at offset: Int) -> TokenMatch? {
        let byte = text[offset]
        if byte == UInt8(ascii: "-") {
            return PrivateKey.end(in: text, from: offset).map { TokenMatch(kind: .privateKey, range: offset..<$0) }
        }
        let bytes = TokenPattern.Start.bytes(in: text, at: offset)
        let indices = byStart.offsets[Int(byte)]..<byStart.offsets[Int(byte) + 1]
        for index in indices where byStart.starts[index].matches(bytes) {
            let start = byStart.starts[index]
            let form = TokenPattern.all[start.number]
            guard form.begins(at: offset, in: text) else { continue }
            if noneBefore.isEmpty { noneBefore = [Int](repeating: 0, count: TokenPattern.count) }
            if let range = form.range(in: text, at: offset, noneBefore: &noneBefore[start.number]) {
                return TokenMatch(kind: form.kind, range: range)
            }
        }
        guard byte.isDigit else { return nil }
        let before = offset > 0 ? text[offset - 1] : 0x20
        if !Self.precedesFraction.contains(before), let end = CardNumber.end(in: text, from: offset) {
            return TokenMatch(kind: .cardNumber, range: offset..<end)
        }
        return nil
    }
}

/// A private key in PEM format (RFC 7468, https://www.rfc-editor.org/rfc/rfc7468), with line breaks of any kind.
enum PrivateKey {
    private static let begin = Array("-----BEGIN ".utf8)
    private static let kind = Array("PRIVATE KEY".utf8)
    private static let end = Array("-----END ".utf8)

    /// Returns the end offset of the key that begins at an offset.
    ///
    /// A truncated key extends to the end of the text.
    static func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard text[from: start].starts(with: begin) else { return nil }
        let label = text[from: start + begin.count, to: min(start + begin.count + 64, text.count)]
        guard let found = label.firstOffset(of: kind) else { return nil }
        let inside = start + begin.count + found + kind.count
        let stop = text[from: inside].firstOffset(of: end).map { inside + $0 + end.count } ?? text.count
        let last = text[from: stop, to: min(stop + 64, text.count)]
        guard stop < text.count, let name = last.firstOffset(of: kind) else { return stop }
        var offset = stop + name + kind.count
        // Skip the hyphens after the label.
        while offset < text.count, text[offset] == UInt8(ascii: "-") { offset += 1 }
        return offset
    }
}
