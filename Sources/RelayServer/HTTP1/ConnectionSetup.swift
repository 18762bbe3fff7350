#if Server
    import HTTPArchive
    import NIOCore
    import NIOSSL
    import NIOTLS
    import RelayCore

    /// Detects the protocol of a connection or tunnel by its first bytes, and adds the handlers for it.
    final class ConnectionSetup: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        let server: ServerState

        /// The authority of a tunnel, such as `api.example.com:443`, or nil for a connection to the server itself.
        let tunnel: String?
        private(set) var context: ChannelHandlerContext?
        private(set) var buffer = ByteBuffer()
        private(set) var isEncrypted = false

        /// Whether the connection begins with TLS or HTTP/2, and waits for its turn.
        private(set) var isDetected = false

        /// The event for the end of the data, if it follows the beginning of HTTP/2.
        private var heldEnd: ChannelEvent?
        private(set) var isSetUp = false

        /// The connection to the server of a tunnel, if the server may speak first or bytes are passed on unchanged.
        var passage: Passage?
        var isConnecting = false

        /// Whether the bytes of the tunnel are passed on.
        var isPassed = false
        var isPassingThrough = false
        var silenceTimer: TurnTimer?
        private var hostName = ""
        let lastProgress = NIODeadline.now()

        /// The maximum number of bytes that wait for a certificate.
        private static let largestBuffer = 1 << 18

        /// Prepares the setup of a connection or tunnel.
        init(to server: ServerState, tunnel: String? = nil) {
            self.server = server
            self.tunnel = tunnel
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            server.add(self)
            beginTunnel()
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
            silenceTimer?.cancel()
            if !isPassed { passage?.toServer.close() }
            server.remove(self)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // Decrypted data can arrive before the event for the end of the handshake has removed this handler.
            guard !isSetUp else { return context.fireChannelRead(data) }
            var bytes = unwrapInboundIn(data)
            buffer.writeBuffer(&bytes)
            if !isDetected, !isPassingThrough { return detect() }
            // The connection waits for its certificate or its turn.
            if isDetected, buffer.readableBytes > Self.largestBuffer { context.close(promise: nil) }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent {
                return addHTTP(isVersion2: negotiated == "h2")
            }
            if let event = event as? ChannelEvent, event == .inputClosed, !isSetUp {
                if isDetected, !isEncrypted { return heldEnd = event }
                context.close(promise: nil)
                server.remove(self, ifClosed: context.channel)
            }
            context.fireUserInboundEventTriggered(event)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if isEncrypted {
                server.reportOnce(
                    "the TLS handshake for '\(hostName)' failed; make the client trust the authority, see har serve --ca",
                    from: context.channel.remoteAddress)
            }
            context.close(promise: nil)
        }

        // MARK: - Detection

        private func detect() {
            let preface = Array("PRI ".utf8)
            let start = buffer.getBytes(at: buffer.readerIndex, length: min(4, buffer.readableBytes)) ?? []
            // The type of a TLS record with a handshake message (RFC 8446, section 5.1).
            if start.first == 22 {
                (isDetected, isEncrypted) = (true, true)
                return server.turns.beginHandshakeLater(since: lastProgress) { [self] in beginTLS() }
            }
            if start == preface {
                isDetected = true
                return server.turns.beginHandshakeLater(since: lastProgress) { [self] in addHTTP(isVersion2: true) }
            }
            if preface.starts(with: start) { return }
            guard tunnel != nil, server.upstream != nil else { return addHTTP(isVersion2: false) }
            switch Self.beginsHTTP(buffer.readableBytesView) {
            case true: addHTTP(isVersion2: false)
            case false: passThrough()
            case nil: break
            }
        }

        /// Notes that the protocol is known.
        func finishDetection() {
            isSetUp = true
            silenceTimer?.cancel()
        }

        /// Passes the received bytes to the next handler.
        func passBuffer() {
            let bytes = buffer
            buffer = ByteBuffer()
            guard let context, bytes.readableBytes > 0 else { return }
            context.fireChannelRead(wrapInboundOut(bytes))
            context.fireChannelReadComplete()
        }

        private func addHTTP(isVersion2: Bool) {
            guard let context, !isSetUp else { return }
            finishDetection()
            let pipeline = context.pipeline.syncOperations
            let scheme = isEncrypted ? "https" : "http"
            let destination: ServedRequest.Destination =
                if let tunnel {
                    .tunnel(origin: NormalizedURL("\(scheme)://\(tunnel)").origin)
                } else {
                    .server(scheme: scheme)
                }
            do {
                if isVersion2 {
                    try pipeline.addHTTP2(to: server, for: destination)
                } else {
                    try pipeline.addHTTP1(to: server, for: destination)
                }
                passBuffer()
                if let heldEnd { context.fireUserInboundEventTriggered(heldEnd) }
                pipeline.removeHandler(context: context, promise: nil)
            } catch {
                context.close(promise: nil)
            }
        }

        // MARK: - TLS

        private func beginTLS() {
            guard let context else { return }
            if let tunnel {
                let host = LiteralURL("https://\(tunnel)").host
                addTLS(for: host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host))
                    .assumeIsolated().whenSuccess { [self] in passBuffer(to: NIOSSLServerHandler.self) }
            } else {
                let names = ByteToMessageHandler(
                    SNIHandler { [self] result in
                        let address = context.channel.localAddress?.ipAddress ?? "127.0.0.1"
                        if case .hostname(let name) = result { return addTLS(for: name) }
                        return addTLS(for: address)
                    })
                do { try context.pipeline.syncOperations.addHandler(names, position: .before(self)) } catch {
                    return context.close(promise: nil)
                }
                passBuffer(to: ByteToMessageHandler<SNIHandler>.self)
            }
        }

        /// Passes the received bytes to a handler of TLS.
        ///
        /// Handlers before it can hold the bytes that follow.
        private func passBuffer<Handler: ChannelInboundHandler>(to type: Handler.Type) {
            guard let pipeline = context?.pipeline,
                let context = try? pipeline.syncOperations.context(handlerType: type),
                let handler = context.handler as? Handler
            else { return }
            let bytes = buffer
            buffer = ByteBuffer()
            handler.channelRead(context: context, data: wrapInboundOut(bytes))
            pipeline.fireChannelReadComplete()
        }

        /// Adds the handler of TLS when the certificate for a host has been made.
        private func addTLS(for host: String) -> EventLoopFuture<Void> {
            // The client chooses the name, so it could contain control characters.
            hostName = String(MessageText.printable(host).prefix(253))
            let isKnown = server.origins.knows(host)
            let settings =
                server.authority?.context(for: host, isKnown: isKnown, on: server.loop)
                ?? server.loop.makeFailedFuture(NIOSSLError.noCertificateToValidate)
            let added = settings.assumeIsolated().flatMapThrowing { [self] settings in
                guard let context else { throw ChannelError.ioOnClosedChannel }
                let handler = NIOSSLServerHandler(context: settings)
                try context.pipeline.syncOperations.addHandler(handler, position: .before(self))
            }
            added.whenFailure { [self] _ in
                guard let context else { return }
                server.reportOnce(
                    "the TLS handshake for '\(hostName)' failed; the name is invalid, or too many names are requested",
                    from: context.channel.remoteAddress)
                context.close(promise: nil)
            }
            return added.nonisolated()
        }
    }

    extension ConnectionSetup: ServedConnection {
        var isReplaceable: Bool { true }

        func close(because reason: String?) {
            if let reason { server.report("closed: \(reason)", from: context?.channel.remoteAddress) }
            context?.close(promise: nil)
        }

        func drain() { close(because: nil) }

        func checkTime(_ now: NIODeadline) {
            let hasBegun = isEncrypted || buffer.readableBytes > 0
            guard now - lastProgress > (hasBegun ? server.requestTime : server.idleTime) else { return }
            close(because: hasBegun ? "the connection is incomplete" : nil)
        }
    }
#endif
