#if Server
    import NIOCore
    import NIOPosix
    import RelayCore
    import Testing

    @testable import RelayServer

    @Suite(.limited) struct ConnectionSetupTests {
        @Test func `a host name in a failed handshake cannot forge lines of the log`() async throws {
            let events = Events()
            var configuration = RelayServer.Configuration()
            configuration.log = { events.note($0) }
            try await Interceptor.shop().serve(configuration: configuration) { server in
                _ = try await RawClient.exchange(Self.hello(to: "a\nb\u{1B}[1m"), with: server, finishing: false)
                _ = try await RawClient.exchange(Self.hello(to: "a.example"), with: server, finishing: false)
            }
            #expect(events.all.count == 2)
            #expect(events.all.allSatisfy { $0.hasPrefix("the TLS handshake for 'a") })
            #expect(!events.all.joined().contains { $0 == "\n" || $0 == "\u{1B}" })
        }

        /// A handler that notes the first output.
        private final class FirstOutput: ChannelOutboundHandler {
            typealias OutboundIn = ByteBuffer

            private let bytes: EventLoopPromise<[UInt8]>

            init(_ bytes: EventLoopPromise<[UInt8]>) { self.bytes = bytes }

            func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
                bytes.succeed(Array(unwrapOutboundIn(data).readableBytesView))
                context.write(data, promise: promise)
            }
        }

        /// The bytes that wait until the event loop has time follow those with which the handshake begins.
        @Test(arguments: [nil, "a.example:443"])
        func `the bytes of a handshake keep their order while the event loop is busy`(tunnel: String?) async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let turns = try await WorkTurns(on: loop) { _ in 0 }
            let interceptor = Interceptor.shop()
            let authority = try CertificateAuthority()
            _ = try await authority.context(for: "a.example", isKnown: false, on: loop).get()
            let server = ServerState(
                interceptor, on: loop, turns: turns, origins: try Origins(of: interceptor, mapping: nil, hosts: []),
                authority: authority, upstream: nil, configuration: RelayServer.Configuration())
            let listener = try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
            let client = try await ClientBootstrap(group: loop).connect(to: #require(listener.localAddress)).get()
            let output = loop.makePromise(of: [UInt8].self)
            try await loop.submit {
                try client.pipeline.syncOperations.addHandlers([
                    FirstOutput(output), PacedInput(in: turns, from: .client),
                    ConnectionSetup(to: server, tunnel: tunnel),
                ])
                var first = ByteBuffer(string: Self.hello(to: "a.example"))
                let rest = ByteBuffer(bytes: first.readableBytesView.suffix(5))
                first.moveWriterIndex(to: first.writerIndex - 5)
                client.pipeline.fireChannelRead(first)
                // Input has its turn before handshakes.
                turns.receiveLater {
                    // Then, the event loop has no time for input.
                    while turns.hasTime(forInputSince: .now()) {}
                    client.pipeline.fireChannelRead(rest)
                }
            }.get()
            // The handshake fails because of the content of the message (RFC 8446, section 6).
            let handshakeFailure: [UInt8] = [21, 3, 3, 0, 2, 2, 40]
            #expect(try await output.futureResult.get() == handshakeFailure)
            try? await client.close()
            try await listener.close()
            try await loop.submit { turns.close() }.get()
            interceptor.stop()
        }

        /// Returns a ClientHello that the server cannot accept, because it lacks the necessary extensions.
        private static func hello(to name: String) -> String {
            let list = "\0" + sized(name)
            let extensions = "\0\0" + sized(sized(list))
            let random = String(repeating: "\0", count: 32)
            let body = "\u{3}\u{3}\(random)\0" + sized("\u{13}\u{1}") + "\u{1}\0" + sized(extensions)
            return "\u{16}\u{3}\u{1}" + sized("\u{1}\0" + sized(body))
        }

        /// Returns text after its size in 2 bytes; at most 127 bytes.
        private static func sized(_ text: String) -> String {
            "\0" + (UnicodeScalar(text.utf8.count).map { String(Character($0)) } ?? "") + text
        }
    }
#endif
