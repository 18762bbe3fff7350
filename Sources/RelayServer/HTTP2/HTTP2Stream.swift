#if Server
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
            case over
        }

        private let server: ServerState
        private let destination: ServedRequest.Destination
        private let connection: HTTP2Connection
        private var phase = Phase.waiting
        private var context: ChannelHandlerContext?

        /// Prepares a stream.
        init(to server: ServerState, for destination: ServedRequest.Destination, in connection: HTTP2Connection) {
            self.server = server
            self.destination = destination
            self.connection = connection
        }

        /// Whether the response is delayed, so that the lack of progress is not the client's.
        var isWaiting: Bool {
            if case .responding(let exchange) = phase { exchange.isWaiting } else { false }
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            connection.add(self)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
            if case .responding(let exchange) = phase { exchange.cancel() }
            phase = .over
            connection.remove(self)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            do throws(Rejection) {
                switch (unwrapInboundIn(data), phase) {
                case (.head(let head), .waiting):
                    guard head.method != .CONNECT else { throw Rejection(501, "CONNECT in HTTP/2") }
                    let request = try IncomingRequest(head, to: destination, at: server)
                    phase = .receiving(request)
                    if request.expectsContinue {
                        let head = HTTPResponseHead(version: .http2, status: .continue)
                        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
                    }
                case (.body(let bytes), .receiving(var request)):
                    phase = .waiting
                    try request.append(bytes)
                    phase = .receiving(request)
                case (.end, .receiving(let request)):
                    let exchange = Exchange(request.complete, to: self, at: server)
                    phase = .responding(exchange)
                    exchange.begin()
                default: break
                }
            } catch {
                reject(error)
            }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable, case .responding(let exchange) = phase { exchange.resume() }
            context.fireChannelWritabilityChanged()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        private func reject(_ rejection: Rejection) {
            server.report("\(rejection.status): \(rejection.reason)", from: context?.channel.parent?.remoteAddress)
            send(
                ServedResponse(rejection.status, message: "The server cannot handle the request: \(rejection.reason)."))
        }
    }

    extension HTTP2Stream: ExchangeSink {
        var isWritable: Bool { context?.channel.isWritable ?? false }

        func send(_ response: ServedResponse) {
            sendHead(response)
            if !response.body.isEmpty { write(.body(.byteBuffer(ByteBuffer(bytes: response.body)))) }
            sendEnd()
        }

        func sendHead(_ response: ServedResponse) {
            var headers = HTTPHeaders()
            headers.reserveCapacity(response.fields.count + 1)
            for field in response.fields { headers.add(name: field.name, value: field.value) }
            if let length = response.length { headers.add(name: "content-length", value: "\(length)") }
            let status = HTTPResponseStatus(statusCode: response.status)
            write(.head(HTTPResponseHead(version: .http2, status: status, headers: headers)))
        }

        func sendBody(_ bytes: ByteBuffer) {
            write(.body(.byteBuffer(bytes)))
            context?.flush()
        }

        func sendEnd() {
            phase = .over
            context?.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        func fail(_ failure: ConnectionFailure) {
            guard let context else { return }
            // HTTP/2 can reset a stream without closing the connection.
            if case .stall = failure { return }
            phase = .over
            context.flush()
            context.close(promise: nil)
        }

        private func write(_ part: HTTPServerResponsePart) { context?.write(wrapOutboundOut(part), promise: nil) }
    }
#endif
