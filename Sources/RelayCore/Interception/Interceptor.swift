import Dispatch
import Foundation
import HTTPArchive
import Synchronization

/// Answers the requests of sessions in place of the network.
///
/// Rules select the source of responses, such as stubs or the network, and override responses. Requests that match no
/// rule are answered from archives. Any number of interceptors can be active at the same time. Each interceptor handles
/// the requests in its sessions and scopes.
public final class Interceptor: Sendable {
    /// The name of the interceptor in messages, such as the name of its archive.
    public let name: String

    /// The settings.
    public let configuration: Configuration

    /// The key of the interceptor in ``InterceptorTable``, unique within the process.
    package let number: Int

    /// The serial queue for decisions that wait, read files or run user code.
    let queue: DispatchQueue

    /// The serial queue for the errors of small requests without an entry.
    let missQueue: DispatchQueue

    /// The number of errors that are waiting or being made on the queue.
    let waitingMisses = Atomic(0)

    /// Whether the last error of a small request waited for long.
    let missesAreLate = Atomic(false)

    /// The serial queues for larger work, from medium to unlimited, which does not delay other decisions.
    let largeQueues: [DispatchQueue]

    let rules = RuleBook()
    package let archives: ArchiveLayers

    /// The source of responses for requests that match no rule.
    let mode: ReplayMode

    /// The recorder, or nil if this interceptor has no archive to write to.
    let recorder: Recorder?

    let observers = Observers()

    /// A value that an adapter stores with the interceptor, such as the cookies of replayed responses.
    private let adapterValue = Mutex<(any Sendable)?>(nil)

    /// The error with which every request fails, or nil if the interceptor handles requests.
    package let refusal: RelayError?

    /// The hosts of recorded requests.
    private let recordedHosts = Mutex<Set<RequestHost>>([])

    /// The context in which the miss handler runs, or nil if there is no handler.
    let missContext: TaskContext?

    /// The number of steps that are waiting or running on the queue.
    let waiting = Atomic(0)

    private let stopped = Atomic(false)

    /// The interceptor that replaces this interceptor, or nil for none.
    private let successor = Mutex<Interceptor?>(nil)

    /// The closures that end running requests when the interceptor is stopped, by object identifier.
    let running = Mutex<[ObjectIdentifier: @Sendable (RelayError) -> Void]>([:])

    /// Creates an interceptor that responds from archives and optionally records.
    ///
    /// - Parameters:
    ///   - name: The name of the interceptor in messages.
    ///   - archives: The archives, or nil (the default) for none.
    ///   - mode: The source of responses for requests that match no rule, or nil (the default) for the configured
    ///     source.
    ///   - recorder: The recorder, or nil (the default) for no recording.
    ///   - refusal: The error with which every request fails, or nil (the default) if the interceptor handles requests.
    ///   - configuration: The settings.
    init(
        name: String, archives: ArchiveLayers? = nil, mode: ReplayMode? = nil, recorder: Recorder? = nil,
        refusal: RelayError? = nil, configuration: Configuration
    ) {
        self.name = name
        self.refusal = refusal
        self.archives = archives ?? ArchiveLayers([], configuration: configuration)
        self.mode = mode ?? (configuration.unmatchedRequests == .fail ? .replay : .passThrough)
        self.recorder = recorder
        self.configuration = configuration
        missContext = configuration.missHandler == nil ? nil : TaskContext()
        number = InterceptorTable.makeNumber()
        queue = DispatchQueue(label: "Interceptor \(name)")
        missQueue = DispatchQueue(label: "Misses of interceptor \(name)")
        largeQueues = WorkSize.allCases.dropFirst().map { DispatchQueue(label: "Interceptor \(name), \($0)") }
        recorder?.delays(queue)
        InterceptorTable.insert(self)
    }

    deinit {
        if !isStopped { noteUse() }
        InterceptorTable.remove(number)
        observers.finish()
    }

    /// Whether the queue has no waiting or running steps.
    var isIdle: Bool { waiting.load(ordering: .sequentiallyConsistent) == 0 }

    /// Runs a step of a decision on the queue for its size.
    ///
    /// The queue for small steps is suspended while too many exchanges are waiting to be recorded.
    func enqueue(_ size: WorkSize = .small, _ step: @escaping @Sendable () -> Void) {
        guard size == .small else { return largeQueues[size.rawValue - 1].async(execute: step) }
        waiting.add(1, ordering: .sequentiallyConsistent)
        queue.async { [self] in
            step()
            waiting.subtract(1, ordering: .sequentiallyConsistent)
        }
    }

    /// Searches for rules for a client of a server, on the queues for decisions.
    ///
    /// - Parameters:
    ///   - url: The URL in which regular expressions are searched.
    ///   - byteCount: The number of bytes that are compared otherwise; 0 by default.
    ///   - isCanceled: Whether the request was canceled while it was waiting in a queue.
    ///   - search: A closure that receives the processor time for each regular expression, in nanoseconds. If it throws, it
    ///     is called again with a longer time on another queue, and finally with `UInt64.max`.
    ///   - handle: A closure that is called on a queue with the last result, unless the request was canceled.
    package func search<Value: Sendable>(
        in url: String, reading byteCount: Int = 0, unless isCanceled: @escaping @Sendable () -> Bool,
        _ search: @escaping @Sendable (_ limit: UInt64) throws -> Value,
        then handle: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let size = WorkSize(searching: url, reading: byteCount)
        enqueue(size) { [self] in
            guard !isCanceled() else { return }
            let result = Result { try search(size.searchTime) }
            guard case .failure = result, size < .unlimited else { return handle(result) }
            self.search(in: url, reading: size.limit + 1, unless: isCanceled, search, then: handle)
        }
    }

    /// Whether matching a request against the rules can take a long time or run user code.
    package var rulesMayTakeLong: Bool { rules.mayTakeLong }
}

extension Interceptor {
    /// Creates an interceptor that fails every request with an error.
    package convenience init(refusingWith error: RelayError) {
        self.init(name: "refusal", refusal: error, configuration: Configuration())
    }

    /// Returns whether an archive, a rule, or a recorded request contains a host.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - url: The URL that contains the host.
    /// - Returns: Whether a request to the host could be intended for this interceptor.
    /// - Complexity: O(*n*) in the number of rules and archives; the first call reads the URLs of all entries.
    package func knows(_ host: RequestHost, of url: String) -> Bool {
        // Without a result, a rule could be intended for the host.
        (try? knows(host, of: url, within: .max)) ?? true
    }

    /// Returns whether an archive, a rule, or a recorded request contains a host, as ``knows(_:of:)``.
    ///
    /// - Throws: `limitExceeded` if a regular expression takes too much work, or more than the processor time in
    ///   nanoseconds.
    package func knows(_ host: RequestHost, of url: String, within limit: UInt64) throws -> Bool {
        try rules.names(host, of: url, within: limit) || archives.knows(host)
            || recordedHosts.withLock { $0.contains(host) }
    }

    /// Stores the host of a recorded request, so that ``knows(_:of:)`` returns `true` for the host.
    func noteRecording(of request: InterceptedRequest) {
        guard let host = RequestHost(of: request.url) else { return }
        recordedHosts.withLock { _ = $0.insert(host) }
    }

    /// Returns the value that an adapter stores with the interceptor.
    ///
    /// The value is created on first use.
    ///
    /// - Parameter make: A closure that creates the value. All calls for one interceptor must use the same type.
    /// - Returns: The value.
    package func adapterValue<Value: Sendable>(_ make: () -> Value) -> Value {
        adapterValue.withLock { value in
            if let value = value as? Value { return value }
            let made = make()
            value = made
            return made
        }
    }

    /// Replaces this interceptor with another interceptor for all new requests.
    ///
    /// Use this method to switch a session to another archive. Requests that have already started are not affected.
    ///
    /// - Parameter other: The replacement, or nil to restore this interceptor. This interceptor retains the
    ///   replacement.
    public func replace(with other: Interceptor?) { successor.withLock { $0 = other === self ? nil : other } }

    /// The interceptor that handles new requests: the replacement, or this interceptor if it has no replacement.
    package var answering: Interceptor { successor.withLock { $0 } ?? self }

    /// Ends all running requests with an error, and fails all later requests with the same error.
    ///
    /// Stop an interceptor when its test ends, so that no work continues in the background.
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

    /// Whether a stream or a logger observes exchanges.
    package var isObserved: Bool { observers.areActive || configuration.log != nil }

    /// Whether the interceptor was stopped.
    package var isStopped: Bool { stopped.load(ordering: .sequentiallyConsistent) }

    /// The error for requests that arrive after the interceptor was stopped.
    package var stoppedError: RelayError {
        RelayError(
            .interceptorGone, "The interceptor '\(name)' was stopped. Stop it only after its requests have ended.")
    }

    /// Registers running work, to be ended when the interceptor is stopped.
    ///
    /// - Parameters:
    ///   - object: The identity of the work.
    ///   - end: A closure that ends the work. It is called immediately if the interceptor was already stopped.
    package func keepRunning(_ object: AnyObject, end: @escaping @Sendable (RelayError) -> Void) {
        running.withLock { $0[ObjectIdentifier(object)] = end }
        // If `stop()` ran too early to find the closure, `isStopped` is true here.
        if isStopped { end(stoppedError) }
    }

    /// Removes work registered with ``keepRunning(_:end:)``.
    package func endRunning(_ object: AnyObject) {
        running.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(object)) }
    }
}

/// The existing interceptors by number, for callers that can store only a number.
///
/// The table does not retain interceptors. When an interceptor is deallocated, its entry is removed. A lookup takes
/// constant time.
package enum InterceptorTable {
    private struct Entry {
        weak var interceptor: Interceptor?
    }

    private static let lastNumber = Atomic(0)
    private static let entries = Mutex<[Int: Entry]>([:])

    /// Returns a new number, unique within the process.
    static func makeNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

    static func insert(_ interceptor: Interceptor) {
        entries.withLock { $0[interceptor.number] = Entry(interceptor: interceptor) }
    }

    static func remove(_ number: Int) {
        entries.withLock { _ = $0.removeValue(forKey: number) }
    }

    /// Returns the interceptor with the given number, or nil if it was deallocated.
    package static func interceptor(_ number: Int) -> Interceptor? {
        entries.withLock { $0[number]?.interceptor }
    }
}

extension Interceptor {
    /// Adds rules for all subsequent requests.
    ///
    /// ```swift
    /// interceptor.add(.stub("api.example.com/items/*", .status(404)), .passThrough("localhost:8080/**"))
    /// ```
    ///
    /// - Parameter rules: The rules. Later rules take precedence over earlier ones. If a rule was already added, it
    ///   moves to the end and its state is reset.
    public func add(_ rules: Rule...) { add(rules) }

    /// Adds rules for all subsequent requests.
    ///
    /// - Parameter rules: The rules. Later rules take precedence over earlier ones.
    public func add(_ rules: [Rule]) { self.rules.add(rules) }

    /// Removes rules, so that they do not apply to subsequent requests.
    ///
    /// - Parameter rules: The rules. Rules that were not added are ignored.
    public func remove(_ rules: Rule...) { self.rules.remove(Set(rules.map(\.id))) }

    /// Removes all rules, so that they do not apply to subsequent requests.
    public func removeAllRules() { rules.removeAll() }
}

/// The streams of finished exchanges.
final class Observers: Sendable {
    private let streams = Mutex<[UUID: AsyncStream<ObservedExchange>.Continuation]>([:])
    private let count = Atomic(0)

    /// Whether any streams exist.
    ///
    /// Reading this property takes no lock.
    var areActive: Bool { count.load(ordering: .relaxed) > 0 }

    /// Returns a stream of all exchanges that end after this call.
    func makeStream(bufferSize: Int) -> AsyncStream<ObservedExchange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ObservedExchange.self, bufferingPolicy: .bufferingNewest(bufferSize))
        let id = UUID()
        set(continuation, for: id)
        continuation.onTermination = { [weak self] _ in self?.set(nil, for: id) }
        return stream
    }

    private func set(_ stream: AsyncStream<ObservedExchange>.Continuation?, for id: UUID) {
        streams.withLock { streams in
            streams[id] = stream
            count.store(streams.count, ordering: .relaxed)
        }
    }

    /// Sends an exchange to all streams.
    func tell(_ exchange: ObservedExchange) {
        for stream in streams.withLock({ Array($0.values) }) { stream.yield(exchange) }
    }

    func finish() {
        for stream in streams.withLock({ Array($0.values) }) { stream.finish() }
    }
}
