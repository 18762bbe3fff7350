#if Server
    import Foundation
    import NIOCore
    import NIOHTTP1
    import RelayCore

    extension HTTP1Connection: ExchangeSink {
        var isWritable: Bool { context?.channel.isWritable ?? false }

        var isBlocked: Bool {
            switch phase {
            case .responding(let exchange, _): exchange.hasSentHead && !isWritable
            case .stalled: true
            case .waiting, .receiving, .connecting, .closing: false
            }
        }

        var isWaiting: Bool { isBlocked || exchange?.isDelayed ?? false }

        var isQueued: Bool { exchange?.isQueued ?? false }

        var connection: ObjectIdentifier { ObjectIdentifier(self) }

        func makeRoom() {
            guard let exchange else { return }
            if isBlocked || exchange.hasSentHead { close(because: ServerState.needsRoom) } else { exchange.refuse() }
        }

        func exchangeEnded() { server.end(self) }

        func send(_ response: ServedResponse) {
            guard case .responding(_, let client) = phase else { return }
            let isPersistent = isPersistent(for: client)
            if isPersistent, client.isHTTP11, let bytes = response.http1 {
                write(bytes)
            } else {
                write(response.completeHTTP1(connection: isPersistent ? "keep-alive" : "close"))
            }
            finishResponse(isPersistent: isPersistent)
        }

        var isVersion2: Bool { false }

        var canUpgrade: Bool {
            if case .responding(_, let client) = phase { client.isHTTP11 } else { false }
        }

        func upgrade(_ response: ServedResponse, to handler: any UpgradedHandler) {
            var buffer = ByteBuffer()
            response.writeHTTP1Head(to: &buffer, connection: "Upgrade\r\nUpgrade: websocket", isChunked: false)
            if !replaceHandlers(with: handler, after: buffer) { handler.close() }
        }

        func sendInterim(_ response: ServedResponse) {
            guard case .responding(_, let client) = phase, client.isHTTP11 else { return }
            var buffer = ByteBuffer()
            response.writeHTTP1Head(to: &buffer, connection: nil, isChunked: false)
            write(buffer)
        }

        func sendHead(_ response: ServedResponse) {
            guard case .responding(_, let client) = phase else { return }
            isChunked = response.hasBody && response.length == nil && client.isHTTP11
            let isPersistent = isPersistent(for: client)
            var buffer = ByteBuffer()
            let connection = isPersistent ? (client.isHTTP11 ? nil : "keep-alive") : "close"
            response.writeHTTP1Head(to: &buffer, connection: connection, isChunked: isChunked)
            prepare(buffer)
        }

        func sendBody(_ bytes: ByteBuffer) {
            guard isChunked else { return prepare(bytes) }
            var buffer = ByteBuffer()
            buffer.writeChunk(bytes)
            prepare(buffer)
        }

        func sendEnd(trailers: [HeaderField]) {
            guard case .responding(_, let client) = phase else { return }
            if isChunked {
                var buffer = ByteBuffer()
                buffer.writeLastChunk(trailers: trailers)
                prepare(buffer)
            }
            isChunked = false
            finishResponse(isPersistent: isPersistent(for: client))
        }

        func fail(_ failure: ConnectionFailure) {
            guard case .responding(let exchange, _) = phase, let context else { return }
            switch failure {
            case .stall: phase = .stalled(exchange)
            case .close: closeAfterWriting()
            case .reset:
                let channel = context.channel
                phase = .closing(since: .now())
                guard let socket = channel as? any SocketOptionProvider else { return channel.close(promise: nil) }
                socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
            }
        }
    }

    extension Rejection {
        /// Creates the rejection of a request that the decoder does not accept.
        init(_ error: HTTPParserError) {
            switch error {
            case .headerOverflow: self.init(431, "header fields that are too large or too many")
            case .invalidMethod: self.init(501, "an unknown method")
            case .invalidVersion: self.init(505, "a version other than HTTP/1.0 and HTTP/1.1")
            case .invalidContentLength, .unexpectedContentLength: self.init(400, "an invalid Content-Length")
            case .invalidChunkSize: self.init(400, "an invalid chunk size")
            case .invalidHeaderToken: self.init(400, "an invalid header field")
            case .invalidURL: self.init(400, "an invalid request target")
            case .invalidEOFState: self.init(400, "the end of the connection within the request")
            default: self.init(400, "a violation of HTTP syntax")
            }
        }
    }
#endif
