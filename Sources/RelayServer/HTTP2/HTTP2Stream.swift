#if Server
    import HTTPArchive
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import RelayCore

    /// The server's end of an HTTP/2 stream, which carries one request.
    final class HTTP2Stream: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private enum Phase {
            case waiting
            case receiving(IncomingRequest)
            case responding(Exchange)

            /// Waiting for the client to give up.
            case stalled(Exchange)
            case over
        }

        private let server: ServerState
        private let destination: ServedRequest.Destination
        private let parent: HTTP2Connection
        private var phase = Phase.waiting
        private var context: ChannelHandlerContext?
        private(set) var lastProgress = NIODeadline.now()

        /// Whether the body of the request is being received while its exchange takes place.
        private var isUploading = false

        /// The small parts of the response that are sent together.
        ///
        /// A frame for each part would take a hundred times its memory while it waits for the client.
        private var parts = ByteBuffer()

        /// The size at which parts are sent, in bytes.
        private static let leastWrite = 1 << 10

        /// Prepares a stream.
        init(to server: ServerState, for destination: ServedRequest.Destination, in connection: HTTP2Connection) {
            self.server = server
            self.destination = destination
            parent = connection
        }

        /// Closes the stream if it has exceeded a time limit.
        func checkTime(_ now: NIODeadline) {
            switch phase {
            case .receiving(let request):
                if request.deadline.isOver(at: now) { reject(.slowBody) }
            case .responding(let exchange):
                if isUploading, exchange.upload?.isReady == true, now - lastProgress > server.requestTime {
                    server.report("closed: \(Rejection.slowBody.reason)", from: context?.channel.parent?.remoteAddress)
                    close()
                } else if !exchange.isWaiting, now - lastProgress > server.idleTime {
                    server.report(
                        "closed: the client does not read the response", from: context?.channel.parent?.remoteAddress)
                    close()
                }
            case .waiting, .stalled, .over:
                if now - lastProgress > server.idleTime { close() }
            }
        }

        /// Closes the stream if it waits for the client to give up.
        func drain() {
            if case .stalled = phase { close() }
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            parent.add(self)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
            end()
            server.end(self)
            parent.remove(self)
        }

        /// Ends the exchange, if it is not over.
        private func end() {
            switch phase {
            case .responding(let exchange), .stalled(let exchange): exchange.cancel()
            case .waiting, .receiving, .over: break
            }
            phase = .over
        }

        private func close() {
            end()
            context?.close(promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            lastProgress = .now()
            do throws(Rejection) {
                switch (unwrapInboundIn(data), phase) {
                case (.head(let head), .waiting):
                    guard head.method != .CONNECT else { throw Rejection(501, "CONNECT in HTTP/2") }
                    let method = head.method.rawValue
                    guard FieldSyntax.isToken(method), method.utf8.count <= 64 else {
                        throw Rejection(400, "an invalid method")
                    }
                    let request = try IncomingRequest(head, to: destination, at: server) { [weak self] rejection in
                        self?.reject(rejection)
                    }
                    phase = .receiving(request)
                    defer { if request.isStreaming { begin(request) } }
                    if request.expectsContinue {
                        let head = HTTPResponseHead(version: .http2, status: .continue)
                        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
                    }
                case (.body(let bytes), .receiving(var request)):
                    phase = .waiting
                    try request.append(bytes)
                    phase = .receiving(request)
                case (.end, .receiving(let request)): begin(request)
                case (.body(let bytes), .responding(let exchange)):
                    exchange.upload?.receive(bytes)
                    if exchange.upload?.isReady == false { setReading(false) }
                case (.end, .responding(let exchange)):
                    isUploading = false
                    exchange.upload?.receiveEnd()
                default: break
                }
            } catch {
                reject(error)
            }
        }

        private func begin(_ request: IncomingRequest) {
            let exchange = Exchange(request, to: self, at: server)
            phase = .responding(exchange)
            isUploading = request.isStreaming
            parent.begin(exchange)
        }

        func continueUpload() {
            lastProgress = .now()
            setReading(true)
        }

        private func setReading(_ isReading: Bool) {
            try? context?.channel.syncOptions?.setOption(.autoRead, value: isReading)
            if isReading { context?.read() }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            resume()
            context.fireChannelWritabilityChanged()
        }

        /// Continues the response when the client is ready for more data.
        func resume() {
            guard isWritable, case .responding(let exchange) = phase else { return }
            lastProgress = .now()
            exchange.resume()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if error is NIOHTTP2Errors.MissingPseudoHeader {
                server.report(violationOf: error, from: context.channel.parent?.remoteAddress)
            }
            if error is NIOHTTP2Errors.StreamClosed, !isOver { parent.countReset() }
            close()
        }

        private var isOver: Bool {
            if case .over = phase { true } else { false }
        }

        private func reject(_ rejection: Rejection) {
            server.report("\(rejection.status): \(rejection.reason)", from: context?.channel.parent?.remoteAddress)
            send(
                ServedResponse(
                    rejection.status, message: "The server cannot handle the request: \(rejection.reason).",
                    fields: rejection.fields))
        }
    }

    extension HTTP2Stream: ExchangeSink {
        var isWritable: Bool {
            guard let channel = context?.channel else { return false }
            return channel.isWritable && channel.parent?.isWritable ?? true
        }

        var isBlocked: Bool {
            switch phase {
            case .responding(let exchange): exchange.hasSentHead && !isWritable
            // A stream stays open after its response until the client has read it.
            case .stalled, .over: true
            case .waiting, .receiving: false
            }
        }

        /// Whether the stream waits for its client or for a delay.
        var isWaiting: Bool {
            if case .responding(let exchange) = phase { exchange.isDelayed || isBlocked } else { true }
        }

        var isQueued: Bool {
            if case .responding(let exchange) = phase { exchange.isQueued } else { false }
        }

        /// Whether the stream waits for its client or for a delay, or sends a response.
        var isReplaceable: Bool {
            if case .responding(let exchange) = phase { exchange.isDelayed || exchange.isSending } else { true }
        }

        var connection: ObjectIdentifier { ObjectIdentifier(parent) }

        func makeRoom() {
            if case .responding(let exchange) = phase, !exchange.hasSentHead { return exchange.refuse() }
            server.report("closed: \(ServerState.needsRoom)", from: context?.channel.parent?.remoteAddress)
            close()
        }

        // The request ends when the stream is closed, because the response can wait in memory for the client.
        func exchangeEnded() {}

        func send(_ response: ServedResponse) {
            sendHead(response)
            if !response.body.isEmpty { write(.body(.byteBuffer(ByteBuffer(bytes: response.body)))) }
            sendEnd(trailers: [])
        }

        var isVersion2: Bool { true }

        var canUpgrade: Bool { false }

        func upgrade(_: ServedResponse, to _: any UpgradedHandler) { fail(.close) }

        func sendInterim(_ response: ServedResponse) {
            sendHead(response)
            context?.flush()
        }

        func sendHead(_ response: ServedResponse) {
            var headers = HTTPHeaders()
            headers.reserveCapacity(response.fields.count + 1)
            for field in response.fields { headers.add(name: field.name, value: field.value) }
            // RFC 9110, section 8.6, allows the field with status 304, but httpx then expects a body.
            if let length = response.length, response.status != 304 {
                headers.add(name: "content-length", value: "\(length)")
            }
            let status = HTTPResponseStatus(statusCode: response.status)
            write(.head(HTTPResponseHead(version: .http2, status: status, headers: headers)))
        }

        func sendBody(_ bytes: ByteBuffer) {
            lastProgress = .now()
            guard parts.readableBytes > 0 || bytes.readableBytes < Self.leastWrite else {
                return write(.body(.byteBuffer(bytes)))
            }
            parts.writeImmutableBuffer(bytes)
            if parts.readableBytes >= Self.leastWrite { writeParts() }
        }

        private func writeParts() {
            guard parts.readableBytes > 0 else { return }
            write(.body(.byteBuffer(parts)))
            parts = ByteBuffer()
        }

        func flush() {
            writeParts()
            context?.flush()
        }

        func sendEnd(trailers: [HeaderField]) {
            phase = .over
            writeParts()
            var fields = HTTPHeaders()
            for field in trailers { fields.add(name: field.name.lowercased(), value: field.value) }
            context?.writeAndFlush(wrapOutboundOut(.end(trailers.isEmpty ? nil : fields)), promise: nil)
            // Some clients wait until they have sent the rest of the request, which is discarded.
            if isUploading { setReading(true) }
        }

        func fail(_ failure: ConnectionFailure) {
            guard let context else { return }
            if case .stall = failure {
                if case .responding(let exchange) = phase { phase = .stalled(exchange) }
                return
            }
            // HTTP/2 can reset a stream without closing the connection.
            phase = .over
            flush()
            context.close(promise: nil)
        }

        private func write(_ part: HTTPServerResponsePart) { context?.write(wrapOutboundOut(part), promise: nil) }
    }
#endif
