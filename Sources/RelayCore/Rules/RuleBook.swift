import Synchronization

/// The rules of an interceptor, which can change while requests are running.
final class RuleBook: Sendable {
    /// A rule with its state for this interceptor.
    struct ActiveRule: Sendable {
        let rule: Rule
        let effect: Rule.Effect

        /// Whether the rule has affected a request.
        let use = RuleUse()
    }

    private let rules = Mutex<[ActiveRule]>([])
    private let count = Atomic(0)

    /// The number of rules whose patterns can take a long time to match.
    private let slowCount = Atomic(0)

    /// Whether there are no rules. Reading this property does not acquire a lock.
    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// Appends rules, which take precedence over earlier rules.
    ///
    /// If a rule was already added, it moves to the end and its state is reset.
    func add(_ added: [Rule]) {
        let active = added.map { ActiveRule(rule: $0, effect: $0.makeEffect()) }
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

    /// Whether the pattern of any rule names a host.
    ///
    /// - Parameters:
    ///   - host: The host of a request.
    ///   - url: The URL of the request.
    /// - Returns: `true` if any rule could be intended for requests to the host.
    /// - Complexity: O(*n*) in the number of rules.
    func names(_ host: RequestHost, of url: String) -> Bool {
        guard !isEmpty else { return false }
        let rules = rules.withLock { $0 }
        return rules.contains { $0.rule.pattern.names(host, of: url) }
    }

    /// Returns the last matching rule that selects a source, and the changes from all matching overrides.
    ///
    /// Call this method once per request, because overrides can count requests.
    ///
    /// - Parameter request: The request.
    /// - Returns: The rule, or nil if no rule selects a source, and the changes in the order of their overrides.
    func effects(on request: InterceptedRequest) -> (origin: ActiveRule?, changes: [ResponseOverride.Applied.Change]) {
        guard !isEmpty else { return (nil, []) }
        // Patterns can run user code, so they are evaluated outside the lock.
        let rules = rules.withLock { $0 }
        var origin: ActiveRule?
        var changes: [ResponseOverride.Applied.Change] = []
        for active in rules where active.rule.pattern.matches(request) {
            switch active.effect {
            case .origin: origin = active
            case .overrides(let applied):
                active.use.note()
                changes += applied.filter { $0.draw() }.map(\.change)
            }
        }
        origin?.use.note()
        return (origin, changes)
    }

    /// The rules that have not affected any request, in the order in which they were added.
    var unused: [Rule] { rules.withLock { $0 }.filter { !$0.use.isNoted }.map(\.rule) }
}

/// A flag that is set when a rule affects a request.
final class RuleUse: Sendable {
    private let noted = Atomic(false)

    var isNoted: Bool { noted.load(ordering: .relaxed) }

    func note() { if !isNoted { noted.store(true, ordering: .relaxed) } }
}
