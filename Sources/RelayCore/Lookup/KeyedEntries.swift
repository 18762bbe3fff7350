import Synchronization

/// The entries of one key, with the digests needed to select one of them.
///
/// Each step of the selection narrows the entries to those with a certain digest in one column, or keeps all entries if
/// no entry has it. Entries are sorted by the columns of the narrowing steps, so that the remaining group is a range
/// found by binary search. Selecting one of a million entries with the same URL therefore takes about twenty
/// comparisons. Entries are sorted only for steps that occur, on first use. An order uses four bytes per entry, and a
/// column with different digests sixteen.
final class KeyedEntries: Sendable {
    /// An error for a selection that first requires reading or sorting entries.
    struct NotAtHand: Error {}

    /// All entries of the key.
    let all: EntryGroup
    private let columns: DigestTable
    private let orders = Mutex<[[Int]: [UInt32]]>([:])

    /// Reads the entries of a key.
    ///
    /// A single entry is not read if it need not satisfy any matcher.
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

    /// Whether there is a single entry that need not satisfy any matcher.
    func isDecided(by plan: MatchingPlan) -> Bool { all.count == 1 && plan.isDecidedByKey }

    /// Returns the entries that take turns in answering a request, or `nil` if no entry satisfies the required
    /// matchers.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - plan: The rules for selecting entries.
    ///   - source: The source of the entries; `nil` to prevent reading and sorting.
    /// - Returns: The remaining entries, in file order.
    /// - Throws: ``NotAtHand`` if `source` is nil and reading or sorting is necessary.
    func group(
        for asked: inout RequestLookup, plan: MatchingPlan, source: ReplaySource?
    ) throws(NotAtHand) -> EntryGroup? {
        var group = all
        guard !isDecided(by: plan) else { return group }
        if plan.hasRequiredParts {
            guard let left = try narrow(group, .part(.required), of: &asked, source) else { return nil }
            group = left
        }
        guard let left = try filter(group, by: plan.required, for: &asked, source) else { return nil }
        group = left
        if group.count > 1 { group = try forAudience(of: asked.conditions, group, mayBuild: source != nil) }
        for (index, matcher) in plan.preferred.enumerated() where group.count > 1 {
            let column = DigestTable.Column.part(.preferred(index))
            var left: EntryGroup? = group
            if columns[column].common == nil || !matcher.tests.isEmpty {
                left = try narrow(group, column, of: &asked, source)
            }
            if let fulfilling = left { left = try filter(fulfilling, by: matcher, for: &asked, source) }
            group = left ?? group
        }
        if group.count > 1, columns.isRedacted, columns[.secrets].common == nil {
            guard source != nil else { throw NotAtHand() }
            group = try narrow(group, .secrets, to: asked.digestOfSecrets(), true) ?? group
        }
        if group.count > 1, let page = plan.page {
            group = try narrow(group, .page, to: Digest(Optional(page)), source != nil) ?? group
        }
        return group
    }

    /// Returns the entries for a client with the given conditions.
    ///
    /// A client with a copy gets entries recorded under the same conditions, or else under unknown conditions. A client
    /// without a copy gets full responses, and other responses only if there are no full ones.
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
        _ group: EntryGroup, _ column: DigestTable.Column, of asked: inout RequestLookup, _ source: ReplaySource?
    ) throws(NotAtHand) -> EntryGroup? {
        guard case .part(let part) = column else { return group }
        guard source != nil || asked.isQuick else { throw NotAtHand() }
        if let left = try narrow(group, column, to: asked.digest(of: part), source != nil) { return left }
        guard columns.isRedacted else { return nil }
        guard source != nil else { throw NotAtHand() }
        guard var redacted = asked.inRedactedArchives() else { return nil }
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
        _ group: EntryGroup, by matcher: RequestMatcher, for asked: inout RequestLookup, _ source: ReplaySource?
    ) throws(NotAtHand) -> EntryGroup? {
        guard !matcher.tests.isEmpty else { return group }
        guard let source else { throw NotAtHand() }
        let forms = columns.isRedacted ? asked.forms : [asked.compared]
        return group.filter { _, entry in
            guard let recorded = RecordedRequest(entry, of: source, withBody: true).compared else { return false }
            return forms.contains { matcher.passesTests(asked: $0, recorded: recorded) }
        }
    }

    /// Returns all positions, sorted by columns and then by file order.
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
