#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import NIOPosix
    public import RelayCore

    extension RelayServer {
        /// Starts a server.
        ///
        /// - Parameters:
        ///   - interceptor: The interceptor. If it records, the server sends requests to the network.
        ///   - configuration: The settings; defaults if omitted.
        /// - Returns: The running server, which must be stopped with ``stop(within:)``.
        /// - Throws: `invalidSetting` if a setting is invalid or the address is unavailable.
        public static func start(
            _ interceptor: Interceptor, configuration: Configuration = Configuration()
        ) async throws(RelayError) -> RelayServer {
            guard 200...999 ~= configuration.missStatus else {
                throw RelayError(
                    .invalidSetting, "Expected a miss status from 200 to 999, found \(configuration.missStatus).")
            }
            guard 0...65535 ~= configuration.port else {
                throw RelayError(.invalidSetting, "Expected a port from 0 to 65535, found \(configuration.port).")
            }
            let isLocal = RequestHost(of: "http://\(bracketed(configuration.host))")?.isLoopback ?? false
            let devices = isLocal ? [] : (try? System.enumerateDevices()) ?? []
            let addresses = devices.compactMap { $0.address?.ipAddress }
            let origins = try Origins(
                of: interceptor, mapping: configuration.mappedOrigin,
                hosts: ([configuration.host] + addresses).map(bracketed))
            // The first call reads the URLs of all entries.
            if let host = RequestHost(of: "localhost") { _ = interceptor.knows(host, of: "http://localhost/") }
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            // Without an authority, the server handles HTTP only.
            let authority = configuration.authority ?? (try? CertificateAuthority())
            let forwarding = configuration.forwarding ?? (interceptor.isRecording ? Forwarding() : nil)
            // Other machines could use the server to reach addresses that only this machine can reach.
            guard forwarding == nil || isLocal || forwarding?.token?.utf8.count ?? 0 >= 16 else {
                throw RelayError(
                    .invalidSetting,
                    """
                    A server that sends requests to the network needs a token of at least 16 characters to listen on \
                    \(bracketed(configuration.host)). Set the token, or use 127.0.0.1.
                    """)
            }
            let turns = try await WorkTurns(on: loop) { interceptor.unrecordedCount(in: $0.group) }
            let upstream: Upstream?
            do throws(RelayError) {
                upstream = try forwarding.map { settings throws(RelayError) in
                    try Upstream(settings, on: loop, in: turns)
                }
            } catch {
                loop.execute { turns.close() }
                throw error
            }
            let state = ServerState(
                interceptor, on: loop, turns: turns, origins: origins, authority: authority, upstream: upstream,
                configuration: configuration)
            let channel: any Channel
            do {
                channel = try await bootstrap(state, on: loop)
                    .bind(host: configuration.host, port: configuration.port).get()
            } catch {
                loop.execute { turns.close() }
                throw RelayError(
                    .invalidSetting,
                    """
                    The server cannot listen on \(bracketed(configuration.host)):\(configuration.port): \
                    \(reason(of: error)). Choose another address or port, or port 0 for any free port.
                    """, underlying: error)
            }
            if let upstream { try? await loop.submit { upstream.own = channel.localAddress }.get() }
            let timer = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
                state.closeOverdueConnections()
            }
            let port = channel.localAddress?.port ?? configuration.port
            guard let url = URL(string: "http://\(bracketed(visible(configuration.host))):\(port)") else {
                throw RelayError(.invalidSetting, "The address '\(configuration.host)' is not a valid host.")
            }
            return RelayServer(url: url, mappedOrigin: origins.mapped, authority: authority) { limit in
                timer.cancel()
                try? await channel.close()
                try? await loop.flatSubmit { state.stop(within: limit) }.get()
                try? await loop.submit { turns.close() }.get()
            }
        }

        private static func bootstrap(_ state: ServerState, on loop: any EventLoop) -> ServerBootstrap {
            ServerBootstrap(group: loop)
                .serverChannelOption(.backlog, value: 1024)
                // Many connections at the same time do not delay the next one.
                .serverChannelOption(.maxMessagesPerRead, value: 64)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                // Accepted connections inherit the options of TCP, which takes less time than setting them for each.
                .serverChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                // A client that does not read takes little of the system's memory, and is soon noticed.
                .serverChannelOption(.tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT)), value: 1 << 17)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let options = channel.syncOptions
                        try options?.setOption(.allowRemoteHalfClosure, value: true)
                        // A client that sends fast does not delay others.
                        try options?.setOption(.maxMessagesPerRead, value: 1)
                        try options?.setOption(
                            .recvAllocator,
                            value: AdaptiveRecvByteBufferAllocator(minimum: 1 << 9, initial: 1 << 11, maximum: 1 << 14))
                        try channel.pipeline.syncOperations.addHandlers([
                            PacedInput(in: state.turns, from: .client), ConnectionSetup(to: state),
                        ])
                    }
                }
        }

        /// The address that clients use for an address that the server listens on.
        private static func visible(_ host: String) -> String {
            switch host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: host
            }
        }

        private static func bracketed(_ host: String) -> String {
            host.utf8.contains(UInt8(ascii: ":")) && !host.hasPrefix("[") ? "[\(host)]" : host
        }

        private static func reason(of error: any Error) -> String {
            (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "the name cannot be resolved"
        }
    }

    extension Interceptor {
        /// Runs an operation with a server that responds from this interceptor.
        ///
        /// ```swift
        /// try await interceptor.serve { server in
        ///     let client = ShopClient(baseURL: server.url)
        ///     try await #expect(client.items().count == 3)
        /// }
        /// ```
        ///
        /// Any number of servers can run at the same time, each on a separate port.
        ///
        /// - Parameters:
        ///   - configuration: The settings of the server; defaults if omitted.
        ///   - isolation: The actor that calls this method.
        ///   - operation: The operation.
        /// - Returns: The result of the operation.
        /// - Throws: `invalidSetting` if the server cannot start, or the error of the operation.
        public func serve<Result>(
            configuration: RelayServer.Configuration = .init(),
            isolation: isolated (any Actor)? = #isolation,
            _ operation: (RelayServer) async throws -> Result
        ) async throws -> Result {
            let server = try await RelayServer.start(self, configuration: configuration)
            do {
                let result = try await operation(server)
                await server.stop(within: .zero)
                return result
            } catch {
                await server.stop(within: .zero)
                throw error
            }
        }
    }
#endif
