#if Server
    import NIOCore
    import NIOPosix
    import TestSupport
    import Testing

    @testable import RelayServer

    @Suite(.limited) struct DividedInputTests {
        /// A handler that takes a long time for each part, and notes the parts, other work of the event loop, and ends.
        private final class Receiver: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer

            private var text = ""
            private var steps: [String] = []
            private let end: EventLoopPromise<(text: String, steps: [String])>

            init(_ end: EventLoopPromise<(text: String, steps: [String])>) { self.end = end }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                let part = String(buffer: unwrapInboundIn(data))
                text += part
                if text.utf8.count == part.utf8.count {
                    context.eventLoop.assumeIsolated().execute { [self] in steps.append("other work") }
                }
                steps.append(part.utf8.count > 1024 ? "large part" : "part")
                let end = NIODeadline.now() + .milliseconds(1)
                while .now() < end {}
            }

            func channelReadComplete(context: ChannelHandlerContext) { steps.append("complete") }

            func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
                steps.append("end")
                context.close(promise: nil)
            }

            func channelInactive(context: ChannelHandlerContext) { end.succeed((text, steps)) }
        }

        /// Sends a text to a handler, and returns what it received and did.
        private func receive(
            _ text: String, from peer: PacedInput.Peer, allowsHalfClosure: Bool
        ) async throws -> (text: String, steps: [String]) {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let turns = try await WorkTurns(on: loop) { _ in 0 }
            let server = try await ServerBootstrap(group: loop)
                .childChannelInitializer { channel in
                    channel.writeAndFlush(ByteBuffer(string: text)).whenComplete { _ in channel.close(promise: nil) }
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let end = loop.makePromise(of: (text: String, steps: [String]).self)
            _ = try await ClientBootstrap(group: loop)
                .channelOption(.allowRemoteHalfClosure, value: allowsHalfClosure)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1 << 14))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers([
                            DividedInput(in: turns, from: peer), Receiver(end),
                        ])
                    }
                }
                .connect(to: try #require(server.localAddress)).get()
            let result = try await end.futureResult.get()
            try await server.close()
            try await loop.submit { turns.close() }.get()
            return result
        }

        @Test(arguments: [PacedInput.Peer.client, .server])
        func `large input arrives in small parts, with other work in between, and its end after it`(
            peer: PacedInput.Peer
        ) async throws {
            let text = (0..<10_000).map(String.init).joined(separator: " ")
            let result = try await receive(text, from: peer, allowsHalfClosure: true)
            #expect(result.text == text)
            #expect(result.steps.filter { $0 == "part" }.count >= 48)
            #expect(result.steps.filter { $0 != "complete" }.prefix(2) == ["part", "other work"])
            #expect(!result.steps.contains("large part"))
            // The responses to all parts are sent at the end of a read, before the connection can close.
            #expect(result.steps.suffix(2) == ["complete", "end"])
        }

        @Test func `the response of a server that has closed the connection is not lost`() async throws {
            let text = (0..<10_000).map(String.init).joined(separator: " ")
            let result = try await receive(text, from: .server, allowsHalfClosure: false)
            #expect(result.text == text)
        }
    }
#endif
