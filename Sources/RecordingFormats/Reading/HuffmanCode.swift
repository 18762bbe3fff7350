/// A prefix code that is told by the lengths of its words (RFC 1951, section 3.2.2,
/// https://www.rfc-editor.org/rfc/rfc1951#section-3.2.2).
struct HuffmanCode: Sendable {
    /// The longest word, in bits.
    static let longest = 15

    /// How far a word was read.
    struct Search {
        /// The number of bits that were read.
        fileprivate(set) var length = 0
        fileprivate var code = 0
        fileprivate var first = 0
        fileprivate var index = 0
    }

    /// How many words there are of each length.
    private let counts: [Int]

    /// The symbols in the order of their words.
    private let symbols: [Int]

    /// Creates a code.
    ///
    /// - Parameter lengths: The length of each symbol's word; 0 for one that has none.
    init(lengths: [Int]) {
        var counts = [Int](repeating: 0, count: Self.longest + 1)
        for length in lengths where length > 0 { counts[min(length, Self.longest)] += 1 }
        self.counts = counts
        symbols = (1...Self.longest).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
    }

    /// Reads one more bit of a word.
    ///
    /// - Returns: The symbol, once its word is whole.
    func symbol(adding bit: Int, to search: inout Search) -> Int? {
        search.length += 1
        search.code |= bit
        let count = counts[search.length]
        let place = search.index + search.code - search.first
        if search.code - search.first < count, place < symbols.count { return symbols[max(0, place)] }
        search.index += count
        search.first = (search.first + count) << 1
        search.code <<= 1
        return nil
    }
}
