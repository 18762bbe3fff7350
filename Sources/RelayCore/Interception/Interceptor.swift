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
    package let number: Int

    /// Where it is decided what becomes of the requests that cannot be answered at once, in the order in which they came.
    let queue: DispatchQueue

    let rules = RuleBook()
    package let archives: ArchiveLayers

    /// Where answers come from that no rule gives.
    let mode: ReplayMode

    /// What records; `nil` where there is no archive to record into.
    let recorder: Recorder?

    let observers = Observers()

    /// A value that an adapter keeps with this interceptor, such as the cookies of replayed responses.
    private let adapterValue = Mutex<(any Sendable)?>(nil)

    /// The error of every request, or nil for an interceptor that responds.
    package let refusal: RelayError?

    /// The hosts of the requests that were recorded.
    private let recordedHosts = Mutex<Set<RequestHost>>([])

    /// Where misses are told of; `nil` where nobody is.
    let missContext: TaskContext?

    /// How many requests are in the queue.
    private let waiting = Atomic(0)

    private let stopped = Atomic(false)

    /// What has taken the place of this interceptor.
    private let successor = Mutex<Interceptor?>(nil)

    /// What runs beyond the queue, to be told when the interceptor is stopped.
    private let running = Mutex<[ObjectIdentifier: @Sendable (RelayError) -> Void]>([:])

    /// Creates an interceptor that answers from archives, and may record.
    ///
    /// - Parameters:
    ///   - name: What messages call it.
    ///   - archives: The archives.
    ///   - mode: Where answers come from that no rule gives; `nil` (the default) where the configuration says it.
    ///   - recorder: What records; `nil` (the default) where nothing can be.
    ///   - refusal: The error of every request, or nil (the default) for an interceptor that responds.
    ///   - configuration: The settings.
    init(
        name: String, archives: ArchiveLayers, mode: ReplayMode? = nil, recorder: Recorder? = nil,
        refusal: RelayError? = nil, configuration: Configuration
    ) {
        self.name = name
        self.refusal = refusal
        self.archives = archives
        self.mode = mode ?? (configuration.unmatchedRequests == .fail ? .replay : .passThrough)
        self.recorder = recorder
        self.configuration = configuration
        missContext = configuration.missHandler == nil ? nil : TaskContext()
        number = InterceptorTable.makeNumber()
        queue = DispatchQueue(label: "Interceptor \(name)")
        InterceptorTable.insert(self)
    }

    deinit {
        if !isStopped { noteUse() }
        InterceptorTable.remove(number)
        observers.finish()
    }

    /// The response to a request, when it is at hand, nothing is to be done with it, and no request that came before is
    /// waiting.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response; `nil` when ``decide(on:)`` is to be called in the queue.
    package func cachedResponse(to request: InterceptedRequest) -> CachedResponse? {
        guard isReady else { return nil }
        switch rules.quickly(for: request) {
        case .reply(let reply): return reply.isImmediate ? reply.completed(for: request).known : nil
        case .noRule:
            guard mode.age == nil, configuration.matchHandler == nil else { return nil }
            return archives.cachedResponse(to: request)
        case .network, .notAtHand: return nil
        }
    }

    /// Whether requests can be decided on where they come from: nobody sees that, and none waits for its turn.
    var isReady: Bool { !isStopped && waiting.load(ordering: .sequentiallyConsistent) == 0 && !isObserved }

    /// Runs a step of a request in the queue.
    package func enqueue(_ step: @escaping @Sendable () -> Void) {
        waiting.add(1, ordering: .sequentiallyConsistent)
        queue.async { [self] in
            step()
            waiting.subtract(1, ordering: .sequentiallyConsistent)
        }
    }
}

extension Interceptor {
    /// Creates an interceptor that fails every request with an error.
    package convenience init(refusingWith error: RelayError) {
        let configuration = Configuration()
        self.init(
            name: "refusal", archives: ArchiveLayers([], configuration: configuration), refusal: error,
            configuration: configuration)
    }

    /// Whether the archives, the rules, or the recording name the host of a URL.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - url: The URL that the host is from.
    /// - Returns: Whether a request to the host may be meant for this interceptor.
    /// - Complexity: O(*n*) in the number of rules and archives; the first call reads the URLs of all entries.
    package func knows(_ host: RequestHost, of url: String) -> Bool {
        rules.names(host, of: url) || archives.knows(host) || recordedHosts.withLock { $0.contains(host) }
    }

    /// Notes that a request is recorded, which makes its host one that this interceptor knows.
    func noteRecording(of request: InterceptedRequest) {
        guard let host = RequestHost(of: request.url) else { return }
        recordedHosts.withLock { _ = $0.insert(host) }
    }

    /// Returns the value that the adapter keeps with this interceptor.
    ///
    /// - Parameter make: Creates the value for the first call. All calls for one interceptor must use one type.
    /// - Returns: The value.
    package func adapterValue<Value: Sendable>(_ make: () -> Value) -> Value {
        adapterValue.withLock { value in
            if let value = value as? Value { return value }
            let made = make()
            value = made
            return made
        }
    }

    /// Has another interceptor answer the requests that come to this one from now on.
    ///
    /// This is for sessions that play another archive later in their lives. Requests that have begun stay where they are.
    ///
    /// - Parameter other: What takes its place, and is kept alive by it; `nil` for this interceptor itself.
    public func replace(with other: Interceptor?) { successor.withLock { $0 = other === self ? nil : other } }

    /// What answers the requests that come to this interceptor.
    package var answering: Interceptor { successor.withLock { $0 } ?? self }

    /// Ends the requests that still run, with an error that says so, and lets all later ones fail in the same way.
    ///
    /// A test that is over does so with its interceptor, so that nothing that it left behind goes on.
    public func stop() {
        recorder?.stop()
        let wasStopped = stopped.exchange(true, ordering: .sequentiallyConsistent)
        let ends = running.withLock { running in
            defer { running = [:] }
            return running.values.map { $0 }
        }
        for end in ends { end(stoppedError) }
        observers.finish()
        if !wasStopped { noteUse() }
    }

    /// Whether the interceptor was stopped.
    package var isStopped: Bool { stopped.load(ordering: .sequentiallyConsistent) }

    /// Whether a request is beyond the queue and waits for something.
    var isAnythingRunning: Bool { running.withLock { !$0.isEmpty } }

    /// What requests end with once the interceptor is stopped.
    package var stoppedError: RelayError {
        RelayError(.interceptorGone, "The interceptor '\(name)' was stopped; keep it for as long as its requests run.")
    }

    /// Has something that runs beyond the queue be told when the interceptor is stopped.
    ///
    /// - Parameters:
    ///   - object: Stands for what runs.
    ///   - end: Is called at once when the interceptor is stopped already.
    package func keepRunning(_ object: AnyObject, end: @escaping @Sendable (RelayError) -> Void) {
        running.withLock { $0[ObjectIdentifier(object)] = end }
        // Who stops it sees either what is here, or is seen here.
        if isStopped { end(stoppedError) }
    }

    /// Forgets what was given to ``keepRunning(_:end:)``.
    package func endRunning(_ object: AnyObject) {
        running.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(object)) }
    }
}
