#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import NIOHPACK
    import NIOHTTP2
    import RelayCore

    /// A connection to a server that carries many requests at the same time, with HTTP/2.
    final class UpstreamVersion2: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame

        let origin: UpstreamOrigin
        private let upstream: Upstream
        private let facts: UpstreamFacts
        private let channel: any Channel
        private let input: PacedInput
        private var multiplexer: NIOHTTP2Handler.StreamMultiplexer?
        private var streamCount = 0

        /// Whether an earlier request used this connection.
        private var isReused = false

        /// Whether the server accepts no more requests.
        private var isClosing = false

        /// Whether the server allows a large table of header fields.
        private(set) var allowsLargeTable = false

        /// The time at which the connection became idle.
        private var idleSince = NIODeadline.now()

        /// Whether the connection can carry another request, which the server would not receive after it has closed it.
        var isReusable: Bool { !channel.isEnding }

        /// The size of the windows for responses, in bytes.
        private static let windowSize = 1 << 20

        /// Adds the handlers to a connection.
        init(to origin: UpstreamOrigin, of upstream: Upstream, on channel: any Channel, facts: UpstreamFacts) throws {
            self.origin = origin
            self.upstream = upstream
            self.channel = channel
            self.facts = facts
            input = try channel.pipeline.syncOperations.handler(type: PacedInput.self)
            var settings = NIOHTTP2Handler.ConnectionConfiguration()
            settings.initialSettings = [
                HTTP2Setting(parameter: .enablePush, value: 0),
                HTTP2Setting(parameter: .initialWindowSize, value: Self.windowSize),
                HTTP2Setting(parameter: .maxHeaderListSize, value: WireTap.limit),
            ]
            var streams = NIOHTTP2Handler.StreamConfiguration()
            streams.targetWindowSize = Self.windowSize
            let parts = DividedInput(in: upstream.turns, from: .server)
            try channel.pipeline.syncOperations.addHandler(parts)
            multiplexer = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                mode: .client, connectionConfiguration: settings, streamConfiguration: streams
            ) { $0.close() }
            try channel.pipeline.syncOperations.addHandler(self)
        }

        /// Sends a request.
        func send(_ exchange: ForwardedExchange) {
            guard !isClosing, let multiplexer else { return upstream.connect(for: exchange, to: origin) }
            guard !exchange.isOver else { return }
            input.start = exchange.times.start
            facts.describe(exchange, isFirst: !isReused)
            exchange.wire.httpVersion = "HTTP/2"
            let stream = UpstreamStream(of: self, for: exchange, mayRepeat: isReused)
            isReused = true
            streamCount += 1
            exchange.begin(on: stream)
            let bound = NIOLoopBound(stream, eventLoop: channel.eventLoop)
            let promise = channel.eventLoop.makePromise(of: (any Channel).self)
            promise.futureResult.assumeIsolated().whenFailure { _ in
                stream.end(with: UpstreamFailure.closed, isLost: true)
            }
            multiplexer.createStreamChannel(promise: promise) { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(bound.value) }
            }
        }

        /// Sends a request again that the server has not handled.
        ///
        /// - Parameters:
        ///   - exchange: The exchange.
        ///   - isLost: Whether this connection is lost.
        func sendAgain(_ exchange: ForwardedExchange, isLost: Bool) {
            if isLost { stop() }
            upstream.send(exchange)
        }

        /// Notes the end of a request.
        func endStream() {
            streamCount -= 1
            idleSince = .now()
            if isClosing, streamCount == 0 { channel.close(promise: nil) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            if case .goAway = frame.payload { stop() }
            if frame.allowsLargeTable { allowsLargeTable = true }
        }

        func channelInactive(context: ChannelHandlerContext) {
            isClosing = true
            upstream.remove(self)
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            stop()
            context.close(promise: nil)
        }

        /// Whether the connection has been idle for longer than a time.
        func isIdle(_ now: NIODeadline, longerThan time: TimeAmount) -> Bool {
            streamCount == 0 && now - idleSince > time
        }

        /// Closes the connection after its last response.
        func stop() {
            isClosing = true
            upstream.remove(self)
            if streamCount == 0 { channel.close(promise: nil) }
        }
    }

    /// The client's end of an HTTP/2 stream.
    final class UpstreamStream: ChannelDuplexHandler, UpstreamCarrier {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias OutboundIn = Never
        typealias OutboundOut = HTTP2Frame.FramePayload

        private let connection: UpstreamVersion2
        private var exchange: ForwardedExchange?
        private let mayRepeat: Bool
        private var context: ChannelHandlerContext?
        private var hasHead = false
        private var receivedSize = 0

        /// Whether a read waits until the client is ready for more data.
        private var isReadPending = false

        /// Prepares a stream.
        ///
        /// - Parameters:
        ///   - connection: The connection.
        ///   - exchange: The exchange.
        ///   - mayRepeat: Whether the server may have closed the connection before it received the request.
        init(of connection: UpstreamVersion2, for exchange: ForwardedExchange, mayRepeat: Bool) {
            self.connection = connection
            self.exchange = exchange
            self.mayRepeat = mayRepeat
        }

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func channelActive(context: ChannelHandlerContext) {
            guard let exchange else { return close() }
            exchange.times.begin = .now()
            let head = connection.allowsLargeTable ? exchange.version2Head.unindexed : exchange.version2Head
            let hasBody = exchange.upload != nil || exchange.request.body?.isEmpty == false
            write(.headers(.init(headers: head, endStream: !hasBody)))
            if hasBody {
                exchange.sendBody(over: self)
            } else {
                flush(isLast: true)
            }
            context.fireChannelActive()
        }

        // MARK: - Request

        var isWritable: Bool { context?.channel.isWritable ?? false }

        func send(_ bytes: ByteBuffer) {
            exchange?.wire.requestBodySize = (exchange?.wire.requestBodySize ?? 0) + bytes.readableBytes
            write(.data(.init(data: .byteBuffer(bytes))))
            flush(isLast: false)
        }

        func sendEnd() {
            write(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)))
            flush(isLast: true)
        }

        private func write(_ payload: HTTP2Frame.FramePayload) {
            context?.write(wrapOutboundOut(payload), promise: nil)
        }

        private func flush(isLast: Bool) {
            context?.flush()
            if isLast { exchange?.times.sent = .now() }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable { exchange?.continueUpload() }
            context.fireChannelWritabilityChanged()
        }

        // MARK: - Response

        func read(context: ChannelHandlerContext) {
            if exchange?.isWritable ?? true { context.read() } else { isReadPending = true }
        }

        func resume() {
            guard isReadPending else { return }
            isReadPending = false
            context?.read()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard let exchange else { return }
            switch unwrapInboundIn(data) {
            case .headers(let block):
                receive(block.headers, exchange)
                if block.endStream { finish(trailers: []) }
            case .data(let part):
                guard case .byteBuffer(let bytes) = part.data else { return }
                receivedSize += bytes.readableBytes
                if bytes.readableBytes > 0 { exchange.receive(bytes) }
                if part.endStream { finish(trailers: []) }
            case .rstStream(let code):
                // RFC 9113, section 8.7: the server has not handled the request.
                end(with: UpstreamFailure.closed, isUnhandled: code == .refusedStream)
            default: break
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            exchange?.receiveReadComplete()
            context.fireChannelReadComplete()
        }

        private func receive(_ headers: HPACKHeaders, _ exchange: ForwardedExchange) {
            let fields = headers.compactMap { name, value, _ in
                name.hasPrefix(":") ? nil : HeaderField(name: name, value: value)
            }
            if hasHead { return finish(trailers: fields) }
            guard let status = headers.first(name: ":status").flatMap({ Int($0) }) else {
                return end(with: URLError(.cannotParseResponse))
            }
            let head = CapturedExchange.Head(status: status, headers: fields)
            if 100...199 ~= status { return exchange.receive(interim: head) }
            hasHead = true
            exchange.times.firstByte = .now()
            exchange.receive(head)
        }

        private func finish(trailers: [HeaderField]) {
            guard let exchange else { return }
            self.exchange = nil
            exchange.wire.responseBodySize = receivedSize
            connection.endStream()
            exchange.receiveEnd(trailers: trailers)
            // The server has responded before the end of the request.
            if exchange.times.sent == nil { context?.close(promise: nil) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            end(with: UpstreamFailure.closed, isLost: true)
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            let reset = (error as? NIOHTTP2Errors.StreamClosed)?.errorCode
            end(with: error, isUnhandled: reset == .refusedStream)
            context.close(promise: nil)
        }

        /// Ends the exchange without the rest of the response.
        ///
        /// - Parameters:
        ///   - error: The error.
        ///   - isUnhandled: Whether the server has not handled the request; `false` by default.
        ///   - isLost: Whether the connection was closed; `false` by default.
        func end(with error: any Error, isUnhandled: Bool = false, isLost: Bool = false) {
            guard let exchange else { return }
            self.exchange = nil
            connection.endStream()
            let mayRepeat = isLost ? mayRepeat && exchange.isRepeatable : isUnhandled && exchange.upload == nil
            if mayRepeat, !hasHead, exchange.takeRepetition() {
                return connection.sendAgain(exchange, isLost: isLost)
            }
            exchange.fail(with: error)
        }

        func close() {
            guard exchange != nil else { return }
            exchange = nil
            connection.endStream()
            context?.close(promise: nil)
        }
    }

    extension ForwardedExchange {
        /// The head of the request for HTTP/2 (https://www.rfc-editor.org/rfc/rfc9113#section-8.3.1).
        var version2Head: HPACKHeaders {
            let url = LiteralURL(request.url)
            let path = url.path.isEmpty ? "/" : url.path
            let authority = request.headers.values(named: "host").first ?? String(url.authority)
            var headers: HPACKHeaders = [
                ":method": request.method, ":scheme": url.scheme?.lowercased() ?? "https", ":authority": authority,
                ":path": "\(path)\(url.query)",
            ]
            for field in request.headers {
                let name = field.name.lowercased()
                if name == "host" || ConnectionField.names.contains(name) && name != "te" { continue }
                headers.add(name: name, value: field.value)
            }
            return headers
        }
    }
#endif
