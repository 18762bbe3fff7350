/// Answers that were made of entries, for when it is their turn again.
///
/// Once the answers that are kept are too large together, they are forgotten.
struct ResponseCache: Sendable {
    /// The size up to which an answer is kept, in bytes.
    private let answerLimit: Int

    /// The size of all that are kept, in bytes.
    private let limit: Int

    private var answers: [Int: (answer: CachedResponse, conditions: Conditions?)] = [:]
    private var size = 0

    /// Keeps nothing yet.
    ///
    /// - Parameters:
    ///   - answerLimit: The size up to which an answer is kept, in bytes.
    ///   - limit: The size of all that are kept, in bytes.
    init(answerLimit: Int = 1 << 16, limit: Int = 1 << 23) {
        self.answerLimit = answerLimit
        self.limit = limit
    }

    /// The answer of an entry, with the URL that it was first given for.
    subscript(entry: Int) -> CachedResponse? { answers[entry]?.answer }

    /// The conditions under which the answer of an entry was recorded.
    func conditions(of entry: Int) -> Conditions? { answers[entry]?.conditions }

    /// Keeps the answer of an entry, unless it is large.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - entry: The entry.
    ///   - conditions: The conditions under which it was recorded; none unless given.
    mutating func keep(
        _ answer: InterceptedResponse, of entry: Int, recordedUnder conditions: Conditions? = nil
    ) {
        let size = Self.size(of: answer)
        guard size <= answerLimit, answers[entry] == nil else { return }
        if self.size + size > limit {
            answers = [:]
            self.size = 0
        }
        answers[entry] = (CachedResponse(answer), conditions)
        self.size += size
    }

    /// About what an answer takes in memory, in bytes.
    private static func size(of answer: InterceptedResponse) -> Int {
        answer.headers.reduce(300 + answer.url.utf8.count + answer.body.count) {
            $0 + 32 + $1.name.utf8.count + $1.value.utf8.count
        }
    }
}

/// The entries of keys that were asked for, with what they are chosen by.
///
/// Of keys with few entries so many are kept; those of the others would take long to find again, and all together they
/// have no more entries than the archive.
struct CandidateCache: Sendable {
    /// How many keys with few entries are kept.
    private let keyLimit: Int

    /// How many entries are few.
    private let fewEntries: Int

    private var small: [RequestKey: KeyedEntries] = [:]
    private var large: [RequestKey: KeyedEntries] = [:]

    /// Keeps nothing yet.
    ///
    /// - Parameters:
    ///   - keyLimit: How many keys with few entries are kept.
    ///   - fewEntries: How many entries are few.
    init(keyLimit: Int = 10_000, fewEntries: Int = 100) {
        self.keyLimit = keyLimit
        self.fewEntries = fewEntries
    }

    /// The entries of a key; `nil` when they are not kept.
    subscript(key: RequestKey) -> KeyedEntries? { small[key] ?? large[key] }

    /// Keeps the entries of a key, unless they are kept already.
    ///
    /// - Returns: The ones that are kept.
    mutating func keep(_ entries: KeyedEntries, of key: RequestKey) -> KeyedEntries {
        if let kept = self[key] { return kept }
        if entries.count > fewEntries {
            large[key] = entries
        } else {
            if small.count >= keyLimit { small.removeAll() }
            small[key] = entries
        }
        return entries
    }
}

/// Values up to a size in all; when they are larger together, those go that were not used for the longest time.
package struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The size of all values that are kept.
    package private(set) var size = 0

    /// The size of all values that may be kept.
    package let limit: Int

    private var values: [Key: (value: Value, size: Int, use: Int)] = [:]

    /// The keys in the order of their uses, with the last use of each among them.
    private var uses: [Key] = []

    /// How many of the uses belong to values that are gone.
    private var gone = 0

    /// Keeps nothing yet.
    ///
    /// - Parameter limit: The size of all values that may be kept, in any unit.
    package init(limit: Int) { self.limit = limit }

    /// Takes a value, which is used by that.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value; `nil` when it is not kept.
    /// - Complexity: O(1) on average.
    package mutating func value(of key: Key) -> Value? {
        guard let kept = values[key] else { return nil }
        use(kept.value, size: kept.size, of: key)
        return kept.value
    }

    /// Keeps a value, unless it is larger than the limit; what was kept of the key before goes in any case.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` removes what was kept.
    ///   - size: Its size, in the unit of the limit.
    ///   - key: The key.
    /// - Complexity: O(1) on average, besides what goes.
    package mutating func keep(_ value: Value?, size: Int, of key: Key) {
        remove(key)
        guard let value, size <= limit else { return }
        self.size += size
        use(value, size: size, of: key)
        while self.size > limit {
            if values[uses[gone]]?.use == gone { remove(uses[gone]) }
            gone += 1
        }
    }

    private mutating func remove(_ key: Key) { size -= values.removeValue(forKey: key)?.size ?? 0 }

    private mutating func use(_ value: Value, size: Int, of key: Key) {
        // So rarely that it costs each use no more than a step or two.
        if uses.count > 4 * values.count + 16 {
            uses = values.sorted { $0.value.use < $1.value.use }.map(\.key)
            gone = 0
            for (place, key) in uses.enumerated() { values[key]?.use = place }
        }
        values[key] = (value, size, uses.count)
        uses.append(key)
    }
}
