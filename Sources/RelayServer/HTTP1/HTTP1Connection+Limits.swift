#if Server
    import NIOCore
    import NIOHTTP1

    extension HTTP1Connection: ServedConnection {
        var isReplaceable: Bool {
            switch phase {
            case .waiting, .receiving, .connecting, .stalled, .closing: true
            case .responding(let exchange, _): exchange.isDelayed || exchange.isSending
            }
        }

        var lastProgress: NIODeadline { max(received.last, lastSent) }

        func close(because reason: String?) {
            if let reason { server.report("closed: \(reason)", from: context?.channel.remoteAddress) }
            exchange?.cancel()
            // The rest of a request is not reported, too.
            phase = .closing(since: .now())
            context?.close(promise: nil)
        }

        func drain() {
            isDraining = true
            if case .waiting = phase, queue.isEmpty { closeAfterWriting() }
            if case .stalled = phase { close(because: nil) }
        }

        func checkTime(_ now: NIODeadline) {
            switch phase {
            case .waiting where received.count > 0:
                // Counted from the first byte, because a client could send the head slowly without end.
                if now - received.start > server.requestTime {
                    receive(.rejection(Rejection(408, "the head of a request is incomplete")))
                }
            case .waiting:
                if now - lastProgress > server.idleTime { closeAfterWriting() }
            case .receiving(let request):
                if request.deadline.isOver(at: now) { receive(.rejection(.slowBody)) }
            case .connecting:
                if now - received.last > server.requestTime { receive(.rejection(.slowBody)) }
            case .responding(let exchange, _):
                let isSlow = now - max(received.last, uploadStart) > server.requestTime
                if isUploading, isSlow, exchange.upload?.isReady == true {
                    receive(.rejection(.slowBody))
                } else if !exchange.isWaiting, now - lastProgress > server.idleTime {
                    close(because: "the client does not read the response")
                }
            case .stalled:
                if now - lastProgress > server.idleTime { close(because: nil) }
            case .closing(let start):
                if now - start > .seconds(1) { context?.close(promise: nil) }
            }
        }
    }

    extension ChannelPipeline.SynchronousOperations {
        /// Adds the handlers of an HTTP/1 connection.
        func addHTTP1(to state: ServerState, for destination: ServedRequest.Destination) throws {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = state.limits.headerSize
            limits.maxHeaderListSize = state.limits.headerSize
            let received = ReceivedBytes()
            let decoder = HTTPRequestDecoder(
                leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)
            try addHandlers([
                DividedInput(in: state.turns, from: .client, smallest: 1 << 9), received, ByteToMessageHandler(decoder),
                HTTP1Connection(to: state, for: destination, received: received),
            ])
        }
    }
#endif
