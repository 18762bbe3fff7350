/// The used entries of an archive, and the next entries for repeated requests.
struct Turns: Sendable {
    private let repetition: RequestMatching.Repetition

    /// One bit per entry.
    private var used: [UInt64]

    /// The number of entries used at least once.
    private(set) var usedCount = 0

    /// For groups of several entries: the number of turns taken, or the position before which all entries are used.
    private var positions: [EntryGroup.ID: Int] = [:]

    /// Creates turns with no entry used.
    init(count: Int, repetition: RequestMatching.Repetition) {
        self.repetition = repetition
        used = [UInt64](repeating: 0, count: (count + 63) / 64)
    }

    /// Whether an entry was used.
    func isUsed(_ entry: Int) -> Bool { used[entry / 64] & (1 << UInt64(entry % 64)) != 0 }

    /// Returns the position of the next entry in a group, or `nil` if all entries are used up.
    func turn(in group: EntryGroup) -> Int? {
        let last = group.count - 1
        switch repetition {
        case .first: return 0
        case .cycle: return last == 0 ? 0 : positions[group.id, default: 0] % group.count
        case .nextThenLast where last == 0: return 0
        case .nextThenLast: return firstUnused(in: group) ?? last
        case .once: return firstUnused(in: group)
        }
    }

    /// Marks an entry of a group as used.
    ///
    /// - Parameters:
    ///   - position: The position of the entry, from ``turn(in:)``.
    ///   - group: The group.
    mutating func take(_ position: Int, in group: EntryGroup) {
        take(group[position])
        // Groups of individually selected entries are searched linearly, because their number is unlimited.
        guard group.count > 1, repetition == .cycle || repetition != .first && !group.isPicked else { return }
        positions[group.id] = position + 1
    }

    /// Marks an entry as used.
    mutating func take(_ entry: Int) {
        guard !isUsed(entry) else { return }
        used[entry / 64] |= 1 << UInt64(entry % 64)
        usedCount += 1
    }

    private func firstUnused(in group: EntryGroup) -> Int? {
        let start = group.count == 1 || group.isPicked ? 0 : positions[group.id, default: 0]
        return (min(start, group.count)..<group.count).first { !isUsed(group[$0]) }
    }
}
