/// Which entries of an archive were given, and whose turn it is.
struct Turns: Sendable {
    private let repetition: RequestMatching.Repetition

    /// A bit for each entry.
    private var used: [UInt64]

    /// How many entries were given at least once.
    private(set) var usedCount = 0

    /// Of groups of several entries: how many turns were taken, or before which place all are used.
    private var places: [EntryGroup.ID: Int] = [:]

    /// Begins with no entry given.
    init(count: Int, repetition: RequestMatching.Repetition) {
        self.repetition = repetition
        used = [UInt64](repeating: 0, count: (count + 63) / 64)
    }

    /// Whether an entry was given.
    func isUsed(_ entry: Int) -> Bool { used[entry / 64] & (1 << UInt64(entry % 64)) != 0 }

    /// The place of the entry whose turn it is in a group; `nil` when all are used up.
    func turn(in group: EntryGroup) -> Int? {
        let last = group.count - 1
        switch repetition {
        case .first: return 0
        case .cycle: return last == 0 ? 0 : places[group.id, default: 0] % group.count
        case .nextThenLast where last == 0: return 0
        case .nextThenLast: return firstUnused(in: group) ?? last
        case .once: return firstUnused(in: group)
        }
    }

    /// Gives an entry of a group.
    ///
    /// - Parameters:
    ///   - place: The place of the entry, from ``turn(in:)``.
    ///   - group: The group.
    mutating func take(_ place: Int, in group: EntryGroup) {
        take(group[place])
        // Entries that were picked one by one can be gone through one by one, and there is no end of such groups.
        guard group.count > 1, repetition == .cycle || repetition != .first && !group.isPicked else { return }
        places[group.id] = place + 1
    }

    /// Gives an entry.
    mutating func take(_ entry: Int) {
        guard !isUsed(entry) else { return }
        used[entry / 64] |= 1 << UInt64(entry % 64)
        usedCount += 1
    }

    private func firstUnused(in group: EntryGroup) -> Int? {
        let start = group.count == 1 || group.isPicked ? 0 : places[group.id, default: 0]
        return (min(start, group.count)..<group.count).first { !isUsed(group[$0]) }
    }
}
