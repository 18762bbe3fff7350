/// Values up to a size in all; when they are larger together, those go that were not used for the longest time.
package struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
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
