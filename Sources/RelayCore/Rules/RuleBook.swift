import Synchronization

/// The rules of an interceptor, which can change while requests are running.
final class RuleBook: Sendable {
    /// A rule with its state for this interceptor.
    struct ActiveRule: Sendable {
        let rule: Rule
        let effect: Rule.Effect
        let use: RuleUse

        init(_ rule: Rule) {
            self.rule = rule
            effect = rule.makeEffect()
            use = RuleUse(limit: rule.limit)
        }
    }

    /// The maximum number of rules in a message.
    private static let nearestCount = 3

    private let rules = Mutex<[ActiveRule]>([])
    private let count = Atomic(0)

    /// The number of rules whose patterns can take a long time to match.
    private let slowCount = Atomic(0)

    /// Whether there are no rules.
    ///
    /// Reading this property does not acquire a lock.
    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// Appends rules, which take precedence over earlier rules.
    ///
    /// If a rule was already added, it moves to the end and its state is reset.
    func add(_ added: [Rule]) {
        let active = added.map(ActiveRule.init)
        let ids = Set(added.map(\.id))
        change { rules in
            rules.removeAll { ids.contains($0.rule.id) }
            rules += active
        }
    }

    func remove(_ ids: Set<Rule.ID>) { change { rules in rules.removeAll { ids.contains($0.rule.id) } } }

    func removeAll() { change { $0.removeAll() } }

    private func change(_ body: (inout [ActiveRule]) -> Void) {
        rules.withLock { rules in
            body(&rules)
            slowCount.store(rules.count { $0.rule.pattern.mayTakeLong }, ordering: .releasing)
            count.store(rules.count, ordering: .releasing)
        }
    }

    /// Whether matching a request against the rules can take a long time or run user code.
    var mayTakeLong: Bool { slowCount.load(ordering: .acquiring) > 0 }

    /// Returns whether the pattern of any rule names a host.
    ///
    /// - Parameters:
    ///   - host: The host of a request.
    ///   - url: The URL of the request.
    ///   - limit: The processor time for each regular expression, in nanoseconds.
    /// - Returns: `true` if any rule could be intended for requests to the host.
    /// - Throws: `limitExceeded` if a regular expression takes too much work.
    /// - Complexity: O(*n*) in the number of rules.
    func names(_ host: RequestHost, of url: String, within limit: UInt64) throws -> Bool {
        guard !isEmpty else { return false }
        let rules = rules.withLock { $0 }
        return try rules.contains { try $0.rule.pattern.names(host, of: url, within: limit) }
    }

    /// Returns the last matching rule that selects a source, and the changes from all matching overrides.
    ///
    /// Call this method once per request, because overrides can count requests, or again after an error.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The processor time for each regular expression, in nanoseconds; by default, only the work is limited.
    /// - Returns: The rule, or nil if no rule selects a source, and the changes in the order of their overrides.
    /// - Throws: `invalidRule` if the regular expression of a rule takes too much work for the request.
    func effects(
        on request: InterceptedRequest, within limit: UInt64 = .max
    ) throws(RelayError) -> (origin: ActiveRule?, changes: [ResponseOverride.Applied.Change]) {
        guard !isEmpty else { return (nil, []) }
        // Patterns can run user code, so they are evaluated outside the lock.
        let rules = rules.withLock { $0 }
        var affecting: [ActiveRule] = []
        for active in rules where try active.rule.affects(request, within: limit) { affecting.append(active) }
        var origins: [ActiveRule] = []
        var changes: [ResponseOverride.Applied.Change] = []
        for active in affecting {
            switch active.effect {
            case .origin: origins.append(active)
            case .overrides(let applied):
                guard active.use.begin() else { continue }
                changes += applied.filter { $0.draw() }.map(\.change)
            }
        }
        return (origins.last { $0.use.begin() }, changes)
    }

    /// Returns descriptions of the rules that are most similar to a request, for a message about a miss.
    ///
    /// - Parameters:
    ///   - request: A request that no rule answers.
    ///   - limit: The processor time for each regular expression, in nanoseconds.
    /// - Returns: At most three rules, the most similar rule first.
    /// - Throws: `limitExceeded` if a search must be repeated with a higher limit.
    func nearest(to request: InterceptedRequest, within limit: UInt64) throws -> [SimilarRule] {
        guard !isEmpty else { return [] }
        let found = try rules.withLock { $0 }.compactMap { active -> (rule: String, difference: RuleDifference)? in
            guard case .origin = active.effect else { return nil }
            let pattern = active.rule.pattern
            if try pattern.matches(request, within: limit) {
                guard let limit = active.rule.limit, active.use.isUsedUp else { return nil }
                let reason = "It is limited to \(limit == 1 ? "one request" : "\(limit) requests")."
                return (pattern.description, RuleDifference(reason, cost: 0))
            }
            return try pattern.difference(from: request, within: limit).map { (pattern.description, $0) }
        }
        return found.sorted { $0.difference.cost < $1.difference.cost }.prefix(Self.nearestCount)
            .map { SimilarRule(pattern: $0.rule, reason: $0.difference.text) }
    }

    /// The rules that have not affected any request, in the order in which they were added.
    var unused: [Rule] { rules.withLock { $0 }.filter { !$0.use.isNoted }.map(\.rule) }
}

/// The number of requests that a rule has affected.
final class RuleUse: Sendable {
    private let limit: Int
    private let count = Atomic(0)

    /// Creates a count.
    ///
    /// - Parameter limit: The maximum number of requests; nil for any number.
    init(limit: Int?) { self.limit = limit ?? .max }

    /// Whether the rule has affected a request.
    var isNoted: Bool { count.load(ordering: .relaxed) > 0 }

    /// Whether the rule has affected the maximum number of requests.
    var isUsedUp: Bool { count.load(ordering: .relaxed) >= limit }

    /// Counts a request, and returns whether the rule affects it.
    func begin() -> Bool {
        // Without a limit, only the first request is counted, so that threads do not contend for the counter.
        if limit == .max {
            if !isNoted { count.store(1, ordering: .relaxed) }
            return true
        }
        return !isUsedUp && count.add(1, ordering: .relaxed).oldValue < limit
    }
}
