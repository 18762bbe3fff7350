import Synchronization

/// The entries of one key, with what is needed to choose among them: digests of what matchers compare.
///
/// Each step of the choice leaves the entries with a certain digest in one column, or all where there is none. Entries
/// are sorted by the columns of the steps that left some; the group that is left is a range, found by halving. So the
/// choice among a million entries of one URL takes as long as twenty comparisons. Sorting is done for those steps that
/// happen, when they happen first; it takes four bytes an entry, and a column in which entries differ sixteen.
final class KeyedEntries: Sendable {
    /// What is known of entries, and by which they are chosen.
    enum Column: Hashable, Sendable {
        /// What matchers compare.
        case part(MatchingPlan.Part)

        /// For which clients the entry was recorded.
        case audience

        /// Whether the answer is short, for clients that have the rest.
        case isNotModified
    }

    /// Something has to be read or sorted first.
    struct NotAtHand: Error {}

    private let all: EntryGroup
    private let names: [Column: Int]
    private let columns: [DigestColumn]
    private let orders = Mutex<[[Int]: [UInt32]]>([:])

    /// Reads what is needed of entries.
    ///
    /// A single entry that has nothing to fulfil is not read.
    ///
    /// - Parameters:
    ///   - entries: The numbers of the entries, in the order of the file.
    ///   - plan: How entries are chosen.
    ///   - source: What has the entries.
    init(_ entries: [Int], plan: MatchingPlan, source: PlayedEntries) {
        all = EntryGroup(of: entries.map { UInt32(truncatingIfNeeded: $0) })
        var names: [Column] = plan.required.equivalence.isKeyOnly ? [] : [.part(.required)]
        if entries.count > 1 {
            names += [.audience, .isNotModified] + plan.preferred.indices.map { .part(.preferred($0)) }
        }
        var columns = [DigestColumn](repeating: DigestColumn(), count: names.count)
        if !names.isEmpty {
            for entry in entries {
                let recorded = RecordedRequest(entry, of: source, withBody: plan.readsBodies)
                for (place, name) in names.enumerated() { columns[place].append(recorded.digest(name, plan: plan)) }
            }
        }
        self.names = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        self.columns = columns
    }

    /// The number of entries.
    var count: Int { all.count }

    /// The entries that take turns in answering a request; `nil` when none fulfils what is required.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - plan: How entries are chosen.
    ///   - source: What has the entries; `nil` where nothing may be read or sorted.
    /// - Returns: The entries that are left, in the order of the file.
    /// - Throws: ``NotAtHand`` where that would be necessary.
    func group(
        for asked: inout AskedRequest, plan: MatchingPlan, source: PlayedEntries?
    ) throws(NotAtHand) -> EntryGroup? {
        guard count > 1 || !plan.isDecidedByKey else { return all }
        var group = all
        if let column = names[.part(.required)] {
            guard let left = try narrow(group, column, by: .required, of: &asked, source) else { return nil }
            group = left
        }
        guard let left = try filter(group, by: plan.required, for: asked, source) else { return nil }
        group = left
        group = try forAudience(of: asked.conditions, group, mayBuild: source != nil)
        for (index, matcher) in plan.preferred.enumerated() where group.count > 1 {
            var left: EntryGroup? = group
            if let column = names[.part(.preferred(index))],
                columns[column].common == nil || !matcher.tests.isEmpty
            {
                left = try narrow(group, column, by: .preferred(index), of: &asked, source)
            }
            if let fulfilling = left { left = try filter(fulfilling, by: matcher, for: asked, source) }
            group = left ?? group
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
        guard group.count > 1, let audience = names[.audience], let isNotModified = names[.isNotModified] else {
            return group
        }
        let steps =
            if let conditions {
                [(audience, Digest(conditions)), (audience, .unknownConditions), (audience, .everybody)]
            } else {
                [(audience, .everybody), (isNotModified, Digest(false))]
            }
        for (column, digest) in steps {
            if let left = try narrow(group, column, to: digest, mayBuild) { return left }
        }
        return group
    }

    private func narrow(
        _ group: EntryGroup, _ column: Int, by part: MatchingPlan.Part, of asked: inout AskedRequest,
        _ source: PlayedEntries?
    ) throws(NotAtHand) -> EntryGroup? {
        guard source != nil || asked.isQuick else { throw NotAtHand() }
        return try narrow(group, column, to: asked.digest(of: part), source != nil)
    }

    private func narrow(
        _ group: EntryGroup, _ column: Int, to digest: Digest, _ mayBuild: Bool
    ) throws(NotAtHand) -> EntryGroup? {
        guard digest != .unknown else { return nil }
        if let common = columns[column].common { return common == digest ? group : nil }
        guard let path = group.path else { return group.filter { position, _ in columns[column][position] == digest } }
        let longer = path + [column]
        let order = try order(by: longer, mayBuild: mayBuild)
        return group.narrowed(to: digest, in: columns[column], path: longer, order: order)
    }

    private func filter(
        _ group: EntryGroup, by matcher: RequestMatcher, for asked: AskedRequest, _ source: PlayedEntries?
    ) throws(NotAtHand) -> EntryGroup? {
        guard !matcher.tests.isEmpty else { return group }
        guard let source else { throw NotAtHand() }
        let compared = asked.compared
        return group.filter { _, entry in
            guard let recorded = RecordedRequest(entry, of: source, withBody: true).compared else { return false }
            return matcher.passesTests(asked: compared, recorded: recorded)
        }
    }

    /// All positions, sorted by columns and then by the order of the file.
    private func order(by path: [Int], mayBuild: Bool) throws(NotAtHand) -> [UInt32] {
        if let order = orders.withLock({ $0[path] }) { return order }
        guard mayBuild else { throw NotAtHand() }
        let order = (0..<UInt32(truncatingIfNeeded: count)).sorted { first, second in
            for column in path {
                let digests = (columns[column][Int(first)], columns[column][Int(second)])
                if digests.0 != digests.1 { return digests.0 < digests.1 }
            }
            return first < second
        }
        orders.withLock { $0[path] = order }
        return order
    }
}
