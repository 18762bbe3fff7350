import Synchronization

/// Finds the entries of a key, in the same time for archives of every size.
///
/// A hash table of entry numbers: 16 bytes an entry on average. The keys themselves are made anew from the entries where
/// two have to be compared.
struct KeyIndex: Sendable {
    /// The first entry of each chain, plus 1; 0 for none.
    private var first: [UInt32]

    /// The next entry of the same chain, plus 1; 0 for none.
    private var next: [UInt32]

    private var hashes: [UInt32]

    /// Whether a request may have a key with its secrets, and another one without them.
    var hasRedactedKeys = false

    /// Makes an index.
    ///
    /// - Parameters:
    ///   - count: The number of entries.
    ///   - key: Gives the key of an entry; `nil` for one that answers no request.
    init(count: Int, key: (Int) -> RequestKey?) {
        var size = 1
        while size < count { size *= 2 }
        first = [UInt32](repeating: 0, count: size)
        next = [UInt32](repeating: 0, count: count)
        hashes = [UInt32](repeating: 0, count: count)
        // From the last to the first, so that a chain has the order of the file.
        for index in (0..<count).reversed() {
            guard let key = key(index) else { continue }
            let hash = UInt32(truncatingIfNeeded: key.hashValue)
            let slot = Int(hash) & (size - 1)
            hashes[index] = hash
            next[index] = first[slot]
            first[slot] = UInt32(truncatingIfNeeded: index + 1)
        }
    }

    /// The entries of a key, in the order of the file.
    ///
    /// - Parameters:
    ///   - wanted: The key.
    ///   - key: Gives the key of an entry, as for ``init(count:key:)``.
    /// - Returns: The numbers of the entries.
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

/// The indexes of the same entries by different rules, a few of them.
final class KeyIndexes: Sendable {
    private static let limit = 4

    private let indexes = Mutex<[KeyRule: KeyIndex]>([:])

    /// The index by a rule, made where there is none; who asks meanwhile waits for it.
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
