#if Server
    import Foundation
    import NIOCore
    import NIOPosix
    import Synchronization
    import TestSupport
    import Testing

    @testable import RelayServer

    @Suite(.limited) struct PacedInputTests {
        /// A handler that notes what it receives, and the end of the connection.
        private final class Receiver: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer

            private var text = ""
            private let end: EventLoopPromise<String>

            init(_ end: EventLoopPromise<String>) { self.end = end }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                text += String(buffer: unwrapInboundIn(data))
            }

            func channelInactive(context: ChannelHandlerContext) { end.succeed(text) }
        }

        /// The response of a server that closes the connection after it is not lost while it waits for its turn.
        @Test(arguments: [false, true], [1, 100_000])
        func `the end of a response waits with it`(allowsHalfClosure: Bool, size: Int) async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let isLate = Atomic(true)
            let turns = try await WorkTurns(on: loop) { _ in isLate.load(ordering: .relaxed) ? 32 : 31 }
            let closed = loop.makePromise(of: Void.self)
            let text = String(repeating: "a", count: size)
            let server = try await ServerBootstrap(group: loop)
                .childChannelInitializer { channel in
                    channel.writeAndFlush(ByteBuffer(string: text)).flatMap { channel.close() }.cascade(to: closed)
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let end = loop.makePromise(of: String.self)
            let address = try #require(server.localAddress)
            _ = try await ClientBootstrap(group: loop)
                .channelOption(.allowRemoteHalfClosure, value: allowsHalfClosure)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let input = PacedInput(in: turns, from: .server)
                        input.start = .now() - .hours(1)
                        try channel.pipeline.syncOperations.addHandlers([input, Receiver(end)])
                    }
                }
                .connect(to: address).get()
            try await closed.futureResult.get()
            // The end arrives meanwhile.
            for _ in 1...10 { try await loop.submit {}.get() }
            isLate.store(false, ordering: .relaxed)
            #expect(try await end.futureResult.get() == text)
            try await server.close()
            try await loop.submit { turns.close() }.get()
        }

        /// A handler that notes the ends of data.
        private final class Ends: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer

            var count = 0

            func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
                if event as? ChannelEvent == .inputClosed { count += 1 }
            }
        }

        @Test func `the end of a client's data waits while the event loop is busy`() async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let turns = try await WorkTurns(on: loop) { _ in 0 }
            let server = try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
            let address = try #require(server.localAddress)
            let client = try await ClientBootstrap(group: loop).connect(to: address).get()
            let counts = try await loop.flatSubmit {
                let ends = Ends()
                let promise = loop.makePromise(of: [Int].self)
                do {
                    try client.pipeline.syncOperations.addHandlers([PacedInput(in: turns, from: .client), ends])
                } catch {
                    promise.fail(error)
                }
                // Then, the event loop has no time for input.
                while turns.hasTime(forInputSince: nil) {}
                client.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
                let count = ends.count
                // Ends follow other work of a turn.
                turns.continueLater { turns.continueLater { promise.succeed([count, ends.count]) } }
                return promise.futureResult
            }.get()
            #expect(counts == [0, 1])
            try await client.close()
            try await server.close()
            try await loop.submit { turns.close() }.get()
        }

        #if os(Linux)
            @Test(arguments: [false, true])
            func `data that waits is ignored if the client resets the connection`(isReset: Bool) async throws {
                let loop = MultiThreadedEventLoopGroup.singleton.next()
                let turns = try await WorkTurns(on: loop) { _ in 0 }
                let end = loop.makePromise(of: String.self)
                let accepted = loop.makePromise(of: (any Channel).self)
                let server = try await ServerBootstrap(group: loop)
                    .childChannelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            let handlers: [any ChannelHandler] = [PacedInput(in: turns, from: .client), Receiver(end)]
                            try channel.pipeline.syncOperations.addHandlers(handlers)
                            accepted.succeed(channel)
                        }
                    }
                    .bind(host: "127.0.0.1", port: 0).get()
                let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                try #require(server.localAddress).withSockAddr { #expect(connect(client, $0, socklen_t($1)) == 0) }
                let channel = try await accepted.futureResult.get()
                while !channel.isActive { try await loop.submit {}.get() }
                try await loop.submit {
                    // Then, the event loop has no time for input.
                    while turns.hasTime(forInputSince: nil) {}
                    channel.pipeline.fireChannelRead(ByteBuffer(string: String(repeating: "a", count: 10_000)))
                    if isReset {
                        // This resets the connection even if a process that is being started has a copy of the socket.
                        var nowhere = sockaddr()
                        nowhere.sa_family = sa_family_t(AF_UNSPEC)
                        connect(client, &nowhere, socklen_t(MemoryLayout.size(ofValue: nowhere)))
                    }
                    // Of the rest, the first part finds the reset.
                    for _ in 0..<2 { channel.pipeline.fireChannelRead(ByteBuffer(string: "rest")) }
                }.get()
                await withCheckedContinuation { continuation in
                    turns.execute { turns.continueLater { continuation.resume() } }
                }
                if !isReset { shutdown(client, Int32(SHUT_RDWR)) }
                close(client)
                #expect(try await end.futureResult.get().count == (isReset ? 0 : 10_008))
                try await server.close()
                try await loop.submit { turns.close() }.get()
            }
        #endif
    }
#endif
