/// A secret that was found by its form.
struct FoundToken {
    /// What it is.
    var kind: SecretKind

    /// Where it stands.
    var range: Range<Int>
}

/// Finds secrets by their form in one pass: tokens that begin with what their maker gives them, keys and card numbers.
enum TokenSearch {
    /// The tokens of a text, in order.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    static func tokens(in text: UnsafeRawBufferPointer) -> [FoundToken] {
        guard text.count >= least else { return [] }
        let isStart = isStart
        var found: [FoundToken] = []
        var place = 0
        var isInWord = false
        // Made when the beginning of a token is found, as it is in few texts.
        var noneBefore: [Int] = []
        while place < text.count {
            let byte = text[place]
            if !isInWord, isStart[Int(byte)] {
                let before = place > 0 ? text[place - 1] : 0x20
                if let token = token(in: text, at: place, before: before, &noneBefore) {
                    found.append(token)
                    place = token.range.upperBound
                    isInWord = false
                    continue
                }
                if byte.isDigit {
                    // The digits of a number that is none are not looked at again.
                    while place < text.count, text[place].isDigit { place += 1 }
                    isInWord = place < text.count && text[place].isPartOfWord
                    continue
                }
            }
            isInWord = byte.isPartOfWord
            place += 1
        }
        return found
    }

    /// The length of the shortest of them, a card's number.
    private static let least = 14

    /// The bytes that a token may begin with.
    private static let isStart: [Bool] = (0...255).map {
        "-0123456789".utf8.contains($0) || !TokenForm.byStart[Int($0)].isEmpty
    }

    private static func token(
        in text: UnsafeRawBufferPointer, at place: Int, before: UInt8, _ noneBefore: inout [Int]
    ) -> FoundToken? {
        let byte = text[place]
        if byte == UInt8(ascii: "-") {
            return PrivateKey.end(in: text, from: place).map { FoundToken(kind: .privateKey, range: place..<$0) }
        }
        for form in TokenForm.byStart[Int(byte)] where form.begins(at: place, in: text) {
            if noneBefore.isEmpty { noneBefore = [Int](repeating: 0, count: TokenForm.count) }
            if let range = form.range(in: text, at: place, noneBefore: &noneBefore[form.number]) {
                return FoundToken(kind: form.kind, range: range)
            }
        }
        if byte.isDigit, !".-/\\%".utf8.contains(before), let end = CardNumber.end(in: text, from: place) {
            return FoundToken(kind: .cardNumber, range: place..<end)
        }
        return nil
    }
}

/// A private key in PEM (RFC 7468, https://www.rfc-editor.org/rfc/rfc7468), with line breaks of any kind.
enum PrivateKey {
    private static let begin = Array("-----BEGIN ".utf8)
    private static let kind = Array("PRIVATE KEY".utf8)
    private static let end = Array("-----END ".utf8)

    /// The place after the key that begins at a place; one that is cut off ends with the text.
    static func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard text[from: start].starts(with: begin) else { return nil }
        let label = text[from: start + begin.count, to: min(start + begin.count + 64, text.count)]
        guard let found = label.firstPlace(of: kind) else { return nil }
        let inside = start + begin.count + found + kind.count
        let stop = text[from: inside].firstPlace(of: end).map { inside + $0 + end.count } ?? text.count
        let last = text[from: stop, to: min(stop + 64, text.count)]
        guard stop < text.count, let name = last.firstPlace(of: kind) else { return stop }
        var place = stop + name + kind.count
        // The word BLOCK of OpenPGP, and the hyphens.
        while place < text.count, text[place] == UInt8(ascii: "-") { place += 1 }
        return place
    }
}
