#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import NIOHTTP1
    import RelayCore

    /// A request that is sent to the network, and its response, which is passed on while it is received and then recorded.
    ///
    /// The client receives the end of a response only when the exchange is recorded, so nothing that a client has seen is
    /// lost if the process is killed. All members are used on the server's event loop.
    final class ForwardedExchange: @unchecked Sendable {
        /// The times of the exchange; nil for phases that did not take place.
        struct Times {
            let start = NIODeadline.now()
            var dns: TimeAmount?
            var connect: TimeAmount?
            var ssl: TimeAmount?
            var begin: NIODeadline?
            var sent: NIODeadline?
            var firstByte: NIODeadline?
        }

        /// The receiver of the parts of a response.
        protocol Client: AnyObject {
            /// Whether the client is ready for more data.
            var isWritable: Bool { get }

            /// Receives an interim response.
            func receive(interim head: CapturedExchange.Head)

            /// Receives the head of the response.
            ///
            /// - Parameters:
            ///   - head: The head.
            ///   - length: The size of the body, or nil if it is unknown.
            func receive(_ head: CapturedExchange.Head, length: Int?)

            /// Receives a part of the body.
            func receive(_ bytes: ByteBuffer)

            /// Receives the end of the response.
            func receiveEnd()

            /// Receives the head of a response after which the connection carries another protocol.
            ///
            /// - Parameters:
            ///   - head: The head.
            ///   - relay: The connection to the client.
            func receive(upgrade head: CapturedExchange.Head, to relay: RawRelay)

            /// Receives the error that prevented or ended the response.
            func receive(failure: any Error)
        }

        /// The request to the server.
        let request: InterceptedRequest
        var times = Times()
        var wire = CapturedExchange.Wire()
        var tlsVersion: String?

        private let date = Date()
        private let receiver: ExchangeReceiver?
        private let loop: any EventLoop
        private weak var client: (any Client)?
        private var connection: UpstreamConnection?
        private var head: CapturedExchange.Head?
        private var interim: [CapturedExchange.Head] = []
        private var body = SpooledBody()
        private var bodyFailure: HARError?

        /// The messages, if the connection carries WebSocket messages.
        private var socket: WebSocketRecording?

        /// The connection to the server and the client, if they use another protocol.
        private var upgraded: (relay: RawRelay, client: any Client)?

        /// The length of the body that the head declares, and the received part of it.
        private var length: Int?
        private var receivedSize = 0

        /// The head, until the response is known to have a body.
        private var heldHead: (head: CapturedExchange.Head, length: Int?)?

        /// The last part of a body of known length.
        private var heldBytes: ByteBuffer?

        /// Whether the exchange has ended, or the client has left.
        private(set) var isOver = false

        /// Prepares an exchange.
        ///
        /// - Parameters:
        ///   - request: The request of the client.
        ///   - client: The receiver of the response.
        ///   - upgrades: Whether the connection of the client can carry WebSocket messages.
        ///   - receiver: Records the exchange, or nil if it is not recorded.
        ///   - loop: The server's event loop.
        init(
            _ request: InterceptedRequest, to client: any Client, upgrades: Bool,
            recordedBy receiver: ExchangeReceiver?, on loop: any EventLoop
        ) {
            self.request = Self.forwarded(request, upgrades: upgrades)
            self.client = client
            self.receiver = receiver
            self.loop = loop
        }

        // MARK: - Request

        /// Returns a request with the framing of a complete body, and without the expectation that the server has met.
        private static func forwarded(_ request: InterceptedRequest, upgrades: Bool) -> InterceptedRequest {
            var request = request
            if upgrades, !request.headers.values(named: "sec-websocket-key").isEmpty {
                request.headers.append(HeaderField(name: "Connection", value: "Upgrade"))
                request.headers.append(HeaderField(name: "Upgrade", value: "websocket"))
            }
            request.headers.removeAll { $0.name.lowercased() == "expect" }
            // The client's own length can be in a form that servers understand differently.
            let size = String(request.body?.count ?? 0)
            if request.headers.contains(where: { $0.name.lowercased() == "content-length" && $0.value != size })
                || request.body?.isEmpty == false && request.headers.values(named: "content-length").isEmpty
            {
                request.headers.removeAll { $0.name.lowercased() == "content-length" }
                request.headers.append(HeaderField(name: "Content-Length", value: size))
            }
            return request
        }

        /// The head and the body.
        var message: (HTTPRequestHead, Data?) {
            let url = LiteralURL(request.url)
            let path = url.path.isEmpty ? "/" : url.path
            var headers = HTTPHeaders()
            for field in request.headers { headers.add(name: field.name, value: field.value) }
            let head = HTTPRequestHead(
                version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: "\(path)\(url.query)",
                headers: headers)
            return (head, request.body)
        }

        /// Whether sending the request twice has the same effect as sending it once
        /// (https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2).
        var isRepeatable: Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.method) }

        /// Notes the connection that carries the exchange.
        func begin(on connection: UpstreamConnection) { self.connection = connection }

        // MARK: - Response

        /// Whether the client is ready for more data.
        var isWritable: Bool { client?.isWritable ?? true }

        /// Continues to receive the response.
        func resume() { connection?.resume() }

        func receive(interim head: CapturedExchange.Head) {
            interim.append(head)
            client?.receive(interim: head)
        }

        func receive(_ head: CapturedExchange.Head, version: HTTPVersion) {
            self.head = head
            // The head is passed on with the connection.
            guard head.status != 101 else { return }
            let lengths = Set(head.headers.values(named: "content-length"))
            let isCoded = !head.headers.values(named: "transfer-encoding").isEmpty
            length = isCoded || lengths.count != 1 ? nil : lengths.first.flatMap { Int($0) }
            let hasBody = ServedResponse.hasBody(status: head.status, method: request.method)
            if !hasBody || length == 0 {
                heldHead = (head, length)
            } else {
                client?.receive(head, length: length)
            }
        }

        func receive(_ bytes: ByteBuffer) {
            receivedSize += bytes.readableBytes
            if receiver != nil, bodyFailure == nil {
                do throws(HARError) { try body.append(Data(bytes.readableBytesView)) } catch { bodyFailure = error }
            }
            if receivedSize == length { heldBytes = bytes } else { client?.receive(bytes) }
        }

        func receiveEnd(trailers: [HeaderField]) {
            record(nil, trailers: trailers) { [self] in
                if let (head, length) = heldHead { client?.receive(head, length: length) }
                if let heldBytes { client?.receive(heldBytes) }
                client?.receiveEnd()
            }
        }

        /// Begins to pass on the bytes of another protocol.
        ///
        /// - Returns: The connection to the server.
        func upgrade() -> RawRelay? {
            guard let head, let client else { return nil }
            let socket = WebSocketRecording(
                extensions: head.headers.values(named: "sec-websocket-extensions").joined(separator: ", "))
            let toServer = RawRelay(observing: { socket.receive($0) }) { [self] in endUpgrade() }
            let toClient = RawRelay(observing: { socket.send($0) }) { [self] in endUpgrade() }
            RawRelay.join(toServer, toClient)
            self.socket = socket
            upgraded = (toServer, client)
            client.receive(upgrade: head, to: toClient)
            return toServer
        }

        private func endUpgrade() {
            let client = upgraded?.client
            record(nil) { client?.receiveEnd() }
        }

        /// Ends the exchange without the rest of the response.
        func fail(with error: any Error) {
            record(Self.recordable(error)) { [self] in client?.receive(failure: error) }
        }

        /// Ends the exchange because the client has left.
        func cancel() {
            guard !isOver else { return }
            let connection = connection
            let upgraded = upgraded
            record(upgraded == nil ? URLError(.cancelled) : nil) {}
            connection?.close()
            upgraded?.relay.close()
        }

        // MARK: - Recording

        /// Records the exchange, and then calls a closure on the event loop.
        private func record(
            _ error: (any Error)?, trailers: [HeaderField] = [], then end: @escaping () -> Void
        ) {
            guard !isOver else { return }
            isOver = true
            connection = nil
            upgraded = nil
            guard let receiver else { return end() }
            var exchange = CapturedExchange(request: request, start: date, body: SpooledBody())
            exchange.head = head
            exchange.error = error ?? bodyFailure
            exchange.wire = wire
            exchange.timings = timings(until: .now())
            if let socket {
                exchange.customFields = socket.fields
                if socket.isIncomplete { exchange.comment = "The archive does not contain all messages." }
            }
            if let tlsVersion { exchange.customFields["_tls"] = ["version": .string(JSONString(tlsVersion))] }
            if !interim.isEmpty {
                exchange.customFields["_interimResponses"] = .array(
                    interim.map { ["status": .number(JSONNumber($0.status)), "headers": Self.json($0.headers)] })
            }
            if !trailers.isEmpty { exchange.customFields["_trailers"] = Self.json(trailers) }
            let done = NIOLoopBound(end, eventLoop: loop)
            let captured = exchange
            receiver.take(
                body, requestSize: request.body?.count ?? 0,
                then: { [loop] in loop.execute { done.value() } }
            ) { body in
                var complete = captured
                complete.body = body.decoded(by: captured.head?.headers ?? [])
                return complete
            }
            body = SpooledBody()
        }

        private static func json(_ fields: [HeaderField]) -> JSONValue {
            .array(fields.map { ["name": .string(JSONString($0.name)), "value": .string(JSONString($0.value))] })
        }

        private func timings(until end: NIODeadline) -> CapturedExchange.Timings {
            func milliseconds(_ amount: TimeAmount) -> Double { max(0, Double(amount.nanoseconds) / 1e6) }
            let before = (times.dns ?? .zero) + (times.connect ?? .zero)
            let begin = times.begin ?? end
            let sent = times.sent ?? begin
            let answered = times.firstByte.map { max($0, sent) } ?? end
            return CapturedExchange.Timings(
                blocked: max(0, milliseconds(begin - times.start - before)), dns: times.dns.map(milliseconds),
                connect: times.connect.map(milliseconds), send: milliseconds(sent - begin),
                wait: milliseconds(answered - sent), receive: milliseconds(end - answered),
                ssl: times.ssl.map(milliseconds))
        }
    }
#endif
