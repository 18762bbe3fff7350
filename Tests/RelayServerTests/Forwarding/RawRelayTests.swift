#if Server
    import NIOCore
    import NIOPosix
    import TestSupport
    import Testing

    @testable import RelayServer

    @Suite(.limited) struct RawRelayTests {
        @Test func `a relay that is closed before it has a connection ends, and closes the connection later`()
            async throws
        {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let ended = loop.makePromise(of: Void.self)
            let server = try await ServerBootstrap(group: loop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let relay = RawRelay(observing: { _ in }) { ended.succeed() }
                        RawRelay.join(relay, RawRelay(observing: { _ in }, end: {}))
                        relay.close()
                        try channel.pipeline.syncOperations.addHandler(relay)
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let address = try #require(server.localAddress)
            let client = try await ClientBootstrap(group: loop).connect(to: address).get()
            try await ended.futureResult.get()
            try await client.closeFuture.get()
            try await server.close()
        }
    }
#endif
