import Foundation
import FoundationInternals
import HTTPArchive
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The loading of one task, from its request through redirects to the delivery of the response.
///
/// The steps run one after another, on the task's queue, on the interceptor's queue, and in tasks for asynchronous
/// work. All mutable state is in `state`.
final class TaskLoad: Sendable {
    struct State {
        var isOver = false

        /// The deliveries that are held until `start` returns, or nil afterwards.
        var held: [Delivery]? = []

        var waitsForDelegate = false

        /// The live response received so far, if it is delivered only when it is complete.
        var collected: (head: HTTPURLResponse, body: Data)?

        /// The closures that cancel pending work.
        var cancellations: [@Sendable () -> Void] = []

        /// The observation of the current request, or nil if there are no observers.
        var observation: Observation?

        /// Holds a delivery if `start` has not returned yet, and returns whether it is held.
        fileprivate mutating func hold(_ delivery: Delivery) -> Bool { held?.append(delivery) != nil }
    }

    /// A request of the task: the original request, or a request that follows a redirect.
    struct Step: Sendable {
        let request: InterceptedRequest

        /// The decision on the request, which can include the overrides of an earlier request that was redirected to
        /// this one.
        let decision: Decision

        /// The number of redirects before this request.
        let redirects: Int
    }

    let task: URLSessionTask
    let session: URLSession?

    /// The task's request, with the interceptor's cookies.
    let original: URLRequest

    let interceptor: Interceptor

    /// The settings of the session when the task started.
    let configuration: URLSessionConfiguration

    /// The turn of the task, which ends when the request is sent to the network, or nil if order does not matter.
    private let turn: TaskOrder.Turn?

    /// Whether live responses are delivered only when they are complete, because no delegate can receive chunks.
    let deliversWhole: Bool

    /// The file of a download, or nil for another kind of task, and on platforms whose system writes the file.
    let download: Download?

    let state = Mutex(State())
    private let deliver: @Sendable (TaskLoad, Delivery) -> Void

    /// Prepares an exchange.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - request: The task's request.
    ///   - interceptor: The interceptor for the request.
    ///   - turn: The turn of the task, or nil (the default) if the order of tasks does not matter.
    ///   - deliver: Called with each delivery that ``start()`` does not return.
    init(
        of task: URLSessionTask, loading request: URLRequest, with interceptor: Interceptor,
        turn: TaskOrder.Turn? = nil,
        deliver: @escaping @Sendable (TaskLoad, Delivery) -> Void
    ) {
        self.task = task
        session = task.ownSession
        configuration = session?.configuration ?? .ephemeral
        self.turn = turn
        original = interceptor.cookies.adding(to: request, in: configuration) ?? request
        self.interceptor = interceptor
        self.deliver = deliver
        #if canImport(FoundationNetworking)
            download = task is URLSessionDownloadTask ? Download() : nil
            deliversWhole = download == nil && !(task.delegate is any URLSessionDataDelegate)
        #else
            download = nil
            deliversWhole = false
        #endif
    }

    // MARK: - Request

    /// Starts the exchange when the task starts.
    ///
    /// - Returns: The deliveries that are available immediately. All others are passed to the closure `deliver`.
    func start() -> [Delivery] {
        load()
        return state.withLock { state in
            defer { state.held = nil }
            return state.held ?? []
        }
    }

    private func load() {
        if let refusal = interceptor.refusal ?? refusal { return conclude(.failure(refusal)) }
        guard download != nil else { return readBody() }
        CapabilityProbes.testDownloads { [self] missing in
            if let missing { fail(missing) } else { readBody() }
        }
    }

    private func readBody() {
        let collect: BodyCollector = { next in
            var body = SpooledBody()
            while let chunk = try next(), !chunk.isEmpty { try body.append(chunk) }
            return body.data
        }
        task.readBody(of: original, in: session, collectingWith: collect) { [self] body in
            do {
                let headers = configuration.httpAdditionalHeaders
                respond(to: InterceptedRequest(original, body: try body.get(), additionalHeaders: headers))
            } catch let missing as MissingCapability {
                fail(missing)
            } catch {
                conclude(.failure(error))
            }
        }
    }

    private func fail(_ missing: MissingCapability) {
        interceptor.reportMissingCapabilities()
        conclude(.failure(RelayError(without: [missing])))
    }

    /// Responds to a request according to the interceptor's decision.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - redirects: The number of redirects before this request; 0 by default.
    ///   - earlier: The decision on the request that was redirected to this one, whose overrides apply to the final
    ///     response; nil by default.
    func respond(to request: InterceptedRequest, redirects: Int = 0, changedBy earlier: Decision? = nil) {
        guard !isOver else { return }
        guard !interceptor.isStopped else { return conclude(.failure(interceptor.stoppedError)) }
        interceptor.decide(on: request, for: download == nil ? .client : .download, unless: { [self] in isOver }) {
            [self] decision in
            let step = Step(request: request, decision: decision.changed(by: earlier), redirects: redirects)
            if let turn {
                interceptor.configuration.adapterSettings.sourceHandler?(task, decision.source)
                if decision.isLive { turn.end() }
            }
            if interceptor.isObserved {
                state.withLock { $0.observation = Observation(request: request, source: decision.source) }
            }
            if let reply = step.decision.immediateReply {
                respond(with: reply, to: step)
            } else if decision.isLive {
                send(step)
            } else {
                complete(step)
            }
        }
    }

    // MARK: - Response

    /// Runs the closures that produce and change the response, and then responds.
    ///
    /// - Parameters:
    ///   - step: The request.
    ///   - live: The response from the network, or nil (the default) if the request was not sent.
    func complete(_ step: Step, live: Reply? = nil) {
        let limit = TimeLimit(
            duration: interceptor.configuration.timeLimit, clock: interceptor.configuration.clock,
            subject: "\(step.request.method) \(MessageText.url(step.request.url))")
        work { [self] in respond(with: await step.decision.reply(within: limit, live: live), to: step) }
    }

    /// Stores the cookies of a response, and delivers the response or follows its redirect.
    ///
    /// For live responses, a session has already followed redirects and stored cookies.
    private func respond(with reply: Reply, to step: Step) {
        guard !isOver else { return }
        let response: InterceptedResponse
        switch reply.result {
        case .success(let success): response = success
        case .failure(let error): return after(reply.pace.delay) { [self] in conclude(.failure(error)) }
        }
        guard let url = url(of: step.request),
            let head = reply.converted({
                response.httpURLResponse(requestedFrom: url, allowingAnyStatus: reply.isVerbatim)
            })
        else {
            let reason = "The status \(response.status) is not a valid HTTP status. Respond with 100 to 999."
            return conclude(.failure(URLError(.badServerResponse, reason)))
        }
        if !step.decision.isLive {
            interceptor.cookies.store(response, from: url, requestedBy: original, in: configuration)
            let next = reply.isLast ? nil : step.request.redirected(by: response)
            if let proposed = next.flatMap(original.replacing) {
                return after(reply.pace.delay) { [self] in
                    follow(addingCookies(to: proposed), after: head, response.body, of: step)
                }
            }
        }
        if reply.isImmediate, response.storedBody == nil { return conclude(.response(head, response.body)) }
        work { [self] in await deliver(head, response, as: reply) }
    }

    /// Returns the URL of a request, without parsing it if it is the task's URL.
    private func url(of request: InterceptedRequest) -> URL? {
        if let url = original.url, url.absoluteString == request.url { return url.absoluteURL }
        return URL(text: request.url)
    }

    /// Returns a request with the cookies that the session and the interceptor have for its URL.
    func addingCookies(to request: URLRequest) -> URLRequest {
        let request = request.addingCookies(of: configuration)
        return interceptor.cookies.adding(to: request, in: configuration) ?? request
    }

    /// Delivers a response at its pace, up to the offset at which the connection is dropped.
    private func deliver(_ head: HTTPURLResponse, _ response: InterceptedResponse, as reply: Reply) async {
        let chunks = reply.pace.chunks(of: response)
        guard await sleep(reply.pace.delay) else { return }
        emit(.head(head))
        let elapsed = interceptor.configuration.clock.stopwatch()
        let end = min(reply.cutOff ?? .max, response.bodySize)
        var stored = response.storedBody.map(StoredBodyReader.init)
        for (time, chunk) in chunks {
            guard chunk.lowerBound < end else { break }
            guard await sleep(time - elapsed()) else { return }
            let range = chunk.lowerBound..<min(chunk.upperBound, end)
            guard stored != nil else {
                emit(.data(response.body.dropFirst(range.lowerBound).prefix(range.count)))
                continue
            }
            do { try emit(range.count, from: &stored) } catch { return conclude(.failure(error)) }
        }
        guard end < response.bodySize else { return conclude(reply.breakOff.map { .failure($0) } ?? .end) }
        let bytes = end == 1 ? "1 byte" : "\(end) bytes"
        let reason = "The connection was lost after \(bytes), as specified by a rule."
        conclude(.failure(URLError(.networkConnectionLost, reason)))
    }

    /// Delivers the next bytes of a body in a file.
    private func emit(_ count: Int, from body: inout StoredBodyReader?) throws(HARError) {
        var rest = count
        while rest > 0, !isOver, let bytes = try body?.next(upTo: rest), !bytes.isEmpty {
            emit(.data(Data(bytes)))
            rest -= bytes.count
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
            // A finished exchange never releases its cancellations, so storing the closure would leak both.
            if !state.isOver { state.cancellations.append(cancel) }
            return state.isOver
        }
        if isOver { return cancel() }
        interceptor.keepRunning(self) { [weak self] error in self?.abort(with: error) }
        // The exchange may have finished in the meantime without calling `endRunning`.
        if self.isOver { interceptor.endRunning(self) }
    }

    /// Runs a step after a delay.
    private func after(_ delay: Duration, _ step: @escaping @Sendable () -> Void) {
        guard delay > .zero else { return step() }
        work { [self] in if await sleep(delay) { step() } }
    }

    /// Waits for a duration, and returns `false` if the exchange ends first.
    private func sleep(_ duration: Duration) async -> Bool {
        guard duration > .zero else { return !Task.isCancelled }
        do { try await interceptor.configuration.clock.sleep(for: duration) } catch { return false }
        return !Task.isCancelled
    }

    // MARK: - Completion and cancellation

    var isOver: Bool { state.withLock(\.isOver) }

    /// Cancels the exchange, after which nothing is delivered.
    func cancel() {
        guard let last = finish(with: .failure(URLError(.cancelled))) else { return }
        for cancel in last.cancellations { cancel() }
    }

    /// Cancels the exchange and delivers an error.
    private func abort(with error: any Error) {
        guard let last = finish(with: .failure(error)) else { return }
        // In one block, so that the client receives this error before any cancellation error.
        task.performOnItsQueue { [self] in
            for cancel in last.cancellations { cancel() }
            deliver(self, .failure(error))
        }
    }

    /// Delivers a part of the response before the last part.
    func emit(_ delivery: Delivery) {
        if let download, case .data(let data) = delivery { return write(data, to: download) }
        let isDelivered = state.withLock { state in
            state.observation?.note(delivery)
            return !state.isOver && !state.hold(delivery)
        }
        if isDelivered { deliver(self, delivery) }
    }

    /// Writes a part of the body to the file of a download, and delivers the progress.
    private func write(_ data: Data, to download: Download) {
        var rest = data
        while !rest.isEmpty, !isOver {
            let part = rest.prefix(Download.partSize)
            do { try download.append(part) } catch { return abort(with: error) }
            emit(.written(part.count))
            rest = rest.dropFirst(part.count)
        }
    }

    /// Delivers the last part of the response or a complete response, unless the exchange is over.
    func conclude(_ delivery: Delivery) {
        if download != nil, case .response(let head, let body) = delivery {
            emit(.head(head))
            emit(.data(body))
            return conclude(.end)
        }
        guard finish(with: delivery) != nil else { return }
        if !state.withLock({ $0.hold(delivery) }) { deliver(self, delivery) }
    }

    /// Marks the exchange as finished and reports it to observers.
    ///
    /// - Parameter delivery: The last part of the response.
    /// - Returns: The previous state, or nil if the exchange was already finished.
    private func finish(with delivery: Delivery) -> State? {
        let last: State? = state.withLock { state in
            guard !state.isOver else { return nil }
            defer { state = State(isOver: true, held: state.held) }
            return state
        }
        guard let last else { return nil }
        if !last.cancellations.isEmpty { interceptor.endRunning(self) }
        last.observation?.end(with: delivery, tell: interceptor)
        return last
    }

    /// The error if the request cannot be intercepted, or nil.
    private var refusal: (any Error)? {
        guard let url = original.url else { return URLError(.badURL, "The request has no URL.") }
        if ["ws", "wss"].contains(url.scheme?.lowercased()) {
            return RelayError(
                .unsupportedTask,
                """
                WebSocket tasks of URLSession cannot be intercepted, and do not work on Linux, whose FoundationNetworking \
                was built without libcurl's WebSocket functions. Replay WebSockets with `Interceptor.serve` (product \
                RelayServer) or `har serve`, and connect another client to that server.
                """)
        }
        // A rule can still answer a request whose URL has no scheme.
        guard !url.isHTTP, url.scheme != nil else { return nil }
        return URLError(
            .unsupportedURL,
            "Only http and https requests can be intercepted, not \(MessageText.url(url.absoluteString)). Send the request "
                + "outside the scope.")
    }
}
