import Foundation
import HTTPArchive
import Synchronization

/// A decision about how to handle a request.
///
/// Decisions are made in the order in which requests arrive.
package struct Decision: Sendable {
    /// The source of a response.
    package enum Origin: Sendable {
        case reply(Reply)
        case closure(TaskContext, @Sendable (InterceptedRequest) async throws -> Reply)

        /// The network, with an optional route to another URL, and an optional receiver to record the exchange.
        case network(Route?, ExchangeReceiver?)
    }

    /// The abilities of an adapter.
    package enum Adapter: Sendable {
        /// The adapter sends requests to the network, and needs bodies in memory.
        case client

        /// The adapter sends requests to the network, and stores bodies in files.
        ///
        /// It reads large bodies from their files (``InterceptedResponse/storedBody``).
        case download

        /// The adapter responds to requests of other programs.
        ///
        /// It reads large bodies from their files (``InterceptedResponse/storedBody``). A route leads to the entries of
        /// its target. A request without an entry there is sent to the target (``Decision/request``).
        case server
    }

    /// The request that was decided on; for a server, its URL is the target of a route.
    package let request: InterceptedRequest
    package let origin: Origin
    package let source: ObservedExchange.Source
    package let changes: [ResponseOverride.Applied.Change]

    /// Whether the response comes from the network.
    package var isLive: Bool {
        if case .network = origin { true } else { false }
    }

    /// The response, or nil if it is not available immediately.
    package var immediateReply: Reply? {
        guard case .reply(var reply) = origin, changes.allSatisfy(\.isImmediate) else { return nil }
        if !changes.isEmpty { apply(to: &reply) }
        return reply.completed(for: request)
    }

    /// Returns this decision with the request and overrides of the decision before a redirect.
    ///
    /// A session that follows redirects delivers only the last response, so the overrides for the first request apply
    /// to that response.
    ///
    /// - Parameter earlier: The decision before the redirect, or nil if there was no redirect.
    /// - Returns: The combined decision, or this decision if `earlier` is nil or the response is not from the network.
    package func changed(by earlier: Decision?) -> Decision {
        guard let earlier, isLive else { return self }
        return Decision(request: earlier.request, origin: origin, source: source, changes: earlier.changes)
    }

    /// Returns an override's error with the request added to its message, or any other error unchanged.
    private func located(_ error: any Error) -> any Error {
        let cause: (message: String, context: HARError.Context, underlying: (any Error)?)
        switch error {
        case let error as RelayError where error.code == .overrideFailed:
            cause = (error.message, error.context, error.underlying)
        case let error as HARError where error.code == .editFailed: cause = (error.message, error.context, error)
        default: return error
        }
        let subject = "The response to \(request.method) \(MessageText.url(request.url)) cannot be overridden."
        return RelayError(
            .overrideFailed, "\(subject) \(cause.message)", at: cause.context, underlying: cause.underlying)
    }

    private func apply(to reply: inout Reply) {
        reply = reply.completed(for: request).changeable
        do {
            for case .now(_, let change) in changes { try change(request, &reply) }
        } catch {
            reply = .error(located(error))
        }
    }
}

extension Decision {
    /// Runs the closures that produce and change the response.
    ///
    /// - Parameters:
    ///   - limit: The time limit for each closure.
    ///   - live: The response from the network, or nil if the request was not sent.
    /// - Returns: The response, or an error response if a closure throws or exceeds its time limit.
    package func reply(within limit: TimeLimit, live: Reply?) async -> Reply {
        let request = request
        do {
            var reply =
                switch origin {
                case .reply(let reply): reply
                case .network: live ?? .failure(.unknown)
                case .closure(let context, let answer): try await limit.run(in: context) { try await answer(request) }
                }
            reply = reply.completed(for: request).changeable
            for change in changes {
                switch change {
                case .now(_, let change): try change(request, &reply)
                case .later(let context, let change):
                    let current = reply
                    reply = try await limit.run(in: context) { try await change(request, current) }
                }
            }
            return reply.completed(for: request)
        } catch {
            return .error(located(error))
        }
    }
}

extension Interceptor {
    /// Decides how to handle a request.
    ///
    /// Decisions are made in the order of the calls. The closure is called synchronously if the response is complete,
    /// or a server sends the request to the network, no earlier decision is pending, and neither file access nor user
    /// code is required. Otherwise, it is called on a queue of the interceptor. For a server, large requests, and requests
    /// for which a search for a regular expression takes long, are decided later than small ones.
    ///
    /// - Parameters:
    ///   - request: The original request, or the request after a redirect.
    ///   - adapter: The adapter that asks; a client by default.
    ///   - isCanceled: Whether the request was canceled while it was waiting in a queue. A canceled request reaches no
    ///     further rule or archive. By default, requests cannot be canceled.
    ///   - handle: A closure that is called with the decision, on the calling thread or on a queue of the interceptor.
    ///     It is called once, or never if the request was canceled.
    package func decide(
        on request: InterceptedRequest, for adapter: Decision.Adapter = .client,
        unless isCanceled: @escaping @Sendable () -> Bool = { false },
        then handle: @escaping @Sendable (Decision) -> Void
    ) {
        let mayWait = rules.mayTakeLong || configuration.matchHandler != nil
        let decision = PendingDecision(
            request: request, interceptor: self, adapter: adapter, isCanceled: isCanceled, handle: handle,
            size: adapter != .server
                ? .small : WorkSize(searching: rules.mayTakeLong ? request.url : "", reading: request.byteCount))
        guard isIdle, !mayWait, decision.size == .small else { return decision.inQueue { $0.begin() } }
        decision.begin()
    }
}

/// A decision in progress.
///
/// It evaluates the rules once, and searches each archive at most once.
private struct PendingDecision: Sendable {
    var request: InterceptedRequest
    let interceptor: Interceptor
    let adapter: Decision.Adapter
    let isCanceled: @Sendable () -> Bool
    let handle: @Sendable (Decision) -> Void

    /// The size of the work so far, which selects the queue.
    var size: WorkSize

    /// Whether the decision is being made on a queue of the interceptor, where blocking is allowed.
    var isInQueue = false

    var changes: [ResponseOverride.Applied.Change] = []

    /// Runs a step on a queue of the interceptor, or immediately if the decision is already being made on that queue.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes that the step reads; 0 by default. Only decisions for a server change their
    ///     queue.
    ///   - step: The step. It does not run if the request is canceled before.
    func inQueue(reading byteCount: Int = 0, _ step: @escaping @Sendable (Self) -> Void) {
        let size = adapter == .server ? max(size, WorkSize(byteCount)) : .small
        guard !isInQueue || size != self.size else { return step(self) }
        interceptor.enqueue(size, queued(size, step))
    }

    /// Returns a closure that runs a step on a queue, unless the request is canceled before.
    private func queued(_ size: WorkSize, _ step: @escaping @Sendable (Self) -> Void) -> @Sendable () -> Void {
        var next = self
        (next.size, next.isInQueue) = (size, true)
        return { [next] in
            if !next.isCanceled() { step(next) }
        }
    }

    /// The number of bytes of entries that a search may read now.
    private var readableSize: Int { !isInQueue ? 0 : adapter == .server ? size.limit : .max }

    /// The processor time for each regular expression now, in nanoseconds.
    private var searchTime: UInt64 { adapter == .server ? size.searchTime : .max }

    /// Passes the decision to the handler.
    private func end(_ origin: Decision.Origin, from source: ObservedExchange.Source) {
        let decision = Decision(request: request, origin: origin, source: source, changes: changes)
        if case .reply = origin, changes.isEmpty { return handle(decision) }
        // A server sends the request later, from the thread that asks.
        if case .network = origin, adapter == .server { return handle(decision) }
        guard !isInQueue else { return handle(decision) }
        // The decision may contain a receiver that a recording waits for, so it is delivered in any case.
        interceptor.enqueue(size) { handle(decision) }
    }

    // MARK: - Rules

    consuming func begin() {
        let active: RuleBook.ActiveRule?
        do throws(RelayError) {
            (active, changes) = try interceptor.rules.effects(on: request, within: searchTime)
        } catch {
            // On its queue, a search that takes long would delay other requests.
            if searchTime < .max { return inQueue(reading: size.limit + 1) { $0.begin() } }
            return end(.reply(.error(error)), from: .nothing)
        }
        guard let active, case .origin(let origin) = active.effect else { return respond(in: interceptor.mode) }
        let stub = ObservedExchange.Source.stub(active.rule.pattern.description)
        switch origin {
        case .reply(let next): end(.reply(next()), from: stub)
        case .stub(let context, let respond): end(.closure(context, respond), from: stub)
        case .network(let route?, _) where adapter == .server:
            let url = route.rerouted(request.url) ?? request.url
            request.url = url
            request.headers.set(HeaderField(name: "Host", value: String(LiteralURL(url).authority)))
            respond(in: interceptor.mode)
        case .network(let route, let receiver): end(.network(route, receiver), from: .network)
        case .nothing: miss(after: interceptor.archives.search(for: request))
        case .archive: respond(in: interceptor.mode)
        case .mode(let mode): respond(in: mode, by: active.rule)
        }
    }

    // MARK: - Archives

    /// Selects the archives or the network as the source of the response, according to a mode.
    ///
    /// - Parameters:
    ///   - mode: The mode.
    ///   - rule: The rule that sets the mode, or nil (the default) if the interceptor sets it.
    private func respond(in mode: ReplayMode, by rule: Rule? = nil) {
        let mode = interceptor.recorder?.effective(mode) ?? mode
        guard mode.asksArchives else {
            return respondFromNetwork(in: mode, by: rule, after: interceptor.archives.search(for: request))
        }
        if let handler = interceptor.configuration.matchHandler { handler(interceptor.explanation(of: request)) }
        find(by: interceptor.archives.search(for: request), in: mode, by: rule)
    }

    private func find(by search: ReplaySearch, in mode: ReplayMode, by rule: Rule?) {
        var search = search
        do throws(KeyedEntries.NotAtHand) {
            if let selected = try search.select(reading: readableSize) { return respond(from: selected, in: mode) }
            // The response to HEAD is the response to GET without its body (RFC 9110, section 9.3.2,
            // https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2).
            if adapter == .server, request.method == "HEAD" {
                return find(insteadOf: search, in: mode, by: rule)
            }
            respondFromNetwork(in: mode, by: rule, after: search)
        } catch {
            let rest = search
            inQueue(reading: error.byteCount) { $0.find(by: rest, in: mode, by: rule) }
        }
    }

    /// Searches for an entry of a GET request that can respond to a HEAD request.
    private func find(insteadOf search: ReplaySearch, in mode: ReplayMode, by rule: Rule?) {
        inQueue { step in
            var substituted = step
            substituted.request.method = "GET"
            var get = step.interceptor.archives.search(for: substituted.request)
            do throws(KeyedEntries.NotAtHand) {
                if let selected = try get.select(reading: step.readableSize) {
                    substituted.respond(from: selected, in: mode)
                } else {
                    step.respondFromNetwork(in: mode, by: rule, after: search)
                }
            } catch {
                step.inQueue(reading: error.byteCount) { $0.find(insteadOf: search, in: mode, by: rule) }
            }
        }
    }

    private func respond(from selected: SelectedEntry, in mode: ReplayMode) {
        let source = ObservedExchange.Source.archive(name: selected.player.entries.name, entry: selected.number)
        let readsInParts = adapter != .client && !changes.contains(where: \.readsBody)
        // Overrides may need the recorded timings, which are not cached.
        let mayBeCached = changes.isEmpty && mode.age == nil
        if mayBeCached, let reply = selected.cached, readsInParts || reply.storedBody == nil {
            return end(.reply(reply), from: source)
        }
        inQueue(reading: selected.byteCount) { step in
            // Many requests for a large entry can wait until it is read for the first of them.
            if mayBeCached, readsInParts, let reply = selected.nowCached {
                return step.end(.reply(reply), from: source)
            }
            let (reply, identity) = selected.read(inParts: readsInParts)
            if let age = mode.age, let recorder = step.interceptor.recorder, let identity,
                recorder.replaces(identity, of: selected.player.entries.name, after: age)
            {
                return step.end(recordedBy: recorder, replacing: .entry(identity))
            }
            step.end(.reply(reply), from: source)
        }
    }

    // MARK: - Requests without an entry

    private func respondFromNetwork(
        in mode: ReplayMode, by rule: Rule?, after search: @autoclosure () -> ReplaySearch
    ) {
        switch mode.otherwise {
        case .fail: miss(after: search())
        case .network: end(.network(nil, nil), from: .network)
        case .record: record(in: mode, by: rule)
        }
    }

    private func record(in mode: ReplayMode, by rule: Rule?) {
        guard let recorder = interceptor.recorder else { return end(.reply(.error(noArchiveError)), from: .nothing) }
        if let refusal = recorder.refuse() { return end(.reply(.error(refusal)), from: .nothing) }
        interceptor.noteRecording(of: request)
        let replaced = mode == .all ? rule.map(Replacement.requests) ?? .everything : .nothing
        end(recordedBy: recorder, replacing: replaced)
    }

    /// Sends the request to the network and records it, or fails it if the interceptor was stopped.
    ///
    /// A recording ends after `stop()`, and waits only for receivers that already exist. The receiver is therefore
    /// created before the check. Otherwise, the exchange could end after the recording has ended.
    private func end(recordedBy recorder: Recorder, replacing replacement: Replacement) {
        let receiver = recorder.receiver(replacing: replacement)
        guard !interceptor.isStopped else { return end(.reply(.error(interceptor.stoppedError)), from: .nothing) }
        end(.network(nil, receiver), from: .network)
    }

    private var noArchiveError: RelayError {
        RelayError(
            .invalidSetting,
            "The interceptor '\(interceptor.name)' has no archive to record into. Create the interceptor with "
                + "'replaying' or 'recordingTo'.")
    }

    /// Fails the request with an error that lists the nearest entries.
    ///
    /// Reading and comparing entries takes long, so it does not delay the decisions on other requests.
    private func miss(after search: ReplaySearch) {
        let interceptor = interceptor
        // The nearest entries are compared with the request.
        let size = adapter == .server ? max(size, WorkSize(4 * request.byteCount)) : .small
        let waiting = interceptor.waitingMisses.add(1, ordering: .relaxed).newValue
        // Very many clients can wait for such errors. The first ones name the nearest entries.
        let mayBeBrief = adapter == .server && waiting > Self.mostMisses
        let isLate = interceptor.missesAreLate.load(ordering: .relaxed) || waiting > Self.mostQueuedMisses
        if size == .small, mayBeBrief, isLate {
            explainMiss(after: search, isBrief: true)
            interceptor.waitingMisses.subtract(1, ordering: .relaxed)
            return
        }
        let start = ContinuousClock.now
        let explain = queued(size) { step in
            let isLate = ContinuousClock.now - start > .milliseconds(10)
            if size == .small { interceptor.missesAreLate.store(isLate, ordering: .relaxed) }
            step.explainMiss(after: search, isBrief: isLate && mayBeBrief)
        }
        let work: @Sendable () -> Void = {
            explain()
            interceptor.waitingMisses.subtract(1, ordering: .relaxed)
        }
        if size == .small { interceptor.missQueue.async(execute: work) } else { interceptor.enqueue(size, work) }
    }

    /// The number of misses that can wait as long as it takes to explain each.
    private static let mostMisses = 4

    /// The number of misses that can wait until it is known how long it takes to explain each.
    private static let mostQueuedMisses = 64

    private func explainMiss(after search: ReplaySearch, isBrief: Bool = false) {
        guard let rules = isBrief ? [] : try? interceptor.rules.nearest(to: request, within: searchTime) else {
            return inQueue(reading: size.limit + 1) { $0.explainMiss(after: search) }
        }
        let error = interceptor.archives.miss(after: search, rules: rules, isBrief: isBrief)
        guard let handler = interceptor.configuration.missHandler, let context = interceptor.missContext else {
            return end(.reply(.error(error)), from: .nothing)
        }
        let respond: @Sendable (InterceptedRequest) async throws -> Reply = { request in
            await handler(request, error)
            return .error(error)
        }
        end(.closure(context, respond), from: .nothing)
    }
}
