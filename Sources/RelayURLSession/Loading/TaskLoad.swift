import FoundationInternals
import RelayCore
import Foundation
import HTTPArchive
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request of a task, with the redirects that follow it, from its start to what is delivered.
///
/// Everything that changes is in `state`. What the interceptor knows is answered where the task starts. All other requests
/// are decided on in the interceptor's queue; what has to be waited for then runs in a task of its own.
final class TaskLoad: @unchecked Sendable {
    struct State {
        var isOver = false
        var waitsForDelegate = false

        /// Stop what is waited for.
        var cancellations: [@Sendable () -> Void] = []

        /// The request in hand, where somebody wants to know of it.
        var observation: Observation?
    }

    let task: URLSessionTask
    let session: URLSession?

    /// The request of the task, with the cookies of the interceptor.
    let original: URLRequest

    /// Whether the task itself would send the same request: the interceptor has added no cookies.
    let isOriginalOfTask: Bool

    let interceptor: Interceptor
    private let deliver: @Sendable (TaskLoad, Delivery) -> Void
    let state = Mutex(State())

    /// How the task's client takes a body; known before the interceptor's queue has anything to do.
    private(set) var bodyTaking = BodyTaking.unknown

    var configuration: URLSessionConfiguration { session?.configuration ?? .ephemeral }

    private let isAwaited: Bool

    /// Prepares an exchange.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - isAwaited: Whether the task is known to be awaited.
    ///   - request: The request of the task.
    ///   - interceptor: Who is asked.
    ///   - deliver: Is called with each step of what is delivered, up to the last one.
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

    /// Begins; to be called where the task starts.
    ///
    /// - Returns: All that is delivered if it is known at once; `deliver` is called for anything else.
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

    /// Begins with a response that is known already.
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

    /// Stops what is going on; nothing is delivered afterwards.
    func cancel() {
        guard let last = finish(with: .failure(URLError(.cancelled))) else { return }
        for cancel in last.cancellations { cancel() }
    }

    /// Stops what is going on, and delivers an error.
    private func abort(with error: any Error) {
        guard let last = finish(with: .failure(error)) else { return }
        // A task that is cancelled for it hears of the error first, for which both are put there at once.
        task.performOnItsQueue { [self] in
            for cancel in last.cancellations { cancel() }
            deliver(self, .failure(error))
        }
    }

    var isOver: Bool { state.withLock(\.isOver) }

    // MARK: - Steps in the interceptor's queue

    /// Finds out what becomes of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - redirects: How many redirects led to it.
    ///   - earlier: What a request was decided on that was redirected here; its overrides are for what comes of it at last.
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

    /// Delivers what a decision makes of a request, once code of others has given and changed it.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - request: The request.
    ///   - redirects: How many redirects led to it.
    ///   - live: The reply of the network, where the decision is for that.
    func complete(_ decision: Decision, of request: InterceptedRequest, redirects: Int, live: Reply? = nil) {
        let limit = TimeLimit(
            duration: interceptor.configuration.timeLimit, clock: interceptor.configuration.clock,
            subject: "\(request.method) \(SecretNames.masked(url: request.url))")
        work { [self] in
            let reply = await decision.reply(within: limit, live: live)
            interceptor.enqueue { [self] in
                take(reply, of: request, isLive: decision.isLive, redirects: redirects)
            }
        }
    }

    /// Delivers a reply, or follows it where it is a redirect.
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

    // MARK: - What is waited for

    /// Runs what waits, in a task that ends with the exchange or with the interceptor.
    private func work(_ body: @escaping @Sendable () async -> Void) {
        let work = ScopeExit.$current.withValue(.inClosure) { Task { await body() } }
        cancelling { work.cancel() }
    }

    /// Has something be stopped with the exchange.
    func cancelling(_ cancel: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            // Kept by what is over, it would keep that for ever.
            if !state.isOver { state.cancellations.append(cancel) }
            return state.isOver
        }
        if isOver { return cancel() }
        interceptor.keepRunning(self) { [weak self] error in self?.abort(with: error) }
        // It may have ended meanwhile, and told nobody.
        if self.isOver { interceptor.endRunning(self) }
    }

    /// Goes on in the interceptor's queue after a time.
    private func after(_ delay: Duration, _ step: @escaping @Sendable () -> Void) {
        guard delay > .zero else { return step() }
        work { [self] in
            guard await sleep(delay) else { return }
            interceptor.enqueue { [self] in if !isOver { step() } }
        }
    }

    /// Waits; `false` when the exchange was over before.
    func sleep(_ duration: Duration) async -> Bool {
        guard duration > .zero else { return !Task.isCancelled }
        do { try await interceptor.configuration.clock.sleep(for: duration) } catch { return false }
        return !Task.isCancelled
    }

    // MARK: - The end

    /// Delivers a part of the answer that is not the last one.
    func emit(_ delivery: Delivery) {
        state.withLock { $0.observation?.note(delivery) }
        if !isOver { deliver(self, delivery) }
    }

    /// Delivers the last part, or the whole, of the answer, unless the exchange is over.
    func conclude(_ delivery: Delivery) {
        if finish(with: delivery) != nil { deliver(self, delivery) }
    }

    /// Marks the exchange as over, and tells those who want to know.
    ///
    /// - Parameter delivery: The last part of the answer.
    /// - Returns: What the exchange was; `nil` when it was over already.
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
        // Without a scheme a rule may answer still; the network does not.
        guard !url.isHTTP, url.scheme != nil else { return nil }
        return URLError(.unsupportedURL, "\(url.absoluteString) is neither http nor https.")
    }
}

extension TaskLoad {
    /// Delivers a response at its pace, up to where it is cut off.
    func deliver(_ head: HTTPURLResponse, body: Data, as reply: Reply) async {
        guard await sleep(reply.pace.delay) else { return }
        emit(.head(head))
        let end = min(reply.cutOff ?? .max, body.count)
        for (wait, piece) in reply.pace.pieces(of: body.count, isDivided: bodyTaking == .inPieces) {
            guard piece.lowerBound < end else { break }
            guard await sleep(wait) else { return }
            emit(.data(body.dropFirst(piece.lowerBound).prefix(min(piece.upperBound, end) - piece.lowerBound)))
        }
        guard end < body.count else { return conclude(reply.breakOff.map { .failure($0) } ?? .end) }
        conclude(.failure(URLError(.networkConnectionLost, "The connection was lost after \(end) bytes.")))
    }
}
