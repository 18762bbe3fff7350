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
        private let server: ServerState
        private let interceptor: Interceptor
        private let served: ServedRequest
        private let start = ContinuousClock.now

        /// The connection, or nil when the exchange is over.
        private var sink: (any ExchangeSink)?

        /// Whether the exchange is over, which the interceptor checks before it decides on a request in its queue.
        private let isOver = Atomic(false)

        /// Whether the exchange counts as a request in flight.
        private var isCounted = false

        /// Whether the engine has decided on the request.
        private var isDecided = false

        private var source = ObservedExchange.Source.nothing
        private var result: Result<Int, any Error> = .failure(URLError(.cancelled))
        private var sentBytes = 0
        private(set) var hasSentHead = false

        /// The rest of the body, or nil if no body is being sent.
        private var transfer: BodyTransfer?

        /// The pending delay, or nil if the exchange does not wait.
        private var timer: Scheduled<Void>?

        /// The closures of rules that produce the response.
        private var work: Task<Void, Never>?

        private var isRegistered = false

        /// Prepares an exchange.
        init(_ request: ServedRequest, to sink: any ExchangeSink, at server: ServerState) {
            served = request
            self.sink = sink
            self.server = server
            interceptor = server.interceptor.answering
        }

        private var request: InterceptedRequest { served.request }

        // MARK: - Decision

        /// Asks the engine, and begins the response, possibly at once.
        ///
        /// If the client has already left, the request reaches no rule and no entry.
        func begin() {
            guard sink != nil else { return }
            isCounted = true
            server.requestsInFlight += 1
            guard server.requestsInFlight <= server.limits.requestsInFlight else {
                return respond(
                    503, "The server already handles \(server.limits.requestsInFlight) requests.",
                    as: "too-many-requests")
            }
            if let error = interceptor.refusal ?? (interceptor.isStopped ? interceptor.stoppedError : nil) {
                return fail(with: error)
            }
            let loop = server.loop
            interceptor.decide(
                on: request, for: .server, unless: { [self] in isOver.load(ordering: .relaxed) }
            ) { [self] decision in
                if loop.inEventLoop { respond(to: decision) } else { loop.execute { self.respond(to: decision) } }
            }
        }

        private func respond(to decision: Decision) {
            guard sink != nil else { return }
            isDecided = true
            source = decision.source
            if let reply = decision.immediateReply { return deliver(reply) }
            guard !decision.isLive else { return refuseNetwork() }
            let configuration = interceptor.configuration
            let limit = TimeLimit(
                duration: configuration.timeLimit, clock: configuration.clock,
                subject: "\(self.request.method) \(MessageText.url(self.request.url))")
            let loop = server.loop
            work = Task { [self] in
                let reply = await decision.reply(within: limit, live: nil)
                loop.execute { self.deliver(reply) }
            }
            register()
        }

        private func refuseNetwork() {
            source = .nothing
            respond(
                502,
                """
                \(request.method) \(MessageText.url(request.url)) would be sent to the network, but the server responds \
                only from archives and rules.
                """, as: "network")
        }

        // MARK: - Response

        private func deliver(_ reply: Reply) {
            guard sink != nil else { return }
            switch reply.result {
            case .failure(let error): after(reply.pace.delay) { $0.fail(with: error) }
            case .success(let response):
                let method = request.method
                let isTruncated = reply.breakOff != nil
                let convert = { ServedResponse(response, method: method, isTruncated: isTruncated) }
                // Other requests may use the same response with its body.
                let converted = method == "HEAD" ? convert() : reply.converted(convert)
                guard var converted else {
                    let reason = "The status \(response.status) is not the status of a final response (200 to 999)."
                    return respond(502, reason, as: "status")
                }
                if converted.namesOrigin, let mapping = served.mapping { converted = converted.mapped(by: mapping) }
                if reply.isImmediate, converted.http1 != nil { return send(converted) }
                let complete = converted
                after(reply.pace.delay) { $0.begin(complete, of: reply) }
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
        private func respond(_ status: Int, _ message: String, as kind: String) {
            let fields = [HeaderField(name: "x-relay-error", value: kind)]
            send(ServedResponse(status, message: message, method: request.method, fields: fields))
        }

        /// Sends a failed request's error: as a message, or as a failure of the connection if it was recorded as such.
        private func fail(with error: any Error) {
            switch error {
            case let error as RelayError where error.code == .noMatchingEntry:
                let fields = [HeaderField(name: "x-relay-miss", value: "no-matching-entry")]
                send(
                    ServedResponse(
                        server.missStatus, message: error.message + advice, method: request.method, fields: fields))
            case let error as RelayError where error.code == .interceptorGone:
                respond(503, error.message, as: error.code.description)
            case let error as RelayError: respond(502, error.description, as: error.code.description)
            case let error as HARError: respond(502, error.description + advice, as: error.code.description)
            case let error as URLError: disconnect(ConnectionFailure(error), because: error)
            default: respond(502, "A rule failed with an error of type \(type(of: error)).", as: "rule")
            }
        }

        /// The reason why a client cannot open a WebSocket, or an empty string for any other request.
        private var advice: String {
            request.headers.values(named: "sec-websocket-key").isEmpty
                ? "" : "\nThe request opens a WebSocket. The server does not replay WebSocket connections."
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

        private func begin(_ response: ServedResponse, of reply: Reply) {
            guard let sink else { return }
            transfer = BodyTransfer(of: reply, hasBody: response.hasBody)
            result = .success(response.status)
            hasSentHead = true
            sink.sendHead(response)
            continueTransfer()
        }

        /// Continues the body when the client is ready for more data.
        func resume() {
            if timer == nil { continueTransfer() }
        }

        private func continueTransfer() {
            while let sink, let step = transfer?.next(isWritable: sink.isWritable) {
                switch step {
                case .send(let bytes):
                    sentBytes += bytes.readableBytes
                    sink.sendBody(bytes)
                case .wait(let delay): return after(delay) { $0.continueTransfer() }
                case .pause: return register()
                case .failure(let error): return abort(with: error)
                case .end(nil):
                    end()
                    return sink.sendEnd()
                case .end(let error?):
                    result = .failure(error)
                    // A reset could discard the part that was sent.
                    if case .stall = ConnectionFailure(error) { return sink.fail(.stall) }
                    end()
                    return sink.fail(.close)
                }
            }
        }

        // MARK: - Time

        /// Runs a step after a delay, or immediately if the delay is zero.
        private func after(_ delay: Duration, _ step: @escaping @Sendable (Exchange) -> Void) {
            guard delay > .zero else { return step(self) }
            timer = server.loop.scheduleTask(in: TimeAmount(delay)) { [self] in
                timer = nil
                step(self)
            }
            register()
        }

        /// Whether the exchange waits for a delay or a rule, so that the lack of progress is not the client's.
        var isWaiting: Bool { timer != nil || !hasSentHead && sink != nil }

        // MARK: - End

        /// Lets the interceptor end the exchange when it is stopped.
        private func register() {
            guard !isRegistered else { return }
            isRegistered = true
            let loop = server.loop
            interceptor.keepRunning(self) { [weak self] error in
                guard let self else { return }
                loop.execute { self.abort(with: error) }
            }
        }

        private func abort(with error: any Error) {
            guard let sink else { return }
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

        private func end(isReported: Bool = true) {
            guard sink != nil else { return }
            sink = nil
            isOver.store(true, ordering: .relaxed)
            transfer = nil
            timer?.cancel()
            timer = nil
            work?.cancel()
            work = nil
            if isCounted { server.requestsInFlight -= 1 }
            if isRegistered { interceptor.endRunning(self) }
            guard isReported, server.isObserved else { return }
            server.observe(
                ObservedExchange(
                    request: request, source: source, result: result, bodySize: sentBytes,
                    duration: start.duration(to: .now)))
        }
    }
#endif
