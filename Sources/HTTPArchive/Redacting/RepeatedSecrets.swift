/// Secrets recognized in one string of an entry, to be found in the other strings.
struct RepeatedSecrets {
    /// The minimum length of a secret to search for, in bytes.
    static let least = 8

    /// The maximum number of secrets to search for in an entry.
    private static let limit = 1000

    /// The number of secrets up to which a search for each of their forms takes less time than the filter.
    private static let fewSecrets = 8

    /// The encoded forms of the secrets, keyed by their first eight bytes.
    private var forms: [UInt64: [(text: [UInt8], secret: [UInt8])]] = [:]
    private var known: Set<[UInt8]> = []

    /// A filter, indexed by a hash of the first eight bytes, so that most offsets need only one lookup.
    ///
    /// It is empty until the first secret is inserted, because most text has none.
    private var filter: [Bool] = []

    /// Whether all secrets are printable ASCII.
    private(set) var isASCII = true

    /// The number of secrets.
    var count: Int { known.count }

    /// Whether there are no secrets.
    var isEmpty: Bool { known.isEmpty }

    /// Adds a secret.
    ///
    /// - Returns: Whether the secret is new and will be searched for.
    @discardableResult
    mutating func insert(_ secret: [UInt8]) -> Bool {
        guard secret.count >= Self.least, known.count < Self.limit, known.insert(secret).inserted else { return false }
        // A secret such as `REDACTED-`, even in Base64, would match every placeholder.
        guard !HARRedactor.isRedacted(String(decoding: secret, as: UTF8.self)) else { return false }
        isASCII = isASCII && secret.allSatisfy { 0x20...0x7E ~= $0 }
        if filter.isEmpty { filter = [Bool](repeating: false, count: 1 << 12) }
        for text in Self.forms(of: secret) {
            let word = text.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
            forms[word, default: []].append((text, secret))
            filter[Self.hash(word)] = true
        }
        return true
    }

    private static func forms(of secret: [UInt8]) -> Set<[UInt8]> {
        // Most secrets need no escape sequences.
        if secret.allSatisfy(\.isPartOfWord) { return [secret] }
        return [secret, DecodedText.percentEncoded(secret), DecodedText.escapedForJSON(secret)]
    }

    /// Adds the secrets of another set.
    ///
    /// - Returns: Whether any secret is new.
    @discardableResult
    mutating func formUnion(_ other: RepeatedSecrets) -> Bool {
        other.known.reduce(false) { insert($1) || $0 }
    }

    /// Returns the occurrences of secrets in text, except within longer words and in JSON names.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the text.
    func matches(in text: UnsafeRawBufferPointer) -> [(range: Range<Int>, secret: [UInt8])] {
        guard !filter.isEmpty, text.count >= Self.least else { return [] }
        var found: [(Range<Int>, [UInt8])] = []
        filter.withUnsafeBufferPointer { filter in
            var offset = 0
            while offset &+ Self.least <= text.count {
                let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                if filter[Self.hash(word)], let match = match(word, in: text, at: offset) {
                    found.append(match)
                    offset = match.0.upperBound
                } else {
                    offset &+= 1
                }
            }
        }
        return found
    }

    /// Whether any secret occurs in text, even within longer words.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the text.
    func occur(in text: UnsafeRawBufferPointer) -> Bool {
        guard !filter.isEmpty, text.count >= Self.least else { return false }
        if known.count <= Self.fewSecrets {
            return forms.values.contains { $0.contains { text.firstOffset(of: $0.text) != nil } }
        }
        return filter.withUnsafeBufferPointer { filter in
            for offset in 0...(text.count - Self.least) {
                let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                guard filter[Self.hash(word)] else { continue }
                for form in forms[word] ?? [] where text[from: offset].starts(with: form.text) { return true }
            }
            return false
        }
    }

    private func match(
        _ word: UInt64, in text: UnsafeRawBufferPointer, at offset: Int
    ) -> (Range<Int>, [UInt8])? {
        if offset > 0, text[offset - 1].isPartOfWord, text[offset].isPartOfWord, !isEscape(in: text, before: offset) {
            return nil
        }
        var best: (Range<Int>, [UInt8])?
        for form in forms[word] ?? [] where text[from: offset].starts(with: form.text) {
            let end = offset + form.text.count
            if end < text.count, text[end].isPartOfWord, text[end - 1].isPartOfWord { continue }
            if isName(in: text, endingAt: end) { continue }
            if best.map({ end > $0.0.upperBound }) ?? true { best = (offset..<end, form.secret) }
        }
        return best
    }

    /// Whether the letters before an offset belong to an escape sequence, such as `\n` or `%22`.
    private func isEscape(in text: UnsafeRawBufferPointer, before offset: Int) -> Bool {
        offset >= 2 && text[offset - 2] == UInt8(ascii: "\\") || offset >= 3 && text[offset - 3] == UInt8(ascii: "%")
    }

    /// Whether a quotation mark and a colon follow, as after a name in JSON.
    private func isName(in text: UnsafeRawBufferPointer, endingAt end: Int) -> Bool {
        guard end < text.count, text[end] == UInt8(ascii: "\"") else { return false }
        // Pretty printers rarely put more than eight blanks between the quotation mark and the colon.
        let next = text[from: end + 1, to: min(end + 9, text.count)].first { !$0.isBlank }
        return next == UInt8(ascii: ":")
    }

    private static func hash(_ word: UInt64) -> Int { Int((word &* 0x9E37_79B9_7F4A_7C15) >> 52) }
}
