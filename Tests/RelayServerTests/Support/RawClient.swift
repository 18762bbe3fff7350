#if Server
    import Foundation
    import NIOCore
    import NIOPosix
    import RelayServer

    /// A client that sends bytes as they are, and returns the bytes that it receives.
    struct RawClient {
        private let channel: any Channel
        private let received: EventLoopFuture<String>

        /// Connects to a server, and sends text at once, so that short time limits of the server do not apply before.
        ///
        /// - Parameters:
        ///   - server: The server.
        ///   - text: The text.
        ///   - readsAutomatically: Whether the client reads what it receives.
        ///   - keepsInterim: Whether to keep the interim response that the server sends if an exchange takes long and the
        ///     client has closed its sending end.
        /// - Throws: An error if the server cannot be reached.
        init(
            _ server: RelayServer, sending text: String = "", readsAutomatically: Bool = true,
            keepsInterim: Bool = false
        ) async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let promise = loop.makePromise(of: String.self)
            received = promise.futureResult
            let bootstrap = ClientBootstrap(group: loop)
                .channelOption(.allowRemoteHalfClosure, value: false)
                .channelOption(.autoRead, value: readsAutomatically)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            Collector(promise, keepsInterim: keepsInterim))
                    }
                }
            do {
                let connection = bootstrap.connect(host: "127.0.0.1", port: server.url.port ?? 0)
                channel = try await connection.flatMap { channel in
                    channel.writeAndFlush(ByteBuffer(string: text)).flatMapErrorThrowing { _ in }.map { channel }
                }.get()
            } catch {
                promise.fail(error)
                throw error
            }
        }

        /// Sends text.
        ///
        /// Errors are ignored, because the server may have closed the connection.
        func send(_ text: String) async { try? await channel.writeAndFlush(ByteBuffer(string: text)) }

        /// Sends bytes.
        func send(_ bytes: [UInt8]) async { try? await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

        /// Closes the sending end.
        func finish() async { try? await channel.close(mode: .output) }

        /// Closes the connection.
        func close() async { try? await channel.close() }

        /// Resets the connection.
        func reset() async {
            guard let socket = channel as? any SocketOptionProvider else { return }
            try? await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            await close()
        }

        /// The text received until the server closes the connection, followed by `<reset>` if it resets the connection.
        var text: String {
            get async throws { try await received.get() }
        }

        /// Whether the server has closed the connection.
        var isClosed: Bool {
            get async throws { try await channel.eventLoop.submit { [channel] in !channel.isActive }.get() }
        }

        /// Sends text, closes the sending end, and returns the text received until the server closes the connection.
        static func exchange(_ text: String, with server: RelayServer, finishing: Bool = true) async throws -> String {
            let client = try await RawClient(server, sending: text)
            if finishing { await client.finish() }
            return try await client.text
        }

        /// Returns the status codes in received text.
        static func statuses(in text: String) -> [Int] {
            text.matches(of: #/HTTP/1\.1 (\d{3}) /#).compactMap { Int($0.output.1) }
        }
    }

    private final class Collector: ChannelInboundHandler, @unchecked Sendable {
        typealias InboundIn = ByteBuffer

        private let promise: EventLoopPromise<String>
        private let keepsInterim: Bool
        private var data = Data()

        init(_ promise: EventLoopPromise<String>, keepsInterim: Bool) {
            self.promise = promise
            self.keepsInterim = keepsInterim
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.data += unwrapInboundIn(data).readableBytesView
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if (error as? IOError)?.errnoCode == ECONNRESET { data += "<reset>".utf8 }
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            let interim = Data("HTTP/1.1 102 Processing\r\n\r\n".utf8)
            if !keepsInterim, let range = data.range(of: interim) { data.removeSubrange(range) }
            promise.succeed(String(decoding: data, as: UTF8.self))
        }
    }
#endif
