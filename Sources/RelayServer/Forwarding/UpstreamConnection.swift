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
        typealias OutboundIn = Never

        let origin: UpstreamOrigin
        private let upstream: Upstream
        private let input: PacedInput
        private let parts: DividedInput
        private let tap: WireTap
        private let decoder: HTTPResponseDecoder
        private let facts: UpstreamFacts

        /// The proxy that the connection leads to, or nil for the server itself.
        private let proxy: UpstreamProxy?
        private var context: ChannelHandlerContext?

        /// The exchange whose response is expected, or nil if the connection is idle.
        private var exchange: ForwardedExchange?

        /// Whether an earlier request used this connection.
        private var isReused = false

        private var staysOpen = false

        /// Whether the response is complete, but not the read that received its end.
        private var isFinished = false

        /// Whether the server has agreed to another protocol.
        private var isUpgraded = false

        /// Whether the body of the current request is sent in chunks.
        private var isChunked = false

        /// Whether a read waits until the client is ready for more data.
        private var isReadPending = false

        /// The time at which the connection became idle.
        private(set) var idleSince = NIODeadline.now()

        /// The time after which the connection is closed while it is idle.
        private(set) var idleTime = Upstream.idleTime

        /// The reason for the end of an exchange when the connection is closed.
        private var failure: any Error = UpstreamFailure.closed

        /// Whether the connection has no exchange.
        var isIdle: Bool { exchange == nil }

        /// Whether the connection has not been closed.
        var isOpen: Bool { context?.channel.isActive ?? false }

        /// Whether the connection can carry another request, which the server would not receive after it has closed it.
        var isReusable: Bool {
            isOpen && .now() - idleSince <= idleTime && context?.channel.isEnding == false
        }

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
            input = try channel.pipeline.syncOperations.handler(type: PacedInput.self)
            parts = DividedInput(in: upstream.turns, from: .server)
            tap = WireTap()
            decoder = HTTPResponseDecoder(
                leftOverBytesStrategy: .forwardBytes, informationalResponseStrategy: .forward)
            try channel.pipeline.syncOperations.addHandlers([parts, tap, ByteToMessageHandler(decoder), self])
        }

        // MARK: - Channel events

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func channelInactive(context: ChannelHandlerContext) {
            endSoon()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // Servers often close TLS connections without an end of the data, which the framing shows to be harmless.
            if case .uncleanShutdown? = error as? NIOSSLError {
                exchange?.mayBeTruncated = true
                return
            }
            failure = error
            endSoon()
            // With TLS, this can wait for the other end.
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
                let words = block.words
                let received = CapturedExchange.Head(
                    status: code, statusText: words.count > 2 ? words[2] : "", headers: block.fields)
                if isInterim { return exchange.receive(interim: received) }
                exchange.isLatin1 = !block.isUTF8
                staysOpen = head.isKeepAlive
                for value in block.fields.values(named: "keep-alive") { limitIdleTime(to: value) }
                isUpgraded = code == 101
                exchange.wire.responseHeadersSize = bytes.count
                exchange.wire.httpVersion = words.first
                exchange.times.firstByte = tap.firstByte
                exchange.receive(received)
            case .body(let bytes): exchange.receive(bytes)
            case .end where isUpgraded: upgrade(exchange, context)
            case .end(let trailers):
                // The rest of the request would be taken for the next one.
                if exchange.upload?.isSent == false { staysOpen = false }
                self.exchange = nil
                exchange.wire.responseBodySize = max(0, tap.received - (exchange.wire.responseHeadersSize ?? 0))
                isFinished = true
                exchange.receiveEnd(trailers: (trailers ?? [:]).map { HeaderField(name: $0.name, value: $0.value) })
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            exchange?.receiveReadComplete()
            if isFinished, !parts.isWaiting { finish(context) }
            context.fireChannelReadComplete()
        }

        /// Closes the idle connection before the server does, which could close it at the moment of the next request.
        ///
        /// - Parameter value: The value of a `Keep-Alive` field, such as `timeout=5, max=100`, with the time in seconds
        ///   (https://datatracker.ietf.org/doc/html/draft-thomson-hybi-http-timeout-03).
        private func limitIdleTime(to value: String) {
            for parameter in value.split(separator: ",") {
                let words = parameter.split(separator: "=")
                guard words.count == 2, words[0].trimming(.whitespaces).lowercased() == "timeout",
                    let seconds = Int64(words[1].trimming(.whitespaces)), seconds >= 0
                else { continue }
                idleTime = min(Upstream.idleTime, .milliseconds(min(seconds, 1 << 32) * 750))
            }
        }

        /// Passes on the bytes that follow unchanged.
        private func upgrade(_ exchange: ForwardedExchange, _ context: ChannelHandlerContext) {
            self.exchange = nil
            let pipeline = context.pipeline.syncOperations
            do {
                guard let relay = exchange.upgrade() else { throw UpstreamFailure.closed }
                try pipeline.addHandler(relay)
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                pipeline.removeHandler(context: context, promise: nil)
                pipeline.removeHandler(decoder, promise: nil)
            } catch {
                exchange.fail(with: error)
                context.close(promise: nil)
            }
        }

        /// Keeps the connection for another request, or closes it.
        ///
        /// Bytes after the response are decoded before that, so they are never taken for the next response.
        private func finish(_ context: ChannelHandlerContext) {
            isFinished = false
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
            guard let head = exchange.version1Head(through: proxy) else {
                close()
                return exchange.fail(with: UpstreamFailure.invalidRequest)
            }
            self.exchange = exchange
            input.start = exchange.times.start
            isChunked = exchange.isChunked
            tap.reset()
            facts.describe(exchange, isFirst: !isReused)
            exchange.times.begin = .now()
            exchange.wire.requestHeadersSize = head.readableBytes
            exchange.begin(on: self)
            // The decoder needs the method only, because responses to HEAD have no body.
            let method = HTTPMethod(rawValue: exchange.request.method)
            decoder.write(data: .head(HTTPRequestHead(version: .http1_1, method: method, uri: "/")))
            tap.write(head)
            exchange.sendBody(over: self)
            context.read()
        }

        var isWritable: Bool { context?.channel.isWritable ?? false }

        func send(_ bytes: ByteBuffer) {
            var sent = bytes
            if isChunked {
                sent = ByteBuffer()
                sent.writeChunk(bytes)
            }
            tap.write(sent)
            tap.flush()
        }

        func sendEnd() {
            guard let exchange else { return }
            if isChunked {
                var end = ByteBuffer()
                end.writeLastChunk()
                tap.write(end)
            }
            let size = tap.sent - (exchange.wire.requestHeadersSize ?? 0)
            exchange.wire.requestBodySize = size
            if size > 0 { return tap.flush { exchange.times.sent = .now() } }
            tap.flush()
            exchange.times.sent = .now()
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

        /// Ends the exchange with the failure soon, because servers can close very many connections at once.
        private func endSoon() {
            guard exchange != nil else { return }
            upstream.turns.executeSoon { [self] in
                guard let ended = exchange else { return }
                exchange = nil
                // A server can close an idle connection at the moment at which it is used again.
                if isReused, tap.received == 0, ended.isRepeatable, ended.takeRepetition() {
                    return upstream.connect(for: ended, to: origin)
                }
                ended.fail(with: failure)
            }
        }
    }

    extension ForwardedExchange {
        /// Whether HTTP/1.1 needs chunks for the body of the request, because its length is unknown.
        var isChunked: Bool { upload != nil && request.headers.values(named: "content-length").isEmpty }

        /// Returns the head of the request for HTTP/1.1, or nil if HTTP does not allow it.
        ///
        /// - Parameter proxy: The proxy that receives the request without a tunnel, or nil for the server itself.
        /// - Returns: The head.
        func version1Head(through proxy: UpstreamProxy?) -> ByteBuffer? {
            var fields = request.headers
            if isChunked, fields.values(named: "transfer-encoding").isEmpty {
                fields.append(HeaderField(name: "Transfer-Encoding", value: "chunked"))
            } else if upload == nil, request.body?.isEmpty != false, ["POST", "PUT", "PATCH"].contains(request.method),
                fields.values(named: "content-length").isEmpty
            {
                // RFC 9110, section 8.6: servers may expect a body with these methods.
                fields.append(HeaderField(name: "Content-Length", value: "0"))
            }
            if let authorization = proxy?.authorization {
                fields.append(HeaderField(name: "Proxy-Authorization", value: authorization))
            }
            let url = LiteralURL(request.url)
            let target = proxy == nil ? "\(url.path.isEmpty ? "/" : url.path)\(url.query)" : request.url
            guard FieldSyntax.isToken(request.method), FieldSyntax.isTarget(target),
                fields.allSatisfy({ FieldSyntax.isToken($0.name) && FieldSyntax.isValue($0.value) })
            else { return nil }
            var head = ByteBuffer(string: "\(request.method) \(target) HTTP/1.1\r\n")
            head.write(fields)
            head.writeStaticString("\r\n")
            return head
        }
    }
#endif
