#if Server
    import NIOCore
    import NIOHTTP2

    /// The time limits of an HTTP/2 connection, and the streams that it carries.
    final class HTTP2Connection: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let server: ServerState
        private var context: ChannelHandlerContext?
        private var streams: [ObjectIdentifier: HTTP2Stream] = [:]
        private var isDraining = false
        private(set) var lastProgress = NIODeadline.now()

        /// Prepares a connection.
        init(to server: ServerState) { self.server = server }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            server.add(self)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
            server.remove(self)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            lastProgress = .now()
            context.fireChannelRead(data)
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
            if let event = event as? ChannelEvent, event == .inputClosed { context.close(promise: nil) }
            context.fireUserInboundEventTriggered(event)
        }

        /// Adds a stream.
        func add(_ stream: HTTP2Stream) { streams[ObjectIdentifier(stream)] = stream }

        /// Removes a closed stream.
        func remove(_ stream: HTTP2Stream) {
            streams[ObjectIdentifier(stream)] = nil
            if isDraining, streams.isEmpty { closeAfterWriting() }
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
        var isWaiting: Bool { streams.isEmpty }

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
            for stream in Array(streams.values) { stream.checkTime(now) }
            if streams.isEmpty, now - lastProgress > server.idleTime { close(because: nil) }
        }
    }

    /// Reports errors of the protocol, and closes the connection.
    final class HTTP2Errors: ChannelInboundHandler {
        typealias InboundIn = Never

        private let server: ServerState

        /// Prepares the handler.
        init(to server: ServerState) { self.server = server }

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
            let connection = HTTP2Connection(to: server)
            var settings = NIOHTTP2Handler.ConnectionConfiguration()
            settings.initialSettings.append(
                HTTP2Setting(parameter: .maxHeaderListSize, value: server.limits.headerSize))
            var streams = NIOHTTP2Handler.StreamConfiguration()
            // libcurl 7.88 resets each stream after its response.
            streams.streamResetFrameRateLimit.maximumCount = .max / 2
            try addHandler(connection)
            let bound = NIOLoopBound(connection, eventLoop: eventLoop)
            _ = try configureHTTP2Pipeline(
                mode: .server, connectionConfiguration: settings, streamConfiguration: streams
            ) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        HTTP2FramePayloadToHTTP1ServerCodec(),
                        HTTP2Stream(to: server, for: destination, in: bound.value),
                    ])
                }
            }
            try addHandler(HTTP2Errors(to: server))
        }
    }
#endif
