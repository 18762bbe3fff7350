import Synchronization

/// The rules of an interceptor, which may change while requests are running.
final class RuleBook: Sendable {
    /// A rule with its state for this interceptor.
    struct ActiveRule: Sendable {
        let rule: Rule
        let effect: Rule.Effect
    }

    private let rules = Mutex<[ActiveRule]>([])
    private let count = Atomic(0)

    /// The number of rules whose patterns may take long.
    private let slowCount = Atomic(0)

    /// Whether there is no rule; takes no lock.
    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// Adds rules at the end; a rule that was added before moves there and resets its state.
    ///
    /// The last rule takes precedence.
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

    /// Whether finding the rules for a request may take long or run user code.
    var mayTakeLong: Bool { slowCount.load(ordering: .acquiring) > 0 }

    /// Whether the pattern of a rule names a host.
    ///
    /// - Parameters:
    ///   - host: The host of a request.
    ///   - url: The URL of the request.
    /// - Returns: `true` if a rule may be intended for requests to the host.
    /// - Complexity: O(*n*) in the number of rules.
    func names(_ host: RequestHost, of url: String) -> Bool {
        guard !isEmpty else { return false }
        let rules = rules.withLock { $0 }
        return rules.contains { $0.rule.pattern.names(host, of: url) }
    }

    /// Returns the last rule for a request that selects a source, and the changes of all matching overrides.
    ///
    /// This must be called once for each request, because overrides may count requests.
    ///
    /// - Parameter request: The request.
    /// - Returns: The rule, or nil if no rule selects a source, and the changes in the order of their overrides.
    func effects(on request: InterceptedRequest) -> (origin: ActiveRule?, changes: [ResponseOverride.Applied.Change]) {
        guard !isEmpty else { return (nil, []) }
        // Patterns may run user code, so they are evaluated outside the lock.
        let rules = rules.withLock { $0 }
        var origin: ActiveRule?
        var changes: [ResponseOverride.Applied.Change] = []
        for active in rules where active.rule.pattern.matches(request) {
            switch active.effect {
            case .origin: origin = active
            case .overrides(let applied): changes += applied.filter { $0.draw() }.map(\.change)
            }
        }
        return (origin, changes)
    }
}
