/// The entries of keys that were asked for, with what they are chosen by.
///
/// Of keys with few entries so many are kept; those of the others would take long to find again, and all together they
/// have no more entries than the archive.
struct KeptChoices: Sendable {
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
