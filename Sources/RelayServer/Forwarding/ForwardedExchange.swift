#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore

    /// The properties of a client's connection that affect how its request is forwarded.
    struct ClientKind {
        /// Whether the client uses HTTP/2.
        var isVersion2: Bool

        /// Whether the connection can carry WebSocket messages.
        var canUpgrade: Bool

        /// The body of the request if it is still being received, or nil if it is complete.
        var upload: RequestUpload?
    }

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

            /// Continues to receive the request when the server is ready for more data.
            func continueUpload()

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

            /// Notes that no further part has arrived yet.
            func flush()

            /// Receives the end of the response, and the header fields after the body.
            func receiveEnd(trailers: [HeaderField])

            /// Receives the head of a response after which the connection carries another protocol.
            ///
            /// - Parameters:
            ///   - head: The head.
            ///   - relay: The connection to the client.
            func receive(upgrade head: CapturedExchange.Head, to relay: RawRelay)

            /// Receives the error that prevented or ended the response.
            func receive(failure: any Error)
        }

        /// The request to the server; without a body if the body is being received.
        private(set) var request: InterceptedRequest

        /// Whether the client accepts a response of HTTP/2.
        let allowsVersion2: Bool

        /// The body of the request, if it is sent while it is received.
        let upload: RequestUpload?

        /// Whether the head of the response is in ISO 8859-1, because it is not valid UTF-8.
        var isLatin1 = false

        /// Whether the connection was closed without an end of the data.
        var mayBeTruncated = false

        var times = Times()
        var wire = CapturedExchange.Wire()
        var tls: [(name: String, value: String)] = []

        private let date = Date()
        private let receiver: ExchangeReceiver?
        private let memory: BodyMemory
        private let turns: WorkTurns
        private weak var client: (any Client)?
        private var connection: (any UpstreamCarrier)?
        private var head: CapturedExchange.Head?
        private var interim: [CapturedExchange.Head] = []

        /// The maximum number of interim responses that are recorded.
        private static let mostInterim = 100
        private var body = SpooledBody()
        private var bodyFailure: HARError?

        /// The messages, if the connection carries WebSocket messages.
        private var socket: WebSocketRecording?

        /// The connection to the server and the client, if they use another protocol.
        private var upgraded: (relay: RawRelay, client: any Client)?

        /// The length of the body that the head declares, and the received part of it.
        private var length: Int?
        private var receivedSize = 0

        private var chunks = ChunkLog()

        /// The head, until more of the response has arrived.
        private var heldHead: (head: CapturedExchange.Head, length: Int?)?

        /// Whether the response ends with the head.
        private var endsWithHead = false

        /// The last part of a body of known length.
        private var heldBytes: ByteBuffer?

        private var wasRepeated = false

        /// Whether the exchange has ended, or the client has left.
        private(set) var isOver = false

        /// Prepares an exchange.
        ///
        /// - Parameters:
        ///   - request: The request of the client.
        ///   - client: The receiver of the response.
        ///   - kind: The properties of the client's connection.
        ///   - receiver: Records the exchange, or nil if it is not recorded.
        ///   - memory: The memory of the responses that are being received.
        ///   - turns: The turns of the server's event loop.
        init(
            _ request: InterceptedRequest, to client: any Client, over kind: ClientKind,
            recordedBy receiver: ExchangeReceiver?, in memory: BodyMemory, in turns: WorkTurns
        ) {
            self.request = Self.forwarded(request, over: kind)
            self.client = client
            self.receiver = receiver
            self.memory = memory
            self.turns = turns
            allowsVersion2 = kind.isVersion2
            upload = kind.upload
        }

        // MARK: - Request

        /// Returns a request with the framing of a complete body, and without the expectation that the server has met.
        private static func forwarded(_ request: InterceptedRequest, over kind: ClientKind) -> InterceptedRequest {
            var request = request
            if kind.canUpgrade, !request.headers.values(named: "sec-websocket-key").isEmpty {
                request.headers.append(HeaderField(name: "Connection", value: "Upgrade"))
                request.headers.append(HeaderField(name: "Upgrade", value: "websocket"))
            }
            request.headers.removeAll { $0.isNamed("expect") }
            // The client's own length can be in a form that servers understand differently.
            let lengths = request.headers.values(named: "content-length")
            let body = request.body?.count ?? 0
            let size = kind.upload == nil ? body : lengths.first.flatMap { Int($0) }
            let length = size.map(String.init)
            if lengths.contains(where: { $0 != length }) || lengths.count > 1 || lengths.isEmpty && body > 0 {
                request.headers.removeAll { $0.isNamed("content-length") }
                if let length { request.headers.append(HeaderField(name: "Content-Length", value: length)) }
            }
            if kind.upload != nil, length == nil, !kind.isVersion2 {
                request.headers.append(HeaderField(name: "Transfer-Encoding", value: "chunked"))
            }
            return request
        }

        /// Whether sending the request twice has the same effect as sending it once
        /// (https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2).
        ///
        /// A body that is being received cannot be sent again.
        var isRepeatable: Bool {
            upload == nil && ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.method)
        }

        /// Notes the connection that carries the exchange.
        func begin(on connection: any UpstreamCarrier) { self.connection = connection }

        /// Sends the body, or the parts of it that have arrived.
        func sendBody(over connection: any UpstreamCarrier) {
            if let upload {
                upload.begin(over: connection)
                return continueUpload()
            }
            if let body = request.body, !body.isEmpty { connection.send(ByteBuffer(bytes: body)) }
            connection.sendEnd()
        }

        /// Continues to receive the body when the server is ready for more data.
        func continueUpload() {
            if let upload, !upload.isSent, upload.isReady { client?.continueUpload() }
        }

        /// Whether the request may be sent again, which is possible once.
        func takeRepetition() -> Bool {
            defer { wasRepeated = true }
            return !wasRepeated
        }

        // MARK: - Response

        /// Whether the client is ready for more data.
        var isWritable: Bool { client?.isWritable ?? false }

        /// Continues to receive the response.
        func resume() { connection?.resume() }

        func receive(interim head: CapturedExchange.Head) {
            if interim.count < Self.mostInterim { interim.append(head) }
            client?.receive(interim: head)
        }

        func receive(_ head: CapturedExchange.Head) {
            self.head = head
            // The head is passed on with the connection.
            guard head.status != 101 else { return }
            let lengths = Set(head.headers.values(named: "content-length"))
            let isCoded = !head.headers.values(named: "transfer-encoding").isEmpty
            length = isCoded || lengths.count != 1 ? nil : lengths.first.flatMap { Int($0) }
            if receiver != nil { chunks = ChunkLog(contentType: head.headers.values(named: "content-type").first) }
            let hasBody = ServedResponse.hasBody(status: head.status, method: request.method)
            endsWithHead = !hasBody || length == 0
            heldHead = (head, length)
        }

        func receive(_ bytes: ByteBuffer) {
            receivedSize += bytes.readableBytes
            if receiver != nil, bodyFailure == nil {
                chunks.note(bytes.readableBytes, at: Double((NIODeadline.now() - times.start).nanoseconds) / 1e6)
                let data = bytes.withUnsafeReadableBytes { Data($0) }
                memory.size -= body.memorySize
                defer { memory.size += body.memorySize }
                let spool = length ?? 0 > SharedSpool.partSize ? nil : memory.spool
                do throws(HARError) { try body.append(data, inMemoryUpTo: memory.limit, sharing: spool) } catch {
                    // Without a file, the body may still fit into memory.
                    do throws(HARError) { try body.append(data) } catch { bodyFailure = error }
                }
            }
            guard receivedSize != length else { return heldBytes = bytes }
            releaseHead()
            client?.receive(bytes)
        }

        /// Passes on what has arrived, except for the part that completes the response.
        func receiveReadComplete() {
            if !endsWithHead { releaseHead() }
            client?.flush()
        }

        private func releaseHead() {
            guard let (head, length) = heldHead else { return }
            heldHead = nil
            client?.receive(head, length: length)
        }

        func receiveEnd(trailers: [HeaderField]) {
            record(nil, trailers: trailers) { [self] in
                releaseHead()
                if let heldBytes { client?.receive(heldBytes) }
                client?.receiveEnd(trailers: trailers)
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
            record(nil) { client?.receiveEnd(trailers: []) }
        }

        /// Ends the exchange without the rest of the response.
        func fail(with error: any Error) {
            record(Self.recordable(error)) { [self] in
                releaseHead()
                client?.receive(failure: error)
            }
        }

        /// Ends the exchange because the client has left, soon, because very many clients can leave at once.
        func cancel() {
            client = nil
            if isOver { return }
            turns.executeSoon { [self] in
                guard !isOver else { return }
                let (connection, upgraded) = (connection, upgraded)
                record(upgraded == nil ? URLError(.cancelled) : nil) {}
                connection?.close()
                upgraded?.relay.close()
            }
        }

        // MARK: - Recording

        /// Records the exchange, and then calls a closure on the event loop, in a turn if very many exchanges end at once.
        private func record(
            _ error: (any Error)?, trailers: [HeaderField] = [], then end: @escaping () -> Void
        ) {
            guard !isOver else { return }
            isOver = true
            connection = nil
            upgraded = nil
            guard let receiver else { return end() }
            memory.size -= body.memorySize
            var exchange = CapturedExchange(request: request, start: date, body: SpooledBody())
            exchange.head = head
            exchange.error = error ?? bodyFailure
            exchange.wire = wire
            exchange.timings = timings(until: .now())
            if let upload {
                exchange.request.body = upload.body
                exchange.error = exchange.error ?? upload.failure
                upload.end()
            }
            if mayBeTruncated, length == nil {
                exchange.comment = "The server closed the TLS connection without an end, so the body may be incomplete."
            }
            exchange.customFields["_chunks"] = chunks.field
            if !tls.isEmpty {
                let members = tls.map { fact in
                    JSONObject.Member(name: JSONString(fact.name), value: .string(JSONString(fact.value)))
                }
                exchange.customFields["_tls"] = .object(JSONObject(members: members))
            }
            let destination = Destination(ofURL: request.url)
            let done = NIOLoopBound(end, eventLoop: turns.loop)
            let captured = exchange
            let messages = socket?.messages
            let size = exchange.byteCount + body.count + trailers.byteCount + (messages?.weight ?? 0)
            let weight = interim.reduce(size) { $0 + $1.headers.byteCount }
            receiver.take(
                body, requestSize: exchange.request.body?.count ?? 0,
                group: destination.hash,
                weight: client == nil ? max(weight, ExchangeReceiver.unawaitedWeight) : weight,
                codedBy: head?.headers.filter { $0.isNamed("content-encoding") } ?? [],
                then: { [turns] in
                    turns.loop.execute { turns.finishSoon(for: destination, done.value) }
                }
            ) { [interim] body in
                var complete = captured
                complete.body = body
                if !interim.isEmpty {
                    complete.customFields["_interimResponses"] = .array(
                        interim.map { ["status": .number(JSONNumber($0.status)), "headers": Self.json($0.headers)] })
                }
                if !trailers.isEmpty { complete.customFields["_trailers"] = Self.json(trailers) }
                messages?.add(to: &complete)
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
