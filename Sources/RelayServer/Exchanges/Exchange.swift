#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore
    import Synchronization

    /// A request and the delivery of its response.
    ///
    /// All state is used only on the server's event loop, which guards it, except for ``isOver``.
    final class Exchange: @unchecked Sendable {
        let server: ServerState
        let interceptor: Interceptor
        let served: ServedRequest

        /// The request after a user edited it, or nil for the original one.
        private var edited: InterceptedRequest?

        /// The share of the request's body in the total size of bodies, or nil without a body.
        private let requestShare: BodyShare?
        private let start = ContinuousClock.now

        /// The connection, or nil when the exchange is over.
        private(set) var sink: (any ExchangeSink)?

        /// Whether the exchange is over, which the interceptor checks before it decides on a request in its queue.
        let isOver = Atomic(false)

        /// Whether the engine has decided on the request.
        private var isDecided = false

        private var source = ObservedExchange.Source.nothing
        var result: Result<Int, any Error> = .failure(URLError(.cancelled))
        var sentBytes = 0
        var hasSentHead = false

        /// The rest of the body, or nil if no body is being sent.
        private var transfer: BodyTransfer?

        /// The share of the response's body in the total size of bodies, or nil if it is small or in a file.
        private var share: BodyShare?

        /// Whether the transfer continues in the next turn of the event loop.
        private var isYielding = false

        /// The maximum number of bytes that an exchange sends in one turn of the event loop.
        private static let turnSize = 1 << 16

        /// The pending delay, or nil if the exchange does not wait.
        private var timer: TurnTimer?

        /// The closures of rules that produce the response.
        private var work: Task<Void, Never>?

        /// The connection to the client, if it carries another protocol.
        var upgraded: UpgradedConnection?

        /// The body of the request if it is still being received, or nil if it is complete.
        let upload: RequestUpload?

        /// The request to the network, or nil if the response does not come from there.
        var forwarded: ForwardedExchange?

        /// The decision and the response so far, if overrides change a response from the network.
        var changing: (decision: Decision, response: InterceptedResponse)?

        /// The custom fields of the entry that describes the exchange to observers.
        var customFields: [String: JSONValue] = [:]

        private var isRegistered = false

        /// Prepares an exchange.
        init(_ request: IncomingRequest, to sink: any ExchangeSink, at server: ServerState) {
            served = request.complete
            requestShare = request.share
            self.sink = sink
            self.server = server
            upload = request.isStreaming ? RequestUpload() : nil
            interceptor = server.interceptor.answering
        }

        var request: InterceptedRequest { edited ?? served.request }

        // MARK: - Decision

        /// Asks the engine, and begins the response, possibly at once.
        ///
        /// If the client has already left, the request reaches no rule and no entry.
        func begin() {
            guard let sink else { return }
            guard server.begin(sink) else { return refuse() }
            if let error = interceptor.refusal ?? (interceptor.isStopped ? interceptor.stoppedError : nil) {
                return fail(with: error)
            }
            guard served.isMisdirected, let host = RequestHost(of: request.url) else { return beginDirected() }
            findHost(host) { [self] isKnown in isKnown ? beginDirected() : respondToMisdirected() }
        }

        /// Continues if the request may be intended for the server.
        private func beginDirected() {
            if passThrough() { return }
            guard let verdict = server.gate?(request) else { return decide() }
            work = Task { [self] in
                let verdict = await verdict()
                server.turns.execute { self.proceed(with: verdict) }
            }
            register()
        }

        /// Continues after a user decided about the request.
        private func proceed(with verdict: (request: InterceptedRequest, reply: Reply?)) {
            guard sink != nil else { return }
            work = nil
            edited = verdict.request
            guard let reply = verdict.reply else { return decide() }
            decided(from: .stub("a held request"))
            deliver(PreparedResponse(of: reply, for: served))
        }

        /// Notes the source of the response.
        func decided(from source: ObservedExchange.Source) {
            isDecided = true
            self.source = source
        }

        private func decide() {
            if served.webSocketKey == nil { return decideWithoutRule() }
            openByRule { [self] in decideWithoutRule() }
        }

        /// Asks the engine if no rule for WebSocket connections determines the response.
        private func decideWithoutRule() {
            let loop = server.loop
            interceptor.decide(
                on: request, for: .server, unless: { [self] in isOver.load(ordering: .relaxed) }
            ) { [self] decision in
                // Overrides and conversions of large bodies take long, so they run where the decision was made.
                let delivery = decision.immediateReply.map { self.prepared($0, decision) }
                if loop.inEventLoop {
                    respond(to: decision, delivery)
                } else {
                    server.turns.execute { self.respond(to: decision, delivery) }
                }
            }
        }

        private func prepared(_ reply: Reply, _ decision: Decision) -> PreparedResponse {
            PreparedResponse(of: reply, for: served) { [scripts = server.scripts] in
                scripts.script(of: $0, from: decision.source)
            }
        }

        private func respond(to decision: Decision, _ delivery: PreparedResponse?) {
            guard sink != nil else { return }
            decided(from: decision.source)
            if let delivery { return deliver(delivery) }
            guard !decision.isLive else { return forward(decision) }
            work(on: decision, live: nil)
        }

        /// Runs the closures that produce or change the response.
        ///
        /// - Parameters:
        ///   - decision: The decision.
        ///   - live: The response from the network, or nil if the request was not sent.
        func work(on decision: Decision, live: InterceptedResponse?) {
            let configuration = interceptor.configuration
            work = Task { [self] in
                let limit = TimeLimit(
                    duration: configuration.timeLimit, clock: configuration.clock,
                    subject: "\(self.request.method) \(MessageText.url(self.request.url))")
                let live = live.map { Reply(.success($0.decoded)) }
                let delivery = prepared(await decision.reply(within: limit, live: live), decision)
                server.turns.execute { self.deliver(delivery) }
            }
            register()
        }

        /// Responds to a client that has directed an unknown name to the server, such as a web page of an attacker.
        private func respondToMisdirected() {
            let fields = [HeaderField(name: "x-relay-miss", value: "unknown-host")]
            let message =
                """
                The host is neither recorded nor the server's. Name a recorded host in the field Host, use the server \
                as a proxy, or start it with this name as its host (--host).
                """
            send(ServedResponse(server.missStatus, message: message, method: request.method, fields: fields))
        }

        /// Ends the exchange without a response of the engine, because there are too many.
        func refuse() {
            respond(
                503, "The server already handles \(server.limits.requestsInFlight) requests.", as: "too-many-requests")
        }

        // MARK: - Response

        private func deliver(_ delivery: PreparedResponse) {
            guard sink != nil else { return }
            switch delivery.form {
            case .failure(let error): after(delivery.delay) { $0.fail(with: error) }
            case .invalidStatus(let status):
                respond(502, "The status \(status) is not the status of a final response (200 to 999).", as: "status")
            case .complete(let response): send(response)
            case .webSocket(let script): after(delivery.delay) { $0.open(script) }
            case .transfer(let response, let transfer, let size):
                if size > ServedResponse.smallBody {
                    share = BodyShare(of: server, size: size)
                    guard share != nil else {
                        let limit = server.limits.totalBodySize
                        return respond(503, "Other bodies already use \(limit) bytes of memory.", as: "memory")
                    }
                }
                after(delivery.delay) { $0.begin(response, transfer) }
            }
        }

        private func send(_ response: ServedResponse) {
            guard let sink else { return }
            result = .success(response.status)
            sentBytes = response.body.count
            end()
            sink.send(response)
        }

        /// Sends a message by the server.
        ///
        /// - Parameters:
        ///   - status: The status code.
        ///   - message: The message.
        ///   - kind: The value of the field `x-relay-error`.
        ///   - fields: Other fields; none by default.
        func respond(_ status: Int, _ message: String, as kind: String, _ fields: [HeaderField] = []) {
            let fields = fields + [HeaderField(name: "x-relay-error", value: kind)]
            send(ServedResponse(status, message: message, method: request.method, fields: fields))
        }

        /// Sends a failed request's error: as a message, or as a failure of the connection if it was recorded as such.
        private func fail(with error: any Error) {
            switch error {
            case let error as RelayError where error.code == .noMatchingEntry:
                let fields = [HeaderField(name: "x-relay-miss", value: "no-matching-entry")]
                send(
                    ServedResponse(
                        server.missStatus, message: error.message, method: request.method, fields: fields))
            case let error as RelayError where error.code == .interceptorGone:
                respond(503, error.message, as: error.code.description)
            case let error as RelayError: respond(502, server.folders.text(of: error), as: error.code.description)
            case let error as HARError:
                respond(502, server.folders.text(of: error), as: error.code.description)
            case let error as URLError: disconnect(ConnectionFailure(error), because: error)
            default: respond(502, "A rule failed with an error of type \(type(of: error)).", as: "rule")
            }
        }

        private func disconnect(_ failure: ConnectionFailure, because error: URLError) {
            guard let sink else { return }
            result = .failure(error)
            // A client that waits counts as a request in flight until it gives up.
            if case .stall = failure { return sink.fail(.stall) }
            end()
            sink.fail(failure)
        }

        // MARK: - Body

        private func begin(_ response: ServedResponse, _ transfer: BodyTransfer) {
            self.transfer = transfer
            // Many responses can begin at the same time.
            continueLater { [self] in
                guard let sink else { return }
                result = .success(response.status)
                hasSentHead = true
                sink.sendHead(response)
                continueTransfer()
            }
        }

        /// Continues the body when the client is ready for more data.
        func resume() {
            forwarded?.resume()
            if timer == nil, !isYielding, transfer != nil { continueLater(continueTransfer) }
        }

        private func continueTransfer() {
            guard let sink else { return }
            defer { sink.flush() }
            let limit = sentBytes + Self.turnSize
            while let step = transfer?.next(isWritable: sink.isWritable) {
                switch step {
                case .send(let bytes):
                    sentBytes += bytes.readableBytes
                    sink.sendBody(bytes)
                    if sentBytes >= limit { return continueLater(continueTransfer) }
                case .wait(let delay): return after(delay) { $0.continueLater(isTimed: true, $0.continueTransfer) }
                case .pause: return register()
                case .failure(let error): return abort(with: error)
                case .end(nil):
                    end()
                    return sink.sendEnd(trailers: [])
                case .end(let error?):
                    result = .failure(error)
                    // A reset could discard the part that was sent.
                    if case .stall = ConnectionFailure(error) { return sink.fail(.stall) }
                    end()
                    return sink.fail(.close)
                }
            }
        }

        /// Continues in a later turn of the event loop, after other exchanges.
        private func continueLater(isTimed: Bool = false, _ step: @escaping () -> Void) {
            isYielding = true
            server.turns.continueLater(isTimed: isTimed) { [self] in
                isYielding = false
                step()
            }
        }

        // MARK: - Time

        /// Runs a step after a delay, or immediately if the delay is zero.
        private func after(_ delay: Duration, _ step: @escaping @Sendable (Exchange) -> Void) {
            guard delay > .zero else { return step(self) }
            timer = TurnTimer(in: TimeAmount(delay), on: server.turns) { [self] in
                timer = nil
                step(self)
            }
            register()
        }

        /// Whether the exchange waits for a delay.
        var isDelayed: Bool { timer != nil }

        /// Whether the response has begun, even if the client has not received its head yet.
        var isSending: Bool { hasSentHead || isQueued }

        /// Whether the response waits for its first turn.
        var isQueued: Bool { transfer != nil && !hasSentHead }

        /// Whether the exchange waits for a delay or a rule, so that the lack of progress is not the client's.
        var isWaiting: Bool { timer != nil || !hasSentHead && sink != nil }

        // MARK: - End

        /// Lets the interceptor end the exchange when it is stopped.
        func register() {
            guard !isRegistered else { return }
            isRegistered = true
            interceptor.keepRunning(self) { [weak self] error in
                guard let self else { return }
                server.turns.execute { self.abort(with: error) }
            }
        }

        private func abort(with error: any Error) {
            guard let sink else { return }
            forwarded?.cancel()
            upgraded?.close(because: nil)
            guard hasSentHead else { return fail(with: error) }
            result = .failure(error)
            end()
            sink.fail(.close)
        }

        /// Ends the exchange because the client has left.
        ///
        /// A request without a decision has used nothing, and is not reported.
        func cancel() {
            if case .success = result { result = .failure(URLError(.cancelled)) }
            end(isReported: isDecided)
        }

        func end(isReported: Bool = true) {
            guard let sink else { return }
            self.sink = nil
            sink.exchangeEnded()
            if let upgraded { server.remove(upgraded) }
            upgraded = nil
            isOver.store(true, ordering: .relaxed)
            (transfer, share) = (nil, nil)
            timer?.cancel()
            timer = nil
            work?.cancel()
            work = nil
            forwarded?.cancel()
            forwarded = nil
            if isRegistered { interceptor.endRunning(self) }
            guard isReported, server.isObserved else { return }
            var exchange = ObservedExchange(
                request: request, source: source, result: result, bodySize: sentBytes,
                duration: start.duration(to: .now))
            exchange.customFields = customFields
            server.observe(exchange)
        }
    }
#endif
