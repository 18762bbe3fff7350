import Synchronization

/// An index that finds the entries of a key in constant time.
///
/// The index is a hash table of entry indices and uses 16 bytes per entry on average. It does not store keys: the keys
/// of entries are recomputed for comparisons.
struct KeyIndex: Sendable {
    /// The first entry index of each chain, plus 1; 0 for an empty chain.
    private var first: [UInt32]

    /// The next entry index of the same chain, plus 1; 0 at the end.
    private var next: [UInt32]

    private var hashes: [UInt32]

    /// Whether some keys are redacted, so that a request may have different keys with and without its secrets.
    var hasRedactedKeys = false

    /// Creates an index.
    ///
    /// - Parameters:
    ///   - count: The number of entries.
    ///   - key: Returns the key of an entry, or `nil` if the entry matches no request.
    init(count: Int, key: (Int) -> RequestKey?) {
        var size = 1
        while size < count { size *= 2 }
        first = [UInt32](repeating: 0, count: size)
        next = [UInt32](repeating: 0, count: count)
        hashes = [UInt32](repeating: 0, count: count)
        // Inserting in reverse keeps each chain in file order.
        for index in (0..<count).reversed() {
            guard let key = key(index) else { continue }
            let hash = UInt32(truncatingIfNeeded: key.hashValue)
            let slot = Int(hash) & (size - 1)
            hashes[index] = hash
            next[index] = first[slot]
            first[slot] = UInt32(truncatingIfNeeded: index + 1)
        }
    }

    /// Returns the entries of a key, in file order.
    ///
    /// - Parameters:
    ///   - wanted: The key.
    ///   - key: Returns the key of an entry, as for ``init(count:key:)``.
    /// - Returns: The entry indices.
    func entries(of wanted: RequestKey, key: (Int) -> RequestKey?) -> [Int] {
        let hash = UInt32(truncatingIfNeeded: wanted.hashValue)
        var entries: [Int] = []
        var link = first[Int(hash) & (first.count - 1)]
        while link != 0 {
            let index = Int(link) - 1
            if hashes[index] == hash, key(index) == wanted { entries.append(index) }
            link = next[index]
        }
        return entries
    }
}

/// A small cache of indexes of the same entries by different rules.
final class KeyIndexes: Sendable {
    private static let limit = 4

    private let indexes = Mutex<[KeyRule: KeyIndex]>([:])

    /// Returns the index for a rule, and creates it if necessary while other callers wait.
    func index(by rule: KeyRule, make: () -> KeyIndex) -> KeyIndex {
        indexes.withLock { indexes in
            if let index = indexes[rule] { return index }
            if indexes.count == Self.limit { indexes.removeAll() }
            let index = make()
            indexes[rule] = index
            return index
        }
    }
}
