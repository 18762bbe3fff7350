import HTTPArchive

extension Interceptor {
    /// Decides how to handle a request.
    ///
    /// Requests are decided in the order of the calls. If the decision is a complete response that needs no reading, no
    /// user code and no earlier decision, it is passed on immediately. All other decisions are made or passed on in the
    /// interceptor's queue.
    ///
    /// - Parameters:
    ///   - request: The original request, or the request that follows from a redirect.
    ///   - handle: Called once with the decision, on the calling thread or in the queue.
    package func decide(on request: InterceptedRequest, then handle: @escaping @Sendable (Decision) -> Void) {
        let mayWait = rules.mayTakeLong || configuration.matchHandler != nil
        guard isIdle, !mayWait else {
            return enqueue { [self] in
                PendingDecision(on: request, by: self, isInQueue: true, then: handle).begin()
            }
        }
        PendingDecision(on: request, by: self, isInQueue: false, then: handle).begin()
    }
}

/// A decision in the making, which consults the rules once, and then each archive at most once.
private struct PendingDecision: Sendable {
    private let request: InterceptedRequest
    private let interceptor: Interceptor
    private let handle: @Sendable (Decision) -> Void

    /// Whether this runs in the queue, where it may wait.
    private var isInQueue: Bool

    private var changes: [ResponseOverride.Applied.Change] = []

    init(
        on request: InterceptedRequest, by interceptor: Interceptor, isInQueue: Bool,
        then handle: @escaping @Sendable (Decision) -> Void
    ) {
        self.request = request
        self.interceptor = interceptor
        self.isInQueue = isInQueue
        self.handle = handle
    }

    /// Continues in the queue.
    private func inQueue(_ step: @escaping @Sendable (Self) -> Void) {
        guard !isInQueue else { return step(self) }
        interceptor.enqueue {
            var next = self
            next.isInQueue = true
            step(next)
        }
    }

    /// Passes the decision on.
    private func end(_ origin: Decision.Origin, from source: ObservedExchange.Source) {
        let decision = Decision(request: request, origin: origin, source: source, changes: changes)
        if case .reply = origin, changes.isEmpty { return handle(decision) }
        inQueue { $0.handle(decision) }
    }

    // MARK: - Rules

    consuming func begin() {
        let (active, changes) = interceptor.rules.effects(on: request)
        self.changes = changes
        guard let active, case .origin(let origin) = active.effect else { return respond(in: interceptor.mode) }
        let stub = ObservedExchange.Source.stub(active.rule.pattern.description)
        switch origin {
        case .reply(let reply): end(.reply(reply), from: stub)
        case .replies(let next): end(.reply(next()), from: stub)
        case .stub(let context, let respond): end(.closure(context, respond), from: stub)
        case .network(let route, let receiver): end(.network(route, receiver), from: .network)
        case .nothing: miss(after: interceptor.archives.search(for: request))
        case .archive: respond(in: interceptor.mode)
        case .mode(let mode): respond(in: mode, by: active.rule)
        }
    }

    // MARK: - Archives

    /// Decides by the archives and the network, as a mode says.
    ///
    /// - Parameters:
    ///   - mode: The mode.
    ///   - rule: The rule that sets the mode, or nil (the default) for the mode of the interceptor.
    private func respond(in mode: ReplayMode, by rule: Rule? = nil) {
        let mode = interceptor.recorder?.effective(mode) ?? mode
        let search = interceptor.archives.search(for: request)
        guard mode.asksArchives else { return respondFromNetwork(in: mode, by: rule, after: search) }
        if let handler = interceptor.configuration.matchHandler { handler(interceptor.explanation(of: request)) }
        find(by: search, in: mode, by: rule)
    }

    private func find(by search: EntrySearch, in mode: ReplayMode, by rule: Rule?) {
        var search = search
        do throws(KeyedEntries.NotAtHand) {
            guard let selected = try search.select(mayRead: isInQueue) else {
                return respondFromNetwork(in: mode, by: rule, after: search)
            }
            respond(from: selected, in: mode)
        } catch {
            let rest = search
            inQueue { $0.find(by: rest, in: mode, by: rule) }
        }
    }

    private func respond(from selected: SelectedEntry, in mode: ReplayMode) {
        // Overrides may need the recorded timings, which are not cached.
        if let reply = selected.cached, changes.isEmpty, mode.age == nil {
            return end(.reply(reply), from: selected.source)
        }
        inQueue { step in
            let (reply, identity) = selected.read()
            if let age = mode.age, let recorder = step.interceptor.recorder, let identity,
                recorder.replaces(identity, of: selected.player.entries.name, after: age)
            {
                return step.end(.network(nil, recorder.receiver(replacing: .entry(identity))), from: .network)
            }
            step.end(.reply(reply), from: selected.source)
        }
    }

    // MARK: - Requests without an entry

    private func respondFromNetwork(in mode: ReplayMode, by rule: Rule?, after search: EntrySearch) {
        switch mode.otherwise {
        case .fail: miss(after: search)
        case .network: end(.network(nil, nil), from: .network)
        case .record: record(in: mode, by: rule)
        }
    }

    private func record(in mode: ReplayMode, by rule: Rule?) {
        guard let recorder = interceptor.recorder else { return end(.reply(.error(noArchiveError)), from: .nothing) }
        if let refusal = recorder.refuse() { return end(.reply(.error(refusal)), from: .nothing) }
        interceptor.noteRecording(of: request)
        let replaced = mode == .all ? rule.map(Replacement.requests) ?? .everything : .nothing
        end(.network(nil, recorder.receiver(replacing: replaced)), from: .network)
    }

    private var noArchiveError: RelayError {
        RelayError(
            .invalidSetting,
            "The interceptor '\(interceptor.name)' has no archive to record into; create it by 'replaying' or "
                + "'recordingTo'.")
    }

    private func miss(after search: EntrySearch) {
        inQueue { step in
            let interceptor = step.interceptor
            let error = interceptor.archives.miss(after: search)
            guard let handler = interceptor.configuration.missHandler, let context = interceptor.missContext else {
                return step.end(.reply(.error(error)), from: .nothing)
            }
            let respond: @Sendable (InterceptedRequest) async throws -> Reply = { request in
                await handler(request, error)
                return .error(error)
            }
            step.end(.closure(context, respond), from: .nothing)
        }
    }
}

extension Interceptor {
    /// Adds rules, which apply to all requests from now on.
    ///
    /// ```swift
    /// interceptor.add(.stub("api.example.com/items/*", .status(404)), .passThrough("localhost:8080/**"))
    /// ```
    ///
    /// - Parameter rules: The rules. The last one takes precedence over all others. A rule that was added before moves
    ///   to the end and resets its state.
    public func add(_ rules: Rule...) { add(rules) }

    /// Adds rules, which apply to all requests from now on.
    ///
    /// - Parameter rules: The rules. The last one takes precedence over all others.
    public func add(_ rules: [Rule]) { self.rules.add(rules) }

    /// Removes rules, which no longer apply to requests from now on.
    ///
    /// - Parameter rules: The rules. Rules that were not added are ignored.
    public func remove(_ rules: Rule...) { self.rules.remove(Set(rules.map(\.id))) }

    /// Removes all rules, which no longer apply to requests from now on.
    public func removeAllRules() { rules.removeAll() }
}
