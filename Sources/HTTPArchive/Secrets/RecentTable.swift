/// A table of recent keys with their values, of a fixed size.
///
/// Each row has two keys. A new key replaces the older one, so two keys with the same hash that alternate, as in entries
/// of the same form, are both remembered.
struct RecentTable<Key: Equatable, Value> {
    /// The rows, two slots for each; empty until the first key is inserted.
    private var slots: [(key: Key, value: Value)?] = []

    private let rowBits: UInt64

    /// Creates an empty table.
    ///
    /// - Parameter rowBits: The number of rows as a power of two.
    init(rowBits: UInt64) { self.rowBits = rowBits }

    /// Returns the value of a key, or nil if the table does not contain the key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - hash: The hash of the key, whose highest bits select the row.
    /// - Returns: The value.
    func value(of key: Key, hash: UInt64) -> Value? {
        guard !slots.isEmpty else { return nil }
        let row = row(hash)
        if let slot = slots[row], slot.key == key { return slot.value }
        if let slot = slots[row + 1], slot.key == key { return slot.value }
        return nil
    }

    /// Adds a key that is not in the table.
    mutating func insert(_ value: Value, for key: Key, hash: UInt64) {
        if slots.isEmpty { slots = Array(repeating: nil, count: 2 << rowBits) }
        let row = row(hash)
        slots[row + 1] = slots[row]
        slots[row] = (key, value)
    }

    private func row(_ hash: UInt64) -> Int { Int(hash &>> (64 - rowBits)) * 2 }
}
