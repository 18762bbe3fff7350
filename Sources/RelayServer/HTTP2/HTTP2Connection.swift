#if Server
    import NIOCore
    import NIOHTTP2

    /// The time limits of an HTTP/2 connection, and the streams that it carries.
    final class HTTP2Connection: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let server: ServerState
        private let input: DividedInput
        private var context: ChannelHandlerContext?
        private var streams: [ObjectIdentifier: HTTP2Stream] = [:]
        private var isDraining = false
        private var resets: ResetBudget

        /// Whether the connection discards all data until it is closed.
        private var isClosing = false

        /// Whether frames that were received together are being handled.
        private var isReading = false

        /// The exchanges that begin after these frames, because one of the frames may reset them.
        private var received: CircularBuffer<Exchange> = []

        /// Whether the client allows a large table of header fields.
        fileprivate(set) var allowsLargeTable = false

        /// Whether received exchanges begin in the next turn of the event loop.
        private var isBeginning = false

        /// The maximum number of exchanges that begin in one turn of the event loop.
        private static let turnSize = 8
        private(set) var lastProgress = NIODeadline.now()

        /// Prepares a connection.
        ///
        /// - Parameters:
        ///   - server: The server.
        ///   - input: The handler that passes on frames.
        init(to server: ServerState, input: DividedInput) {
            self.server = server
            self.input = input
            resets = ResetBudget(server.limits.resets)
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            server.add(self)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
            server.remove(self)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isClosing else { return }
            lastProgress = .now()
            isReading = true
            context.fireChannelRead(data)
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            isReading = input.isWaiting
            beginReceived()
            context.fireChannelReadComplete()
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable { lastProgress = .now() }
            context.fireChannelWritabilityChanged()
            // Streams wait for the connection, too.
            if context.channel.isWritable {
                for stream in Array(streams.values) { stream.resume() }
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent, event == .inputClosed {
                context.close(promise: nil)
                server.remove(self, ifClosed: context.channel)
            }
            context.fireUserInboundEventTriggered(event)
        }

        /// Adds a stream, or closes the connection if all connections together have too many.
        ///
        /// Closing a connection takes time for each of its streams.
        func add(_ stream: HTTP2Stream) {
            if streams.updateValue(stream, forKey: ObjectIdentifier(stream)) == nil { server.streamCount += 1 }
            let limit = server.limits.streams
            if server.streamCount > limit { end(because: "all clients together have more than \(limit) streams") }
        }

        /// Removes a closed stream.
        func remove(_ stream: HTTP2Stream) {
            if streams.removeValue(forKey: ObjectIdentifier(stream)) != nil { server.streamCount -= 1 }
            if isDraining, streams.isEmpty { closeAfterWriting() }
        }

        /// Begins an exchange, unless its stream is reset by a frame that was received with the request.
        func begin(_ exchange: Exchange) {
            received.append(exchange)
            beginReceived()
        }

        /// Begins some of the received exchanges, and the others in later turns of the event loop.
        private func beginReceived() {
            guard !isBeginning, !isReading else { return }
            for _ in 0..<min(Self.turnSize, received.count) { received.removeFirst().begin() }
            guard !received.isEmpty else { return }
            isBeginning = true
            server.turns.receiveLater { [self] in
                isBeginning = false
                beginReceived()
            }
        }

        /// Counts a request that the client has reset before the end of its response.
        ///
        /// If there are too many, the connection is closed. Resets after the response, such as those by libcurl, are not
        /// counted.
        func countReset() {
            guard !isClosing, !resets.spend(at: .now()) else { return }
            end(because: "the client resets too many requests, more than \(server.limits.resets) in 20 seconds")
        }

        /// Closes the connection with the error `ENHANCE_YOUR_CALM`.
        private func end(because reason: String) {
            guard let context, !isClosing else { return }
            isClosing = true
            server.report("closed: \(reason)", from: context.channel.remoteAddress)
            // The identifier 0 ends all streams.
            let end = HTTP2Frame.FramePayload.goAway(
                lastStreamID: .rootStream, errorCode: .enhanceYourCalm, opaqueData: nil)
            let channel = context.channel
            channel.writeAndFlush(HTTP2Frame(streamID: .rootStream, payload: end), promise: nil)
            // Closing both ends while the client still sends data could discard the frame.
            context.close(mode: .output).whenFailure { _ in channel.close(promise: nil) }
        }

        /// Closes the connection after sending the end of the last response.
        private func closeAfterWriting() {
            guard let context else { return }
            context.writeAndFlush(NIOAny(ByteBuffer())).whenComplete { [channel = context.channel] _ in
                channel.close(promise: nil)
            }
        }
    }

    extension HTTP2Connection: ServedConnection {
        var isReplaceable: Bool { streams.values.allSatisfy(\.isReplaceable) }

        func close(because reason: String?) {
            if let reason { server.report("closed: \(reason)", from: context?.channel.remoteAddress) }
            context?.channel.close(promise: nil)
        }

        func drain() {
            isDraining = true
            for stream in Array(streams.values) { stream.drain() }
            if streams.isEmpty { close(because: nil) }
        }

        func checkTime(_ now: NIODeadline) {
            if isClosing, now - lastProgress > .seconds(1) { return close(because: nil) }
            for stream in Array(streams.values) { stream.checkTime(now) }
            if streams.isEmpty, now - lastProgress > server.idleTime { close(because: nil) }
        }
    }

    /// Reports errors of the protocol, closes the connection after them, and notes the client's settings.
    final class HTTP2Errors: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias InboundOut = HTTP2Frame

        private let server: ServerState
        private let connection: HTTP2Connection

        /// Prepares the handler.
        init(to server: ServerState, of connection: HTTP2Connection) {
            self.server = server
            self.connection = connection
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if unwrapInboundIn(data).allowsLargeTable { connection.allowsLargeTable = true }
            context.fireChannelRead(data)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if error is any NIOHTTP2Error {
                server.report(violationOf: error, from: context.channel.remoteAddress)
            }
            context.close(promise: nil)
        }
    }

    extension ServerState {
        /// Reports a violation of HTTP/2.
        func report(violationOf error: any Error, from address: SocketAddress?) {
            report("a violation of HTTP/2 (\(type(of: error)))", from: address)
        }
    }

    extension ChannelPipeline.SynchronousOperations {
        /// Adds the handlers of an HTTP/2 connection.
        func addHTTP2(to server: ServerState, for destination: ServedRequest.Destination) throws {
            // A request can take a few bytes, and begins a stream, which takes a long time.
            let input = DividedInput(in: server.turns, from: .client, smallest: 1 << 7)
            let connection = HTTP2Connection(to: server, input: input)
            var settings = NIOHTTP2Handler.ConnectionConfiguration()
            settings.initialSettings = [
                HTTP2Setting(parameter: .maxConcurrentStreams, value: server.limits.concurrentStreams),
                HTTP2Setting(parameter: .maxHeaderListSize, value: server.limits.headerSize),
            ]
            var streams = NIOHTTP2Handler.StreamConfiguration()
            // This limit includes the resets by libcurl 7.88 after each response, which ``ResetBudget`` does not count.
            streams.streamResetFrameRateLimit.maximumCount = .max / 2
            try addHandlers([input, connection])
            let bound = NIOLoopBound(connection, eventLoop: eventLoop)
            _ = try configureHTTP2Pipeline(
                mode: .server, connectionConfiguration: settings, streamConfiguration: streams
            ) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if bound.value.allowsLargeTable { try pipeline.addHandler(UnindexedFields()) }
                    try pipeline.addHandlers([
                        HTTP2FramePayloadToHTTP1ServerCodec(),
                        HTTP2Stream(to: server, for: destination, in: bound.value),
                    ])
                }
            }
            try addHandler(HTTP2Errors(to: server, of: connection))
        }
    }
#endif
