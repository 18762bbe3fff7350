import HTTPArchive

extension Interceptor {
    private typealias Answer = (origin: Decision.Origin, source: ObservedExchange.Source)

    /// Returns the decision for a request that goes to the network, if neither archives nor user code must be
    /// consulted.
    ///
    /// - Parameter request: The request. No earlier request may be waiting for its decision.
    /// - Returns: The decision, or nil if ``decide(on:)`` must be called.
    package func knownDecision(on request: InterceptedRequest) -> Decision? {
        guard isReady else { return nil }
        let answer: Answer
        switch rules.quickly(for: request) {
        case .network: answer = (.network(nil), .network)
        case .noRule where asksNobody: answer = self.answer(in: mode, to: request)
        case .noRule, .reply, .notAtHand: return nil
        }
        let decision = Decision(request: request, origin: answer.origin, source: answer.source, changes: [])
        // A refused recording sends nothing.
        return decision.isLive ? decision : nil
    }

    /// Decides how to handle a request.
    ///
    /// This must be called once for each request, in the queue.
    ///
    /// - Parameter request: The original request, or the request that follows from a redirect.
    /// - Returns: The source of the response and the changes to it.
    package func decide(on request: InterceptedRequest) -> Decision {
        let (rule, overrides) = rules.effects(on: request)
        let answer = rule.flatMap { self.answer(by: $0, to: request) } ?? answer(in: mode, to: request)
        return Decision(
            request: request, origin: answer.origin, source: answer.source,
            changes: overrides.filter { $0.draw() }.map(\.change))
    }

    /// Whether requests that match no rule go to the network without consulting archives or handlers.
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

    /// Returns the source of the response to a request in a mode.
    ///
    /// - Parameters:
    ///   - mode: The mode.
    ///   - rule: The rule that sets the mode, or nil (the default) for the mode of the interceptor.
    ///   - request: The request.
    /// - Returns: The origin of the response, and the source to report.
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
