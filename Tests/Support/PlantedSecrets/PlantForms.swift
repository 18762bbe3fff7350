/// The encoded forms of many secrets, for finding all of them in a single pass over a text.
package struct PlantForms {
    /// The number of leading bytes used to look up forms.
    private static let start = 6

    /// The forms by their first bytes.
    private var forms: [UInt64: [(form: [UInt8], secret: Int)]] = [:]

    /// A filter with one element for each hash of the first bytes.
    private var filter = [Bool](repeating: false, count: 1 << 16)

    private let secrets: [Plant]

    /// Creates the forms of secrets.
    package init(_ secrets: [Plant]) {
        self.secrets = secrets
        for (index, secret) in secrets.enumerated() {
            for form in PlantSearch.forms(of: secret.value) {
                let word = form.prefix(Self.start).reduce(0) { $0 << 8 | UInt64($1) }
                forms[word, default: []].append((form, index))
                filter[Self.hash(word)] = true
            }
        }
    }

    /// Returns the names of the secrets that occur in text, in any encoding.
    package func names(in text: [UInt8]) -> [String] {
        var found: Set<Int> = []
        search(text, &found)
        search(PlantSearch.flattened(text), &found)
        let decoded = PlantSearch.percentDecoded(text)
        if decoded.count < text.count { search(PlantSearch.flattened(decoded), &found) }
        return found.sorted().map { secrets[$0].name }
    }

    private func search(_ text: [UInt8], _ found: inout Set<Int>) {
        var word: UInt64 = 0
        for (offset, byte) in text.enumerated() {
            word = (word << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF
            guard offset >= Self.start - 1, filter[Self.hash(word)], let candidates = forms[word] else { continue }
            let rest = text[(offset - Self.start + 1)...]
            for candidate in candidates where rest.starts(with: candidate.form) { found.insert(candidate.secret) }
        }
    }

    private static func hash(_ word: UInt64) -> Int { Int((word &* 0x9E37_79B9_7F4A_7C15) >> 48) }
}
