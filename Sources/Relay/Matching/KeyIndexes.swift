import Synchronization

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
