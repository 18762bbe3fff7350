import Foundation
import FoundationInternals
import HTTPArchive
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request of a task and its redirects, from start to delivery.
///
/// All mutable state is in `state`. Requests with a known response are answered when the task starts. All other
/// requests are decided on the interceptor's queue, and asynchronous work runs in separate tasks.
final class TaskLoad: @unchecked Sendable {
    struct State {
        var isOver = false
        var waitsForDelegate = false

        /// The closures that cancel pending work.
        var cancellations: [@Sendable () -> Void] = []

        /// The observation of the current request, or nil if there are no observers.
        var observation: Observation?
    }

    let task: URLSessionTask
    let session: URLSession?

    /// The request of the task, with the cookies of the interceptor.
    let original: URLRequest

    /// Whether the task itself would send the same request, because the interceptor has added no cookies.
    let isOriginalOfTask: Bool

    let interceptor: Interceptor
    private let deliver: @Sendable (TaskLoad, Delivery) -> Void
    let state = Mutex(State())

    /// The way in which the client receives a body; set before any work is added to the interceptor's queue.
    private(set) var bodyTaking = BodyTaking.unknown

    var configuration: URLSessionConfiguration { session?.configuration ?? .ephemeral }

    private let isAwaited: Bool

    /// Prepares an exchange.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - isAwaited: Whether the task is known to be awaited.
    ///   - request: The request of the task.
    ///   - interceptor: The interceptor for the request.
    ///   - deliver: Called with each delivery, up to the last one.
    init(
        of task: URLSessionTask, isAwaited: Bool, loading request: URLRequest, with interceptor: Interceptor,
        deliver: @escaping @Sendable (TaskLoad, Delivery) -> Void
    ) {
        self.task = task
        self.isAwaited = isAwaited
        session = task.ownSession
        let session = session
        let changed = interceptor.cookies.adding(to: request, in: session?.configuration ?? .ephemeral)
        original = changed ?? request
        isOriginalOfTask = changed == nil
        self.interceptor = interceptor
        self.deliver = deliver
    }

    /// Starts the exchange, when the task starts.
    ///
    /// - Returns: The complete delivery if it is known immediately. Otherwise, `deliver` is called.
    func start() -> Delivery? {
        if let refusal = interceptor.refusal ?? refusal { return .failure(refusal) }
        var request: InterceptedRequest?
        if task.hasBodyAtHand(in: original) {
            let known = InterceptedRequest(
                original, body: original.httpBody, additionalHeaders: configuration.httpAdditionalHeaders)
            if let response = interceptor.cachedResponse(to: known) { return begin(with: response, to: known) }
            request = known
        }
        bodyTaking = task.bodyTaking(isAwaited: isAwaited)
        guard let request else {
            interceptor.enqueue { [self] in readBody() }
            return nil
        }
        #if canImport(FoundationNetworking)
            if transfersAtOnce(request) { return nil }
        #endif
        interceptor.enqueue { [self] in answer(request, redirects: 0) }
        return nil
    }

    /// Starts with a cached response.
    private func begin(with known: CachedResponse, to request: InterceptedRequest) -> Delivery? {
        let step = ResponseDisposition(after: known.response, to: request, in: self) { url in
            known.form { $0.httpURLResponse(requestedFrom: url) }
        }
        if case .end(let head, let body) = step { return .response(head, body) }
        bodyTaking = task.bodyTaking(isAwaited: isAwaited)
        interceptor.enqueue { [self] in take(step, reply: .response(known.response), redirects: 0) }
        return nil
    }

    private func readBody() {
        guard !isOver else { return }
        task.readBody(of: original, in: session) { [self] body in
            interceptor.enqueue { [self] in
                do throws(URLError) {
                    let headers = configuration.httpAdditionalHeaders
                    let request = InterceptedRequest(original, body: try body.get(), additionalHeaders: headers)
                    answer(request, redirects: 0)
                } catch {
                    conclude(.failure(error))
                }
            }
        }
    }

    /// Cancels the exchange; nothing is delivered afterwards.
    func cancel() {
        guard let last = finish(with: .failure(URLError(.cancelled))) else { return }
        for cancel in last.cancellations { cancel() }
    }

    /// Cancels the exchange and delivers an error.
    private func abort(with error: any Error) {
        guard let last = finish(with: .failure(error)) else { return }
        // Both are in one block of the task's queue, so the client receives the error before a cancellation.
        task.performOnItsQueue { [self] in
            for cancel in last.cancellations { cancel() }
            deliver(self, .failure(error))
        }
    }

    var isOver: Bool { state.withLock(\.isOver) }

    // MARK: - Steps in the interceptor's queue

    /// Decides on a request and handles it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - redirects: The number of redirects before this request.
    ///   - earlier: The decision on the request that was redirected to this one; its overrides apply to the final
    ///     response.
    func answer(_ request: InterceptedRequest, redirects: Int, changedBy earlier: Decision? = nil) {
        guard !isOver else { return }
        guard !interceptor.isStopped else { return conclude(.failure(interceptor.stoppedError)) }
        let decision = interceptor.decide(on: request).changed(by: earlier)
        if interceptor.isObserved {
            state.withLock { $0.observation = Observation(request: request, source: decision.source) }
        }
        if let reply = decision.immediateReply { return take(reply, of: request, redirects: redirects) }
        if decision.isLive { return send(Sending(request: request, decision: decision, redirects: redirects)) }
        complete(decision, of: request, redirects: redirects)
    }

    /// Delivers the response of a decision after running the closures that produce and change it.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - request: The request.
    ///   - redirects: The number of redirects before this request.
    ///   - live: The response from the network, if the decision requires one.
    func complete(_ decision: Decision, of request: InterceptedRequest, redirects: Int, live: Reply? = nil) {
        let limit = TimeLimit(
            duration: interceptor.configuration.timeLimit, clock: interceptor.configuration.clock,
            subject: "\(request.method) \(MessageText.url(request.url))")
        work { [self] in
            let reply = await decision.reply(within: limit, live: live)
            interceptor.enqueue { [self] in
                take(reply, of: request, isLive: decision.isLive, redirects: redirects)
            }
        }
    }

    /// Delivers a response, or follows it if it is a redirect.
    private func take(_ reply: Reply, of request: InterceptedRequest, isLive: Bool = false, redirects: Int) {
        guard !isOver else { return }
        switch reply.result {
        case .failure(let error):
            after(reply.pace.delay) { [self] in conclude(.failure(error)) }
        case .success(let response):
            let step = ResponseDisposition(after: response, to: request, in: self, isLive: isLive, isLast: reply.isLast)
            { url in
                response.httpURLResponse(requestedFrom: url)
            }
            take(step, reply: reply, redirects: redirects)
        }
    }

    private func take(_ step: ResponseDisposition, reply: Reply, redirects: Int) {
        guard !isOver else { return }
        switch step {
        case .failure(let error): conclude(.failure(error))
        case .end(let head, let body):
            let isWhole = reply.cutOff.map { $0 >= body.count } ?? true
            if isWhole, reply.pace.isImmediate, reply.breakOff == nil { return conclude(.response(head, body)) }
            work { [self] in await deliver(head, body: body, as: reply) }
        case .redirect(let proposed, let head, let body):
            guard redirects < InterceptedRequest.redirectLimit else {
                return conclude(.failure(tooManyRedirects(redirects)))
            }
            after(reply.pace.delay) { [self] in follow(proposed, after: head, body: body, redirects: redirects) }
        }
    }

    // MARK: - Asynchronous work

    /// Runs asynchronous work in a task that is canceled with the exchange or the interceptor.
    private func work(_ body: @escaping @Sendable () async -> Void) {
        let work = ScopeExit.$current.withValue(.inClosure) { Task { await body() } }
        cancelling { work.cancel() }
    }

    /// Registers a closure that runs when the exchange is canceled.
    func cancelling(_ cancel: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            // A finished exchange must not retain the closure, which would leak both.
            if !state.isOver { state.cancellations.append(cancel) }
            return state.isOver
        }
        if isOver { return cancel() }
        interceptor.keepRunning(self) { [weak self] error in self?.abort(with: error) }
        // The exchange may have finished in between, without a call of `endRunning`.
        if self.isOver { interceptor.endRunning(self) }
    }

    /// Runs a step on the interceptor's queue after a delay.
    private func after(_ delay: Duration, _ step: @escaping @Sendable () -> Void) {
        guard delay > .zero else { return step() }
        work { [self] in
            guard await sleep(delay) else { return }
            interceptor.enqueue { [self] in if !isOver { step() } }
        }
    }

    /// Waits, and returns `false` if the exchange is over before the end.
    func sleep(_ duration: Duration) async -> Bool {
        guard duration > .zero else { return !Task.isCancelled }
        do { try await interceptor.configuration.clock.sleep(for: duration) } catch { return false }
        return !Task.isCancelled
    }

    // MARK: - The end

    /// Delivers a part of the response that is not the last one.
    func emit(_ delivery: Delivery) {
        state.withLock { $0.observation?.note(delivery) }
        if !isOver { deliver(self, delivery) }
    }

    /// Delivers the last part of the response, or all of it, unless the exchange is over.
    func conclude(_ delivery: Delivery) {
        if finish(with: delivery) != nil { deliver(self, delivery) }
    }

    /// Marks the exchange as finished and reports it to observers.
    ///
    /// - Parameter delivery: The last part of the response.
    /// - Returns: The state before, or nil if the exchange was already finished.
    private func finish(with delivery: Delivery) -> State? {
        let last: State? = state.withLock { state in
            guard !state.isOver else { return nil }
            defer { state = State(isOver: true) }
            return state
        }
        guard let last else { return nil }
        if !last.cancellations.isEmpty { interceptor.endRunning(self) }
        if var observation = last.observation {
            observation.note(delivery)
            observation.end(tell: interceptor)
        }
        return last
    }

    /// The error of a request that cannot be intercepted, or nil.
    private var refusal: (any Error)? {
        #if canImport(FoundationNetworking)
            if task is URLSessionDownloadTask {
                return RelayError(
                    .unsupportedTask,
                    "Only data and upload tasks can be intercepted so far, not download tasks. Use a data task, and "
                        + "write its data to a file.")
            }
        #endif
        guard let url = original.url else { return URLError(.badURL, "The request has no URL.") }
        if ["ws", "wss"].contains(url.scheme?.lowercased()) {
            return RelayError(
                .unsupportedTask,
                "Only data and upload tasks can be intercepted so far, not WebSocket connections. Leave the connection out "
                    + "of the code under test, or start it outside of the scope.")
        }
        // A rule may still answer a URL without a scheme; the network cannot.
        guard !url.isHTTP, url.scheme != nil else { return nil }
        return URLError(.unsupportedURL, "\(MessageText.url(url.absoluteString)) is neither http nor https.")
    }
}

extension TaskLoad {
    /// Delivers a response at its pace, up to the point where the connection is dropped.
    func deliver(_ head: HTTPURLResponse, body: Data, as reply: Reply) async {
        guard await sleep(reply.pace.delay) else { return }
        emit(.head(head))
        let end = min(reply.cutOff ?? .max, body.count)
        for (wait, chunk) in reply.pace.pieces(of: body.count, isDivided: bodyTaking == .inPieces) {
            guard chunk.lowerBound < end else { break }
            guard await sleep(wait) else { return }
            emit(.data(body.dropFirst(chunk.lowerBound).prefix(min(chunk.upperBound, end) - chunk.lowerBound)))
        }
        guard end < body.count else { return conclude(reply.breakOff.map { .failure($0) } ?? .end) }
        conclude(.failure(URLError(.networkConnectionLost, "The connection was lost after \(end) bytes.")))
    }
}
