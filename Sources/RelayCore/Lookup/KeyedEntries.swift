import Synchronization

/// The entries of one key, with the digests needed to select one of them.
///
/// Each selection step narrows the entries to those with a given digest in one column. An optional step is skipped if
/// no entry has the digest. Entries are sorted by the columns of these steps, so binary search finds the range of the
/// remaining entries. Each step takes about 40 comparisons for a million entries with the same URL. Sort orders are
/// created on first use and take 4 bytes per entry. A column with different digests takes 16 bytes per entry.
final class KeyedEntries: Sendable {
    /// An error that indicates that entries must be read or sorted first.
    struct NotAtHand: Error {
        /// The least size of these entries, in bytes.
        var byteCount = 0
    }

    /// All entries of the key.
    let all: EntryGroup
    private let columns: DigestTable
    private let orders = Mutex<[[Int]: [UInt32]]>([:])

    /// Reads the entries of a key.
    ///
    /// A single entry is read only if the key alone does not decide whether it matches.
    ///
    /// - Parameters:
    ///   - entries: The entry indices, in file order.
    ///   - plan: The rules for selecting entries.
    ///   - source: The source of the entries.
    init(_ entries: [Int], plan: MatchingPlan, source: ReplaySource) {
        all = EntryGroup(of: entries.map { UInt32(truncatingIfNeeded: $0) })
        columns = DigestTable(of: entries, plan: plan, source: source)
    }

    /// The number of entries.
    var count: Int { all.count }

    /// Returns the entries to replay, in order, for a request and its repetitions, or `nil` if no entry satisfies the
    /// required matchers.
    ///
    /// - Parameters:
    ///   - requested: The request.
    ///   - plan: The rules for selecting entries.
    ///   - source: The source of the entries, or `nil` if entries must not be read or sorted.
    /// - Returns: The remaining entries, in file order.
    /// - Throws: ``NotAtHand`` if `source` is nil but entries must be read or sorted.
    func group(
        for requested: inout RequestLookup, plan: MatchingPlan, source: ReplaySource?
    ) throws(NotAtHand) -> EntryGroup? {
        var group = all
        // A single entry may be decided without being read.
        if count == 1, plan.isDecidedByKey { return group }
        if plan.hasRequiredParts {
            guard let left = try narrow(group, .required, of: &requested, source) else { return nil }
            group = left
        }
        guard let left = try filter(group, by: plan.required, for: &requested, source) else { return nil }
        group = left
        if group.count > 1 {
            let upgrade = requested.opensWebSocket ? Digest.isTrue : .isFalse
            group = try narrow(group, .isUpgrade, to: upgrade, source != nil) ?? group
        }
        if group.count > 1 { group = try forAudience(of: requested.conditions, group, mayBuild: source != nil) }
        for (index, matcher) in plan.preferred.enumerated() where group.count > 1 {
            var left: EntryGroup? = group
            if columns[.part(.preferred(index))].common == nil || !matcher.tests.isEmpty {
                left = try narrow(group, .preferred(index), of: &requested, source)
            }
            if let fulfilling = left { left = try filter(fulfilling, by: matcher, for: &requested, source) }
            group = left ?? group
        }
        if group.count > 1, columns.isRedacted, columns[.secrets].common == nil {
            guard source != nil else { throw NotAtHand() }
            group = try narrow(group, .secrets, to: requested.digestOfSecrets(), true) ?? group
        }
        if group.count > 1, let page = plan.page {
            group = try narrow(group, .page, to: Digest(Optional(page)), source != nil) ?? group
        }
        return group
    }

    /// Returns the entries to prefer for a client with the given conditions.
    ///
    /// A client with a cached copy gets entries recorded under the same conditions, or else under unknown conditions.
    /// Otherwise, full responses are preferred. A client without a cached copy gets a 304 response only if there is no
    /// other response.
    private func forAudience(
        of conditions: Conditions?, _ group: EntryGroup, mayBuild: Bool
    ) throws(NotAtHand) -> EntryGroup {
        if let conditions {
            for digest in [Digest(conditions), .unknownConditions] {
                if let left = try narrow(group, .audience, to: digest, mayBuild) { return left }
            }
        }
        if let left = try narrow(group, .audience, to: .everybody, mayBuild) { return left }
        guard conditions == nil else { return group }
        return try narrow(group, .isNotModified, to: .isFalse, mayBuild) ?? group
    }

    private func narrow(
        _ group: EntryGroup, _ part: MatchingPlan.Part, of requested: inout RequestLookup, _ source: ReplaySource?
    ) throws(NotAtHand) -> EntryGroup? {
        let column = DigestTable.Column.part(part)
        guard source != nil || requested.isQuick else { throw NotAtHand() }
        if let left = try narrow(group, column, to: requested.digest(of: part), source != nil) { return left }
        guard columns.isRedacted else { return nil }
        guard source != nil else { throw NotAtHand() }
        guard var redacted = requested.inRedactedArchives() else { return nil }
        return try narrow(group, column, to: redacted.digest(of: part), true)
    }

    private func narrow(
        _ group: EntryGroup, _ name: DigestTable.Column, to digest: Digest, _ mayBuild: Bool
    ) throws(NotAtHand) -> EntryGroup? {
        guard digest != .unknown else { return nil }
        let column = columns[name]
        if let common = column.common { return common == digest ? group : nil }
        guard let path = group.path else { return group.filter { position, _ in column[position] == digest } }
        let longer = path + [name.place]
        let order = try order(by: longer, mayBuild: mayBuild)
        return group.narrowed(to: digest, in: column, path: longer, order: order)
    }

    private func filter(
        _ group: EntryGroup, by matcher: RequestMatcher, for requested: inout RequestLookup, _ source: ReplaySource?
    ) throws(NotAtHand) -> EntryGroup? {
        guard !matcher.tests.isEmpty else { return group }
        guard let source else { throw NotAtHand() }
        let forms = columns.isRedacted ? requested.forms : [requested.compared]
        return group.filter { _, entry in
            guard let recorded = RecordedRequest(entry, of: source, withBody: true).compared else { return false }
            return forms.contains { matcher.passesTests(requested: $0, recorded: recorded) }
        }
    }

    /// Returns the positions of all entries, sorted by their digests in the given columns and then in file order.
    private func order(by path: [Int], mayBuild: Bool) throws(NotAtHand) -> [UInt32] {
        if let order = orders.withLock({ $0[path] }) { return order }
        guard mayBuild else { throw NotAtHand() }
        let order = (0..<UInt32(truncatingIfNeeded: count)).sorted { first, second in
            for column in path {
                let digests = (columns[place: column][Int(first)], columns[place: column][Int(second)])
                if digests.0 != digests.1 { return digests.0 < digests.1 }
            }
            return first < second
        }
        orders.withLock { $0[path] = order }
        return order
    }
}

/// A group of entries of one key with the same digests in some columns, in file order.
struct EntryGroup: Sendable {
    /// The identity of a group among all groups of an archive.
    struct ID: Hashable, Sendable {
        fileprivate let firstOfKey: Int
        fileprivate let path: Int
        fileprivate let start: Int
    }

    /// The indices of all entries of the key.
    private let entries: [UInt32]

    /// Indices into ``entries``, sorted so that the group is contiguous; `nil` for file order.
    private let positions: [UInt32]?

    /// The range of the group in ``positions``, or in ``entries`` if there are no positions.
    private let range: Range<Int>

    /// The columns in which all entries of the group have the same digest; `nil` for individually selected entries.
    let path: [Int]?

    var count: Int { range.count }

    /// Whether the entries were selected individually.
    var isPicked: Bool { path == nil }

    /// Returns the index of the entry at a position in the group.
    subscript(index: Int) -> Int { Int(entries[position(index)]) }

    /// The identity of the group.
    var id: ID {
        ID(
            firstOfKey: entries.first.map(Int.init) ?? 0, path: path?.hashValue ?? positions.hashValue,
            start: path == nil ? -1 : range.lowerBound)
    }

    /// Returns the entries that satisfy a predicate.
    ///
    /// - Returns: The entries, or `nil` if no entry qualifies.
    func filter(_ isWanted: (_ position: Int, _ entry: Int) -> Bool) -> EntryGroup? {
        let wanted = (0..<count).map(position).filter { isWanted($0, Int(entries[$0])) }
        let positions = wanted.map { UInt32(truncatingIfNeeded: $0) }
        guard !positions.isEmpty else { return nil }
        return EntryGroup(entries: entries, positions: positions, range: 0..<positions.count, path: nil)
    }

    /// Returns the entries that also have a given digest in another column.
    ///
    /// - Parameters:
    ///   - digest: The digest.
    ///   - column: The column.
    ///   - path: The columns by which `order` is sorted: the columns of this group, followed by `column`.
    ///   - order: All positions, sorted by these columns. Sorting by an additional column moves entries only within
    ///     their groups, so the range of this group does not change.
    /// - Returns: The entries, or `nil` if no entry qualifies.
    /// - Complexity: O(log *n*) in the size of the group.
    func narrowed(to digest: Digest, in column: DigestColumn, path: [Int], order: [UInt32]) -> EntryGroup? {
        func start(where isBeyond: (Digest) -> Bool) -> Int {
            var (low, high) = (self.range.lowerBound, self.range.upperBound)
            while low < high {
                let middle = low + (high - low) / 2
                if isBeyond(column[Int(order[middle])]) { high = middle } else { low = middle + 1 }
            }
            return low
        }
        let range = start { $0 >= digest }..<start { $0 > digest }
        return range.isEmpty ? nil : EntryGroup(entries: entries, positions: order, range: range, path: path)
    }

    /// Returns the index in ``entries`` for a position in the group.
    private func position(_ index: Int) -> Int {
        positions.map { Int($0[range.lowerBound + index]) } ?? range.lowerBound + index
    }
}

extension EntryGroup {
    /// Creates a group of all entries of a key.
    init(of entries: [UInt32]) {
        self.init(entries: entries, positions: nil, range: 0..<entries.count, path: [])
    }
}

/// The used entries of an archive, and the next entries for repeated requests.
struct Turns: Sendable {
    private let repetition: RequestMatching.Repetition

    /// The used entries, with one bit per entry.
    private var used: [UInt64]

    /// The number of entries used at least once.
    private(set) var usedCount = 0

    /// The position after the last selected entry, for groups of several entries.
    ///
    /// Unless entries are cycled, all entries before this position are used.
    private var positions: [EntryGroup.ID: Int] = [:]

    /// Creates a value with no used entries.
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
    ///   - position: The position of the entry, as returned by ``turn(in:)``.
    ///   - group: The group.
    mutating func take(_ position: Int, in group: EntryGroup) {
        take(group[position])
        // The number of groups of individually selected entries is unlimited, so their positions are stored only for
        // cycling. In all other cases, these groups are searched linearly.
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
