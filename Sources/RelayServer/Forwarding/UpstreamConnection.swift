#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import NIOHTTP1
    import NIOSSL
    import NIOTLS
    import RelayCore

    /// A connection to a server, which carries one request at a time.
    final class UpstreamConnection: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundIn = HTTPClientRequestPart
        typealias OutboundOut = HTTPClientRequestPart

        let origin: UpstreamOrigin
        private let upstream: Upstream
        private let tap: WireTap
        private let start: NIODeadline
        private let resolver: UpstreamResolver
        private var context: ChannelHandlerContext?

        /// The exchange whose response is expected, or nil if the connection is idle.
        private var exchange: ForwardedExchange?

        /// The times at which the phases of connecting ended.
        private var connected: NIODeadline?
        private var ready: NIODeadline?

        /// Whether an earlier request used this connection.
        private var isReused = false

        private var staysOpen = false

        /// Whether the server has agreed to another protocol.
        private var isUpgraded = false

        /// Whether a read waits until the client is ready for more data.
        private var isReadPending = false

        /// The time at which the connection became idle.
        private(set) var idleSince = NIODeadline.now()

        /// Prepares a connection for its first exchange.
        init(
            to origin: UpstreamOrigin, of upstream: Upstream, tap: WireTap, for exchange: ForwardedExchange,
            resolver: UpstreamResolver, start: NIODeadline
        ) {
            self.origin = origin
            self.upstream = upstream
            self.tap = tap
            self.exchange = exchange
            self.resolver = resolver
            self.start = start
        }

        // MARK: - Channel events

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func channelActive(context: ChannelHandlerContext) {
            connected = .now()
            if !origin.isEncrypted { begin() }
            context.fireChannelActive()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .handshakeCompleted? = event as? TLSUserEvent { begin() }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            upstream.remove(self)
            end(with: UpstreamFailure.closed)
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // Servers often close TLS connections without an end of the data, which the framing shows to be harmless.
            if case .uncleanShutdown? = error as? NIOSSLError { return }
            end(with: error)
            context.close(promise: nil)
        }

        func read(context: ChannelHandlerContext) {
            if exchange?.isWritable ?? true { context.read() } else { isReadPending = true }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard let exchange else { return }
            switch unwrapInboundIn(data) {
            case .head(let head):
                let code = Int(head.status.code)
                let isInterim = 100...199 ~= code && code != 101
                let bytes = tap.takeHead(isLast: !isInterim)
                let block = HeaderBlock(bytes)
                let received = CapturedExchange.Head(
                    status: code, statusText: block.words.count > 2 ? block.words[2] : "", headers: block.fields)
                if isInterim { return exchange.receive(interim: received) }
                staysOpen = head.isKeepAlive
                isUpgraded = code == 101
                exchange.wire.responseHeadersSize = bytes.count
                exchange.wire.httpVersion = block.words.first
                exchange.times.firstByte = tap.firstByte
                exchange.receive(received, version: head.version)
            case .body(let bytes): exchange.receive(bytes)
            case .end where isUpgraded: upgrade(exchange, context)
            case .end(let trailers):
                self.exchange = nil
                exchange.wire.responseBodySize = max(0, tap.received - (exchange.wire.responseHeadersSize ?? 0))
                finish(context)
                exchange.receiveEnd(trailers: (trailers ?? [:]).map { HeaderField(name: $0.name, value: $0.value) })
            }
        }

        /// Passes on the bytes that follow unchanged.
        private func upgrade(_ exchange: ForwardedExchange, _ context: ChannelHandlerContext) {
            self.exchange = nil
            let pipeline = context.pipeline.syncOperations
            do {
                guard let relay = exchange.upgrade() else { throw UpstreamFailure.closed }
                try pipeline.addHandler(relay)
                let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                let validator = try pipeline.handler(type: NIOHTTPRequestHeadersValidator.self)
                pipeline.removeHandler(encoder, promise: nil)
                pipeline.removeHandler(validator, promise: nil)
                pipeline.removeHandler(context: context, promise: nil)
                pipeline.removeHandler(decoder, promise: nil)
            } catch {
                exchange.fail(with: error)
                context.close(promise: nil)
            }
        }

        /// Keeps the connection for another request, or closes it.
        private func finish(_ context: ChannelHandlerContext) {
            isReused = true
            idleSince = .now()
            guard staysOpen, context.channel.isActive else { return context.close(promise: nil) }
            upstream.keep(self)
        }

        // MARK: - Requests

        /// Sends another request.
        func send(_ exchange: ForwardedExchange) {
            self.exchange = exchange
            begin()
        }

        private func begin() {
            guard let context, let exchange else { return }
            guard !exchange.isOver else { return close() }
            if ready == nil { ready = .now() }
            tap.reset()
            if !isReused {
                let resolved = resolver.end ?? start
                exchange.times.dns = resolved - start
                exchange.times.connect = (ready ?? resolved) - resolved
                if origin.isEncrypted, let connected, let ready { exchange.times.ssl = ready - connected }
            }
            exchange.begin(on: self)
            exchange.wire.serverIPAddress = context.channel.remoteAddress?.ipAddress
            exchange.wire.connection = context.channel.localAddress?.port.map(String.init)
            let tls = try? context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
            exchange.tlsVersion = tls?.tlsVersion.map { "\($0)" }
            let (head, body) = exchange.message
            exchange.times.begin = .now()
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            if let body, !body.isEmpty {
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
            }
            context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { [tap] _ in
                exchange.times.sent = .now()
                exchange.wire.requestHeadersSize = tap.sentHead
                exchange.wire.requestBodySize = tap.sent - tap.sentHead
            }
            context.read()
        }

        /// Continues to receive the response when the client is ready for more data.
        func resume() {
            guard isReadPending else { return }
            isReadPending = false
            context?.read()
        }

        /// Closes the connection.
        func close() {
            exchange = nil
            context?.close(promise: nil)
        }

        private func end(with error: any Error) {
            guard let ended = exchange else { return }
            exchange = nil
            // A server can close an idle connection at the moment at which it is used again.
            if isReused, tap.received == 0, ended.isRepeatable { return upstream.connect(for: ended, to: origin) }
            ended.fail(with: error)
        }
    }
#endif
