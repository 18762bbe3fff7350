#if Server
    import Foundation
    import NIOCore
    import NIOHTTP1

    /// The server's end of an HTTP/1 connection.
    ///
    /// Requests are handled one after another. Pipelined requests wait in a queue, during which nothing is read, so the
    /// queue holds at most what one read returns.
    final class HTTP1Connection: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = Never
        typealias OutboundOut = ByteBuffer

        enum Phase {
            /// Waiting for a request, or receiving its head.
            case waiting

            /// Receiving the body.
            case receiving(IncomingRequest)

            /// Receiving the rest of a request for a tunnel to an authority.
            case connecting(String)

            /// Waiting for a response, or sending it.
            case responding(Exchange, IncomingRequest.Client)

            /// Waiting for the client to give up.
            case stalled(Exchange)

            /// Waiting for the client to close its end, so that it receives the last response.
            case closing(since: NIODeadline)
        }

        /// A part of a request, or the error that follows the last part.
        enum Input {
            case part(HTTPServerRequestPart)
            case rejection(Rejection)
        }

        let server: ServerState
        let destination: ServedRequest.Destination
        let received: ReceivedBytes

        var phase = Phase.waiting
        var queue: CircularBuffer<Input> = []
        private(set) var context: ChannelHandlerContext?

        /// Whether a body without a length is being sent in chunks.
        var isChunked = false

        /// Whether the body of the request is being received while its exchange takes place.
        var isUploading = false

        /// The time at which the server became ready for the rest of the body.
        var uploadStart = NIODeadline.now()

        private var isHandlingInput = false

        /// The number of parts that are handled before the next turn of the event loop.
        private var partsInTurn = HTTP1Connection.turnSize

        /// The maximum number of parts that a connection handles in one turn of the event loop.
        private static let turnSize = 32
        private var isReading = false
        private var needsFlush = false

        /// Small parts that are not written yet, because several writes take longer.
        private var prepared = ByteBuffer()

        /// The maximum size of these parts, in bytes.
        private static let preparedSize = 1 << 12
        private var wantsRead = false
        private var hasEnded = false
        var isDraining = false
        private(set) var lastSent = NIODeadline.now()

        /// Prepares a connection.
        ///
        /// - Parameters:
        ///   - server: The server.
        ///   - destination: The destination of requests.
        ///   - received: The handler that receives bytes before the decoder.
        init(to server: ServerState, for destination: ServedRequest.Destination, received: ReceivedBytes) {
            self.server = server
            self.destination = destination
            self.received = received
        }

        // MARK: - Channel events

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            server.add(self)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
            exchange?.cancel()
            server.remove(self)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            isReading = true
            received.reset()
            receive(.part(unwrapInboundIn(data)))
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            isReading = false
            if received.count > server.limits.headerSize {
                receive(
                    .rejection(Rejection(431, "a head or chunk header of more than \(server.limits.headerSize) bytes")))
            }
            flush()
            context.fireChannelReadComplete()
        }

        func read(context: ChannelHandlerContext) {
            wantsRead = true
            readIfPossible()
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable {
                lastSent = .now()
                exchange?.resume()
                flush()
                handleQueue()
            }
            context.fireChannelWritabilityChanged()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent, event == .inputClosed {
                hasEnded = true
                switch phase {
                case .closing, .stalled: return context.close(promise: nil)
                case .waiting, .receiving, .connecting, .responding: break
                }
                // A request that is incomplete is rejected by the decoder.
                if case .waiting = phase, queue.isEmpty { closeAfterWriting() }
                if case .responding = phase { probe() }
            }
            context.fireUserInboundEventTriggered(event)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if let error = error as? HTTPParserError { return receive(.rejection(Rejection(error))) }
            // Writing failed, or the client has reset the connection.
            context.close(promise: nil)
        }

        /// Sends an interim response if the client has closed its sending end and waits for its response.
        ///
        /// A client that has left looks the same until it receives data, which it answers with a reset.
        private func probe() {
            _ = TurnTimer(in: .milliseconds(100), on: server.turns) { [self] in
                guard case .responding(let exchange, let client) = phase, client.isHTTP11, !exchange.hasSentHead
                else { return }
                write(ByteBuffer(string: "HTTP/1.1 102 Processing\r\n\r\n"))
            }
        }

        // MARK: - Requests

        func receive(_ input: Input) {
            if case .closing = phase { return }
            queue.append(input)
            handleQueue()
        }

        /// Handles the queued parts up to the end of the next request whose response is not complete yet.
        private func handleQueue() {
            guard !isHandlingInput else { return }
            isHandlingInput = true
            while acceptsInput, partsInTurn > 0, let input = queue.popFirst() {
                partsInTurn -= 1
                if partsInTurn == 0 { continueLater() }
                handle(input)
            }
            isHandlingInput = false
            // A client that sends few requests at a time does not wait for other connections.
            if queue.isEmpty, partsInTurn > 0 { partsInTurn = Self.turnSize }
            if hasEnded, queue.isEmpty, case .waiting = phase { closeAfterWriting() }
            flush()
            readIfPossible()
        }

        /// Continues in the next turn of the event loop, after other connections.
        private func continueLater() {
            server.turns.continueLater { [self] in
                partsInTurn = Self.turnSize
                handleQueue()
            }
        }

        private var acceptsInput: Bool {
            switch phase {
            case .waiting, .receiving, .connecting: context?.channel.isWritable ?? false
            case .responding(let exchange, _): isUploading && exchange.upload?.isReady == true
            case .stalled, .closing: false
            }
        }

        func continueUpload() {
            uploadStart = .now()
            handleQueue()
        }

        private func handle(_ input: Input) {
            do throws(Rejection) {
                switch (input, phase) {
                case (.part(.head(let head)), .waiting) where head.method == .CONNECT:
                    phase = .connecting(try tunnelAuthority(of: head))
                case (.part(.end), .connecting(let authority)): openTunnel(to: authority)
                case (.part(.head(let head)), .waiting):
                    let request = try IncomingRequest(head, to: destination, at: server) { [weak self] rejection in
                        self?.receive(.rejection(rejection))
                    }
                    phase = .receiving(request)
                    defer { if request.isStreaming { beginUpload(of: request) } }
                    if request.expectsContinue, queue.isEmpty {
                        prepare(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n"))
                        flushNow()
                    }
                case (.part(.body(let bytes)), .receiving(var request)):
                    phase = .waiting
                    try request.append(bytes)
                    phase = .receiving(request)
                case (.part(.body(let bytes)), .responding(let exchange, _)): exchange.upload?.receive(bytes)
                case (.part(.end), .responding(let exchange, _)):
                    isUploading = false
                    exchange.upload?.receiveEnd()
                case (.part(.end), .receiving(let request)):
                    let exchange = Exchange(request, to: self, at: server)
                    phase = .responding(exchange, request.client)
                    exchange.begin()
                case (.rejection(let rejection), _): throw rejection
                default: break
                }
            } catch {
                reject(error)
            }
        }

        /// Begins the exchange of a request whose body is sent to the network while it is received.
        private func beginUpload(of request: IncomingRequest) {
            let exchange = Exchange(request, to: self, at: server)
            phase = .responding(exchange, request.client)
            isUploading = true
            uploadStart = .now()
            exchange.begin()
        }

        private func reject(_ rejection: Rejection) {
            if isUploading, let exchange {
                isUploading = false
                exchange.cancel()
                if exchange.hasSentHead { return close(because: rejection.reason) }
            }
            server.report("\(rejection.status): \(rejection.reason)", from: context?.channel.remoteAddress)
            let response = ServedResponse(
                rejection.status, message: "The server cannot handle the request: \(rejection.reason).",
                fields: rejection.fields)
            write(response.completeHTTP1(connection: "close"))
            closeAfterWriting()
        }

        // MARK: - Responses

        /// Begins to wait for the next request, or closes the connection.
        func finishResponse(isPersistent: Bool) {
            phase = .waiting
            guard isPersistent, !isDraining else { return closeAfterWriting() }
            if !isHandlingInput { handleQueue() }
        }

        /// Whether the connection stays open after the response to a request.
        ///
        /// The rest of a request that is still being received would have to be read first.
        func isPersistent(for client: IncomingRequest.Client) -> Bool {
            client.isPersistent && !isDraining && !isUploading
        }

        func write(_ bytes: ByteBuffer) {
            prepare(bytes)
            flush()
        }

        func prepare(_ bytes: ByteBuffer) {
            needsFlush = true
            if prepared.readableBytes + bytes.readableBytes > Self.preparedSize { writePrepared() }
            if bytes.readableBytes > Self.preparedSize {
                context?.write(wrapOutboundOut(bytes), promise: nil)
            } else if prepared.readableBytes == 0 {
                prepared = bytes
            } else {
                prepared.writeImmutableBuffer(bytes)
            }
        }

        private func writePrepared() {
            guard prepared.readableBytes > 0 else { return }
            context?.write(wrapOutboundOut(prepared), promise: nil)
            prepared = ByteBuffer()
        }

        func flush() {
            if needsFlush, !isReading, !isHandlingInput { flushNow() }
        }

        func flushNow() {
            needsFlush = false
            lastSent = .now()
            writePrepared()
            context?.flush()
        }

        private func readIfPossible() {
            guard wantsRead, queue.isEmpty else { return }
            wantsRead = false
            context?.read()
        }

        /// Closes the connection after sending what was written, when the client has closed its end or a second has
        /// passed.
        ///
        /// Closing both ends at once would reset the connection if the client still sends data, and the client might
        /// then not receive the response (https://www.rfc-editor.org/rfc/rfc9112#section-9.6).
        func closeAfterWriting() {
            guard let context else { return }
            if case .closing = phase { return }
            phase = .closing(since: .now())
            queue.removeAll()
            received.isDiscarding = true
            needsFlush = false
            writePrepared()
            if hasEnded {
                let close = context.channel.writeAndFlush(ByteBuffer())
                close.assumeIsolated().whenComplete { [self, channel = context.channel] _ in
                    channel.close(promise: nil)
                    server.remove(self, ifClosed: channel)
                }
            } else {
                context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { [channel = context.channel] _ in
                    channel.close(mode: .output).whenFailure { _ in channel.close(promise: nil) }
                }
            }
            readIfPossible()
        }

        var exchange: Exchange? {
            switch phase {
            case .responding(let exchange, _), .stalled(let exchange): exchange
            case .waiting, .receiving, .connecting, .closing: nil
            }
        }
    }
#endif
