import HTTPArchive

extension Interceptor {
    private typealias Answer = (origin: Decision.Origin, source: ObservedExchange.Source)

    /// Finds out what becomes of a request where that is the network, and neither archives nor code of others are asked.
    ///
    /// - Parameter request: The request, at its time: nothing that came before it waits to be decided on.
    /// - Returns: The decision; `nil` where ``decide(on:)`` has to find it out.
    package func knownDecision(on request: InterceptedRequest) -> Decision? {
        guard isReady else { return nil }
        let answer: Answer
        switch rules.quickly(for: request) {
        case .network: answer = (.network(nil), .network)
        case .noRule where asksNobody: answer = self.answer(in: mode, to: request)
        case .noRule, .reply, .notAtHand: return nil
        }
        let decision = Decision(request: request, origin: answer.origin, source: answer.source, changes: [])
        // A recording that is refused sends nothing.
        return decision.isLive ? decision : nil
    }

    /// What becomes of a request; to be called once for each, in the queue.
    ///
    /// - Parameter request: The request, or what follows a redirect of it.
    /// - Returns: Where its reply comes from, and what is changed in it.
    package func decide(on request: InterceptedRequest) -> Decision {
        let (rule, overrides) = rules.effects(on: request)
        let answer = rule.flatMap { self.answer(by: $0, to: request) } ?? answer(in: mode, to: request)
        return Decision(
            request: request, origin: answer.origin, source: answer.source,
            changes: overrides.filter { $0.draw() }.map(\.change))
    }

    /// Whether requests that no rule answers go to the network, and nobody is asked before.
    private var asksNobody: Bool {
        let mode = recorder?.effective(mode) ?? mode
        return !mode.asksArchives || mode.otherwise != .fail && archives.isEmpty && configuration.matchHandler == nil
    }

    private func answer(by active: RuleBook.ActiveRule, to request: InterceptedRequest) -> Answer? {
        guard case .origin(let origin) = active.effect else { return nil }
        let stub = ObservedExchange.Source.stub(active.rule.pattern.description)
        switch origin {
        case .reply(let reply): return (.reply(reply), stub)
        case .replies(let next): return (.reply(next()), stub)
        case .stub(let context, let answer): return (.closure(context, answer), stub)
        case .network: return (.network(nil), .network)
        case .route(let route): return (.network(route), .network)
        case .record(let route, let receiver): return (.record(route, receiver), .network)
        case .nothing: return miss(request)
        case .archive: return nil
        case .mode(let mode): return answer(in: mode, by: active.rule, to: request)
        }
    }

    /// The answer to a request as a mode says.
    ///
    /// - Parameters:
    ///   - mode: Where it comes from.
    ///   - rule: The rule that says so; `nil` by default, for the mode of the interceptor.
    ///   - request: The request.
    /// - Returns: Where the answer comes from, and what is said of that.
    private func answer(in mode: ReplayMode, by rule: Rule? = nil, to request: InterceptedRequest) -> Answer {
        let mode = recorder?.effective(mode) ?? mode
        if mode.asksArchives, let handler = configuration.matchHandler { handler(explanation(of: request)) }
        if mode.asksArchives, let played = archives.answer(to: request) {
            if let age = mode.age, let recorder, let old = recorder.oldEntry(played, age: age) {
                return (.record(nil, recorder.receiver(replacing: .entry(old))), .network)
            }
            var reply = Reply(played.outcome)
            reply.timings = played.timings
            reply.breakOff = played.breakOff
            reply.isLast = played.isLast
            return (.reply(reply), .archive(name: played.archive, entry: played.entry))
        }
        switch mode.otherwise {
        case .fail: return miss(request)
        case .network: return (.network(nil), .network)
        case .record:
            guard let recorder else { return (.reply(.error(noArchiveError)), .nothing) }
            if let refusal = recorder.refuse() { return (.reply(.error(refusal)), .nothing) }
            noteRecording(of: request)
            guard mode == .all else { return (.record(nil, recorder.receiver(replacing: .nothing)), .network) }
            return (.record(nil, recorder.receiver(replacing: rule.map(Replacement.requests) ?? .everything)), .network)
        }
    }

    private var noArchiveError: RelayError {
        RelayError(
            .invalidSetting,
            "The interceptor '\(name)' has no archive to record into; create it by 'replaying' or 'recordingTo'.")
    }

    private func miss(_ request: InterceptedRequest) -> Answer {
        let error = archives.miss(for: request)
        guard let handler = configuration.missHandler, let missContext else { return (.reply(.error(error)), .nothing) }
        let reply = Decision.Origin.closure(missContext) { request in
            await handler(request, error)
            return .error(error)
        }
        return (reply, .nothing)
    }
}

extension Interceptor {
    /// Adds rules, which hold for every request from now on.
    ///
    /// ```swift
    /// interceptor.add(.stub("api.example.com/items/*", .status(404)), .passThrough("localhost:8080/**"))
    /// ```
    ///
    /// - Parameter rules: The rules; the last of them goes before all others. One that is there already moves to that place,
    ///   and begins anew.
    public func add(_ rules: Rule...) { add(rules) }

    /// Adds rules, which hold for every request from now on.
    ///
    /// - Parameter rules: The rules; the last of them goes before all others.
    public func add(_ rules: [Rule]) { self.rules.add(rules) }

    /// Takes rules away, for every request from now on.
    ///
    /// - Parameter rules: The rules; those that are not there do not matter.
    public func remove(_ rules: Rule...) { self.rules.remove(Set(rules.map(\.id))) }

    /// Takes all rules away, for every request from now on.
    public func removeAllRules() { rules.removeAll() }
}
