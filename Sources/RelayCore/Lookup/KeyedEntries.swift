import Synchronization

/// The entries of one key, with what is needed to choose among them: digests of what matchers compare.
///
/// Each step of the choice leaves the entries with a certain digest in one column, or all where there is none. Entries
/// are sorted by the columns of the steps that left some; the group that is left is a range, found by halving. So the
/// choice among a million entries of one URL takes as long as twenty comparisons. Sorting is done for those steps that
/// happen, when they happen first; it takes four bytes an entry, and a column in which entries differ sixteen.
final class KeyedEntries: Sendable {
    /// Something has to be read or sorted first.
    struct NotAtHand: Error {}

    /// All entries of the key.
    let all: EntryGroup
    private let columns: DigestTable
    private let orders = Mutex<[[Int]: [UInt32]]>([:])

    /// Reads what is needed of entries.
    ///
    /// A single entry that has nothing to fulfil is not read.
    ///
    /// - Parameters:
    ///   - entries: The numbers of the entries, in the order of the file.
    ///   - plan: How entries are chosen.
    ///   - source: What has the entries.
    init(_ entries: [Int], plan: MatchingPlan, source: ReplaySource) {
        all = EntryGroup(of: entries.map { UInt32(truncatingIfNeeded: $0) })
        columns = DigestTable(of: entries, plan: plan, source: source)
    }

    /// The number of entries.
    var count: Int { all.count }

    /// Whether there is one entry, and nothing that it has to fulfil.
    func isDecided(by plan: MatchingPlan) -> Bool { all.count == 1 && plan.isDecidedByKey }

    /// The entries that take turns in answering a request; `nil` when none fulfils what is required.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - plan: How entries are chosen.
    ///   - source: What has the entries; `nil` where nothing may be read or sorted.
    /// - Returns: The entries that are left, in the order of the file.
    /// - Throws: ``NotAtHand`` where that would be necessary.
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

    /// The entries for a client with these conditions.
    ///
    /// A client with a copy gets the entries recorded under the same conditions, or else under unknown ones; a client
    /// without one gets the full answers, and others only where there are none.
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

    /// All positions, sorted by columns and then by the order of the file.
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
