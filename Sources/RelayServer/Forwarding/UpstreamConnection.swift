#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import NIOHTTP1
    import NIOSSL
    import RelayCore

    /// The connection or stream that carries a request to a server.
    protocol UpstreamCarrier: AnyObject {
        /// Whether more data can be sent.
        var isWritable: Bool { get }

        /// Sends a part of the body of the request.
        func send(_ bytes: ByteBuffer)

        /// Sends the end of the body.
        func sendEnd()

        /// Continues to receive the response when the client is ready for more data.
        func resume()

        /// Ends the exchange without the rest of the response.
        func close()
    }

    /// A connection to a server, which carries one request at a time with HTTP/1.1.
    final class UpstreamConnection: ChannelDuplexHandler, RemovableChannelHandler, UpstreamCarrier {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundIn = HTTPClientRequestPart
        typealias OutboundOut = HTTPClientRequestPart

        let origin: UpstreamOrigin
        private let upstream: Upstream
        private let tap: WireTap
        private let facts: UpstreamFacts

        /// The proxy that the connection leads to, or nil for the server itself.
        private let proxy: UpstreamProxy?
        private var context: ChannelHandlerContext?

        /// The exchange whose response is expected, or nil if the connection is idle.
        private var exchange: ForwardedExchange?

        /// Whether an earlier request used this connection.
        private var isReused = false

        private var staysOpen = false

        /// Whether the server has agreed to another protocol.
        private var isUpgraded = false

        /// Whether a read waits until the client is ready for more data.
        private var isReadPending = false

        /// The time at which the connection became idle.
        private(set) var idleSince = NIODeadline.now()

        /// Adds the handlers to a connection.
        ///
        /// - Parameters:
        ///   - origin: The origin.
        ///   - upstream: The connections of the server.
        ///   - channel: The connection.
        ///   - facts: The facts about the connection.
        ///   - proxy: The proxy that the connection leads to without a tunnel, or nil for the server itself.
        /// - Throws: An error if the connection is closed.
        init(
            to origin: UpstreamOrigin, of upstream: Upstream, on channel: any Channel, facts: UpstreamFacts,
            through proxy: UpstreamProxy?
        ) throws {
            self.origin = origin
            self.upstream = upstream
            self.facts = facts
            self.proxy = proxy
            tap = WireTap()
            let decoder = HTTPResponseDecoder(
                leftOverBytesStrategy: .forwardBytes, informationalResponseStrategy: .forward)
            try channel.pipeline.syncOperations.addHandlers([
                tap, HTTPRequestEncoder(), ByteToMessageHandler(decoder), NIOHTTPRequestHeadersValidator(), self,
            ])
        }

        // MARK: - Channel events

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func channelInactive(context: ChannelHandlerContext) {
            upstream.remove(self)
            end(with: UpstreamFailure.closed)
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // Servers often close TLS connections without an end of the data, which the framing shows to be harmless.
            if case .uncleanShutdown? = error as? NIOSSLError {
                exchange?.mayBeTruncated = true
                return
            }
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
                exchange.isLatin1 = String(validating: bytes, as: UTF8.self) == nil
                staysOpen = head.isKeepAlive
                isUpgraded = code == 101
                exchange.wire.responseHeadersSize = bytes.count
                exchange.wire.httpVersion = block.words.first
                exchange.times.firstByte = tap.firstByte
                exchange.receive(received)
            case .body(let bytes): exchange.receive(bytes)
            case .end where isUpgraded: upgrade(exchange, context)
            case .end(let trailers):
                // The rest of the request would be taken for the next one.
                if exchange.upload?.isSent == false { staysOpen = false }
                self.exchange = nil
                exchange.wire.responseBodySize = max(0, tap.received - (exchange.wire.responseHeadersSize ?? 0))
                finish(context)
                exchange.receiveEnd(trailers: (trailers ?? [:]).map { HeaderField(name: $0.name, value: $0.value) })
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            exchange?.receiveReadComplete()
            context.fireChannelReadComplete()
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

        /// Sends a request.
        func send(_ exchange: ForwardedExchange) {
            guard let context, context.channel.isActive else { return upstream.connect(for: exchange, to: origin) }
            guard !exchange.isOver else { return close() }
            self.exchange = exchange
            tap.reset()
            facts.describe(exchange, isFirst: !isReused)
            exchange.times.begin = .now()
            var head = exchange.version1Head
            if let proxy {
                head.uri = exchange.request.url
                if let authorization = proxy.authorization {
                    head.headers.add(name: "Proxy-Authorization", value: authorization)
                }
            }
            exchange.begin(on: self)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            exchange.sendBody(over: self)
            context.read()
        }

        var isWritable: Bool { context?.channel.isWritable ?? false }

        func send(_ bytes: ByteBuffer) {
            context?.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        }

        func sendEnd() {
            guard let context, let exchange else { return }
            context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { [tap] _ in
                exchange.times.sent = .now()
                exchange.wire.requestHeadersSize = tap.sentHead
                exchange.wire.requestBodySize = tap.sent - tap.sentHead
            }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable { exchange?.continueUpload() }
            context.fireChannelWritabilityChanged()
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
            if isReused, tap.received == 0, ended.isRepeatable, ended.takeRepetition() {
                return upstream.connect(for: ended, to: origin)
            }
            ended.fail(with: error)
        }
    }
#endif
