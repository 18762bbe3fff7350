import Dispatch
import HTTPArchive
import Synchronization

/// Answers the requests of sessions in place of the network.
///
/// Rules say what becomes of requests: replies made by code, the network, overrides of what comes back. What no rule is
/// for is answered from the archives. Any number of interceptors work side by side: each sees the requests of its own
/// sessions and of its own scopes.
public final class Interceptor: Sendable {
    /// What messages call this interceptor, such as the name of its archive.
    public let name: String

    /// The settings.
    public let configuration: Configuration

    /// What no other interceptor of this process ever has: its key in ``InterceptorTable``.
    let number: Int

    /// Where it is decided what becomes of the requests that cannot be answered at once, in the order in which they came.
    let queue: DispatchQueue

    let rules = RuleBook()
    let archives: ArchiveLayers
    let observers = Observers()

    /// How many requests are in the queue.
    private let waiting = Atomic(0)

    private let stopped = Atomic(false)

    /// What runs beyond the queue, to be told when the interceptor is stopped.
    private let running = Mutex<[ObjectIdentifier: @Sendable (HARError) -> Void]>([:])

    /// Creates an interceptor that answers from archives.
    init(name: String, archives: ArchiveLayers, configuration: Configuration) {
        self.name = name
        self.archives = archives
        self.configuration = configuration
        number = InterceptorTable.makeNumber()
        queue = DispatchQueue(label: "Interceptor \(name)")
        InterceptorTable.insert(self)
    }

    deinit {
        InterceptorTable.remove(number)
        observers.finish()
    }

    /// What becomes of a request; to be called once for each, in the queue.
    ///
    /// - Parameter request: The request, or what follows a redirect of it.
    /// - Returns: Where its reply comes from, and what is changed in it.
    func decide(on request: InterceptedRequest) -> Decision {
        let (rule, overrides) = rules.effects(on: request)
        let (origin, source) = rule.flatMap { self.origin(by: $0, of: request) } ?? originWithoutRule(of: request)
        return Decision(
            request: request, origin: origin, source: source,
            changes: overrides.filter { $0.draw() }.map(\.change))
    }

    private func origin(
        by active: RuleBook.ActiveRule, of request: InterceptedRequest
    ) -> (Decision.Origin, ObservedExchange.Source)? {
        guard case .origin(let origin) = active.effect else { return nil }
        let stub = ObservedExchange.Source.stub(active.rule.pattern.description)
        switch origin {
        case .reply(let reply): return (.reply(reply), stub)
        case .replies(let next): return (.reply(next()), stub)
        case .stub(let context, let answer): return (.closure(context, answer), stub)
        case .network: return (.network(nil), .network)
        case .route(let route): return (.network(route), .network)
        case .nothing: return (.reply(.error(archives.miss(for: request))), .nothing)
        case .archive: return nil
        }
    }

    private func originWithoutRule(of request: InterceptedRequest) -> (Decision.Origin, ObservedExchange.Source) {
        if let played = archives.answer(to: request) {
            var reply = Reply(played.outcome)
            reply.timings = played.timings
            reply.breakOff = played.breakOff
            return (.reply(reply), .archive(name: played.archive, entry: played.entry))
        }
        switch configuration.unmatchedRequests {
        case .passThrough: return (.network(nil), .network)
        case .fail: return (.reply(.error(archives.miss(for: request))), .nothing)
        }
    }

    /// The response to a request, when it is at hand, nothing is to be done with it, and no request that came before is
    /// waiting.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response; `nil` when ``decide(on:)`` is to be called in the queue.
    func knownResponse(to request: InterceptedRequest) -> KnownResponse? {
        guard !isStopped, waiting.load(ordering: .sequentiallyConsistent) == 0, !isObserved else { return nil }
        switch rules.quickly(for: request) {
        case .reply(let reply): return reply.isImmediate ? reply.completed(for: request).known : nil
        case .noRule: return archives.knownResponse(to: request)
        case .notAtHand: return nil
        }
    }

    /// Runs a step of a request in the queue.
    func enqueue(_ step: @escaping @Sendable () -> Void) {
        waiting.add(1, ordering: .sequentiallyConsistent)
        queue.async { [self] in
            step()
            waiting.subtract(1, ordering: .sequentiallyConsistent)
        }
    }
}

extension Interceptor {
    /// Ends the requests that still run, with an error that says so, and lets all later ones fail in the same way.
    ///
    /// A test that is over does so with its interceptor, so that nothing that it left behind goes on.
    public func stop() {
        stopped.store(true, ordering: .sequentiallyConsistent)
        let ends = running.withLock { running in
            defer { running = [:] }
            return running.values.map { $0 }
        }
        for end in ends { end(stoppedError) }
        observers.finish()
    }

    /// Whether the interceptor was stopped.
    var isStopped: Bool { stopped.load(ordering: .sequentiallyConsistent) }

    /// Whether a request is beyond the queue and waits for something.
    var isAnythingRunning: Bool { running.withLock { !$0.isEmpty } }

    /// What requests end with once the interceptor is stopped.
    var stoppedError: HARError {
        HARError(.interceptorGone, "The interceptor '\(name)' was stopped; keep it for as long as its requests run.")
    }

    /// Has something that runs beyond the queue be told when the interceptor is stopped.
    ///
    /// - Parameters:
    ///   - object: Stands for what runs.
    ///   - end: Is called at once when the interceptor is stopped already.
    func keepRunning(_ object: AnyObject, end: @escaping @Sendable (HARError) -> Void) {
        running.withLock { $0[ObjectIdentifier(object)] = end }
        // Who stops it sees either what is here, or is seen here.
        if isStopped { end(stoppedError) }
    }

    /// Forgets what was given to ``keepRunning(_:end:)``.
    func endRunning(_ object: AnyObject) {
        running.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(object)) }
    }
}
