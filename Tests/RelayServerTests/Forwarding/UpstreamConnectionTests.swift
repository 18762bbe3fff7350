#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import NIOPosix
    import RelayCore
    import Testing

    @testable import RelayServer

    @Suite(.limited) struct UpstreamConnectionTests {
        /// A site whose responses have a `Keep-Alive` field.
        private final class Site: ChannelInboundHandler, Sendable {
            typealias InboundIn = ByteBuffer
            typealias OutboundOut = ByteBuffer

            private let value: String

            init(_ value: String) { self.value = value }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                let text = "HTTP/1.1 200 OK\r\nKeep-Alive: \(value)\r\nContent-Length: 0\r\n\r\n"
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            }
        }

        @Test(arguments: [
            ("timeout=100, max=5", 1), ("timeout=99999999999999999", 1), ("timeout=-1, x", 1),
            ("max=5, Timeout = 0", 2),
        ])
        func `a connection is used again within the time that the server names`(value: String, count: Int) async throws
        {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let site = try await ServerBootstrap(group: loop)
                .childChannelInitializer { $0.pipeline.addHandler(Site(value)) }
                .bind(host: "127.0.0.1", port: 0).get()
            let recording = Interceptor(recordingInMemory: "recording")
            try await recording.serve { proxy in
                let url = "http://127.0.0.1:\(site.localAddress?.port ?? 0)"
                for _ in 0..<2 { _ = try await Curl("-x", proxy.url.absoluteString, url) }
            }
            let connections = await recording.recordedEntries.map(\.connection)
            #expect(connections.count == 2 && Set(connections).count == count)
            try await site.close()
        }

        #if os(Linux)
            /// A request with a body must not be repeated after it was sent to a server that has gone.
            @Test(arguments: [false, true])
            func `a connection that has been closed is not used again, even before its end is read`(isVersion2: Bool)
                async throws
            {
                let loop = MultiThreadedEventLoopGroup.singleton.next()
                let turns = try await WorkTurns(on: loop) { _ in 0 }
                let upstream = try Upstream(RelayServer.Forwarding(), on: loop, in: turns)
                let accepted = loop.makePromise(of: (any Channel).self)
                let listener = try await ServerBootstrap(group: loop)
                    .childChannelInitializer { channel in
                        accepted.succeed(channel)
                        return channel.eventLoop.makeSucceededVoidFuture()
                    }
                    .bind(host: "127.0.0.1", port: 0).get()
                let client = try await ClientBootstrap(group: loop)
                    .channelOption(.allowRemoteHalfClosure, value: true)
                    .connect(to: #require(listener.localAddress)).get()
                let end = try await accepted.futureResult.get()
                while !end.isActive { try await loop.submit {}.get() }
                let areReusable = try await loop.submit {
                    let origin = try #require(UpstreamOrigin("http://a.example"))
                    let facts = UpstreamFacts(start: .now())
                    try client.pipeline.syncOperations.addHandler(PacedInput(in: turns, from: .server))
                    let isReusable: () -> Bool
                    if isVersion2 {
                        let connection = try UpstreamVersion2(to: origin, of: upstream, on: client, facts: facts)
                        isReusable = { connection.isReusable }
                    } else {
                        let connection = try UpstreamConnection(
                            to: origin, of: upstream, on: client, facts: facts, through: nil)
                        isReusable = { connection.isReusable }
                    }
                    let isFirst = isReusable()
                    end.close(promise: nil)
                    #expect(client.isActive)
                    return [isFirst, isReusable()]
                }.get()
                #expect(areReusable == [true, false])
                for channel in [client, end, listener] { try? await channel.close() }
                try await loop.submit { turns.close() }.get()
            }
        #endif
    }
#endif
