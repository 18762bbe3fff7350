/// The words in a name, in lowercase.
struct NameWords {
    /// The maximum length of a name, in bytes.
    static let longestName = 256

    /// The maximum number of words; longer text is a sentence.
    private static let mostWords = 12

    /// The maximum number of spaces between words.
    private static let mostSpaces = 3

    /// The maximum length of a compound, in bytes.
    private static let longestCompound = 40

    /// The letters and digits of the name.
    private var letters: [UInt8] = []

    /// The offsets at which words begin, in order, followed by the end offset.
    private var bounds: [Int] = []

    /// The offset of the last part of a path, such as `code` in `data[code]`, `config.code` and `data-code`.
    private var lastPart = 0

    /// Splits a name at separators, capital letters and digits; returns nil for a sentence or text that is too long.
    init?(_ name: UnsafeRawBufferPointer) {
        guard name.count <= Self.longestName else { return nil }
        var kind = Kind.separator
        var spaces = 0
        for (offset, byte) in name.enumerated() {
            let next = Kind(byte)
            defer { kind = next }
            guard next != .separator else {
                if byte == 0x20, kind != .separator { spaces += 1 }
                if ".[:/".utf8.contains(byte) || letters == Self.data || letters == Self.x { lastPart = letters.count }
                continue
            }
            // The last of several capital letters begins a word if a lowercase letter follows, as in `XSRFToken`.
            let endsCapitals =
                kind == .upper && next == .upper && offset + 1 < name.count && Kind(name[offset + 1]) == .lower
            if kind != next && !(kind == .upper && next == .lower) || endsCapitals { bounds.append(letters.count) }
            letters.append(next == .upper ? byte | 0x20 : byte)
        }
        if lastPart >= letters.count { lastPart = 0 }
        guard !letters.isEmpty, bounds.count <= Self.mostWords, spaces <= Self.mostSpaces else { return nil }
        bounds.append(letters.count)
        bounds = zip(bounds, bounds.dropFirst()).flatMap { splitCompound($0..<$1) } + [letters.count]
    }

    private static let data = Array("data".utf8)
    private static let x = Array("x".utf8)

    private enum Kind {
        case lower, upper, digit, separator

        init(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): self = .lower
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .upper
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .digit
            // The word lists contain only ASCII letters.
            default: self = .separator
            }
        }
    }

    /// Returns the offsets at which the words in a compound begin, or the start of the range if it is not a compound.
    private func splitCompound(_ range: Range<Int>) -> [Int] {
        guard range.count <= Self.longestCompound, range.count > 3, !Self.vocabulary.contains(letters[range]) else {
            return [range.lowerBound]
        }
        // The length of the word that begins at each offset; 0 if the rest does not consist of known words.
        var lengths = [Int](repeating: 0, count: range.count + 1)
        lengths[range.count] = 1
        for start in (0..<range.count).reversed() {
            for length in (1...min(Self.longestWord, range.count - start)).reversed()
            where lengths[start + length] > 0 {
                let begin = range.lowerBound + start
                if Self.vocabulary.contains(letters[begin..<begin + length]) {
                    lengths[start] = length
                    break
                }
            }
        }
        guard lengths[0] > 0 else { return [range.lowerBound] }
        var starts: [Int] = []
        var offset = 0
        while offset < range.count {
            starts.append(range.lowerBound + offset)
            offset += lengths[offset]
        }
        return starts
    }

    /// The likelihood that a value with this name is a secret.
    var strength: SecretNames.Strength {
        if SecretWords.alone.contains(letters) { return .certain }
        if SecretWords.harmless.contains(letters) || count > 1 && SecretWords.statements.contains(self[0]) {
            return .none
        }
        var strongest = SecretNames.Strength.none
        for first in 0..<count {
            for last in first..<count {
                let term = letters[bounds[first]..<bounds[last + 1]]
                guard Self.terms.contains(term) else { continue }
                let found = strength(of: Array(term), first, last)
                if found == .certain { return .certain }
                if found == .likely { strongest = .likely }
            }
        }
        return SecretWords.likelyAlone.contains(Array(letters[lastPart...])) ? .likely : strongest
    }

    /// Whether the last word indicates that the value is only a property of a secret.
    var isProperty: Bool { SecretWords.properties.contains(self[count - 1]) }

    /// Returns whether any word is in a set.
    func contains(_ words: Set<[UInt8]>) -> Bool { (0..<count).contains { words.contains(self[$0]) } }

    private func strength(of term: [UInt8], _ first: Int, _ last: Int) -> SecretNames.Strength {
        // A short term must be a single word: `p_w` and `pi-n` do not indicate secrets.
        if last > first, term.count < 4 { return .none }
        let isAnywhere = SecretWords.anywhere.contains(term)
        let isLikely = !isAnywhere && SecretWords.likelyAtEnd.contains(term)
        guard isAnywhere || isLikely || SecretWords.atEnd.contains(term) else { return .none }
        let rest = (last + 1..<count).map { self[$0] }
        if rest.contains(where: SecretWords.properties.contains) { return .none }
        if isAnywhere { return .certain }
        guard rest.allSatisfy({ $0.count == 1 || $0[0].isDigit || SecretWords.neutral.contains($0) }) else {
            return .none
        }
        if term == Self.pass, first > 0, !SecretWords.beforePass.contains(self[first - 1]) { return .likely }
        return isLikely ? .likely : .certain
    }

    private static let pass = Array("pass".utf8)

    private var count: Int { bounds.count - 1 }

    private subscript(index: Int) -> [UInt8] { Array(letters[bounds[index]..<bounds[index + 1]]) }

    /// All words that may occur in a compound.
    private static let vocabulary = WordSet([
        SecretWords.anywhere, SecretWords.atEnd, SecretWords.likelyAtEnd, SecretWords.likelyAlone, SecretWords.alone,
        SecretWords.beforePass, SecretWords.harmless, SecretWords.statements, SecretWords.properties,
        SecretWords.neutral, SecretWords.others, SecretWords.beforeTokens,
    ])

    private static let terms = WordSet([SecretWords.anywhere, SecretWords.atEnd, SecretWords.likelyAtEnd])

    private static let longestWord = vocabulary.longest
}

/// A set of words with a filter, so that most words that are not in the set need no lookup.
private struct WordSet {
    private let words: Set<[UInt8]>

    /// Whether any word has a certain length, first letter and last letter.
    private var filter = [Bool](repeating: false, count: 1 << 16)

    /// The length of the longest word, in bytes.
    let longest: Int

    init(_ sets: [Set<[UInt8]>]) {
        words = sets.reduce(into: []) { $0.formUnion($1) }
        longest = words.map(\.count).max() ?? 0
        for word in words { filter[Self.hash(word[...])] = true }
    }

    /// Returns whether a word is in the set.
    func contains(_ word: ArraySlice<UInt8>) -> Bool {
        filter[Self.hash(word)] && words.contains(Array(word))
    }

    private static func hash(_ word: ArraySlice<UInt8>) -> Int {
        guard let first = word.first, let last = word.last else { return 0 }
        return (word.count & 63) << 10 | Int(first & 31) << 5 | Int(last & 31)
    }
}
