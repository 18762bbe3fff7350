/// A secret that was detected by its format.
struct TokenMatch {
    /// The kind of secret.
    var kind: SecretKind

    /// The range of the secret, in bytes.
    var range: Range<Int>
}

/// Finds tokens with known prefixes, private keys and card numbers in one pass.
enum TokenSearch {
    /// Returns the tokens in a text, in order.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    static func tokens(in text: UnsafeRawBufferPointer) -> [TokenMatch] {
        guard text.count >= least else { return [] }
        let isStart = isStart
        var found: [TokenMatch] = []
        var offset = 0
        var isInWord = false
        // Allocated at the first prefix of a token, because few texts have one.
        var noneBefore: [Int] = []
        while offset < text.count {
            let byte = text[offset]
            if !isInWord, isStart[Int(byte)] {
                let before = offset > 0 ? text[offset - 1] : 0x20
                if let token = token(in: text, at: offset, before: before, &noneBefore) {
                    found.append(token)
                    offset = token.range.upperBound
                    isInWord = false
                    continue
                }
                if byte.isDigit {
                    // Skip the remaining digits of a number that is not a card number.
                    while offset < text.count, text[offset].isDigit { offset += 1 }
                    isInWord = offset < text.count && text[offset].isPartOfWord
                    continue
                }
            }
            isInWord = byte.isPartOfWord
            offset += 1
        }
        return found
    }

    /// The length of the shortest token, a card number.
    private static let least = 14

    /// The bytes with which a token may begin.
    private static let isStart: [Bool] = (0...255).map {
        "-0123456789".utf8.contains($0) || !TokenPattern.byStart[Int($0)].isEmpty
    }

    private static func token(
        in text: UnsafeRawBufferPointer, at offset: Int, before: UInt8, _ noneBefore: inout [Int]
    ) -> TokenMatch? {
        let byte = text[offset]
        if byte == UInt8(ascii: "-") {
            return PrivateKey.end(in: text, from: offset).map { TokenMatch(kind: .privateKey, range: offset..<$0) }
        }
        for form in TokenPattern.byStart[Int(byte)] where form.begins(at: offset, in: text) {
            if noneBefore.isEmpty { noneBefore = [Int](repeating: 0, count: TokenPattern.count) }
            if let range = form.range(in: text, at: offset, noneBefore: &noneBefore[form.number]) {
                return TokenMatch(kind: form.kind, range: range)
            }
        }
        if byte.isDigit, !".-/\\%".utf8.contains(before), let end = CardNumber.end(in: text, from: offset) {
            return TokenMatch(kind: .cardNumber, range: offset..<end)
        }
        return nil
    }
}

/// A private key in PEM (RFC 7468, https://www.rfc-editor.org/rfc/rfc7468), with line breaks of any kind.
enum PrivateKey {
    private static let begin = Array("-----BEGIN ".utf8)
    private static let kind = Array("PRIVATE KEY".utf8)
    private static let end = Array("-----END ".utf8)

    /// Returns the end offset of the key that begins at an offset.
    ///
    /// A truncated key ends with the text.
    static func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard text[from: start].starts(with: begin) else { return nil }
        let label = text[from: start + begin.count, to: min(start + begin.count + 64, text.count)]
        guard let found = label.firstOffset(of: kind) else { return nil }
        let inside = start + begin.count + found + kind.count
        let stop = text[from: inside].firstOffset(of: end).map { inside + $0 + end.count } ?? text.count
        let last = text[from: stop, to: min(stop + 64, text.count)]
        guard stop < text.count, let name = last.firstOffset(of: kind) else { return stop }
        var offset = stop + name + kind.count
        // Skip the hyphens, and the word BLOCK in OpenPGP keys.
        while offset < text.count, text[offset] == UInt8(ascii: "-") { offset += 1 }
        return offset
    }
}
