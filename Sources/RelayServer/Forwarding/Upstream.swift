#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import RelayCore

    /// The connections of a server to the servers that it forwards requests to.
    ///
    /// All members are used on the server's event loop.
    final class Upstream: @unchecked Sendable {
        private let loop: any EventLoop
        private let settings: RelayServer.Forwarding
        private let verifying: NIOSSLContext
        private let insecure: NIOSSLContext

        /// The address that the server listens on.
        var own: SocketAddress?

        /// The connections without a request, by origin; the last one was used last.
        private var idle: [UpstreamOrigin: [UpstreamConnection]] = [:]

        /// The time after which an idle connection is closed.
        private static let idleTime = TimeAmount.seconds(20)

        /// Prepares connections.
        ///
        /// - Throws: `invalidSetting` if a certificate cannot be read.
        init(_ settings: RelayServer.Forwarding, on loop: any EventLoop) throws(RelayError) {
            self.loop = loop
            self.settings = settings
            do {
                var tls = TLSConfiguration.makeClientConfiguration()
                tls.applicationProtocols = ["http/1.1"]
                for url in settings.authorities {
                    tls.additionalTrustRoots.append(.certificates(try NIOSSLCertificate.fromPEMFile(url.path)))
                }
                verifying = try NIOSSLContext(configuration: tls)
                tls.certificateVerification = .none
                insecure = try NIOSSLContext(configuration: tls)
            } catch {
                let names = settings.authorities.map { MessageText.printable($0.path) }.joined(separator: ", ")
                throw RelayError(
                    .invalidSetting, "Expected certificates in PEM format in \(names).", underlying: error)
            }
        }

        /// Sends a request.
        func send(_ exchange: ForwardedExchange) {
            guard let origin = UpstreamOrigin(exchange.request.url) else {
                return exchange.fail(with: UpstreamFailure.invalidURL)
            }
            if let connection = idle[origin]?.popLast() { return connection.send(exchange) }
            connect(for: exchange, to: origin)
        }

        /// Sends a request over a new connection.
        func connect(for exchange: ForwardedExchange, to origin: UpstreamOrigin) {
            let start = NIODeadline.now()
            let resolver = UpstreamResolver(on: loop, except: own)
            let bootstrap = ClientBootstrap(group: loop)
                .resolver(resolver)
                .connectTimeout(TimeAmount(settings.connectTime))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            let connected = bootstrap.channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if origin.isEncrypted { try pipeline.addHandler(tlsHandler(for: origin.host)) }
                    let tap = WireTap()
                    let decoder = HTTPResponseDecoder(
                        leftOverBytesStrategy: .forwardBytes, informationalResponseStrategy: .forward)
                    let connection = UpstreamConnection(
                        to: origin, of: self, tap: tap, for: exchange, resolver: resolver, start: start)
                    try pipeline.addHandlers([
                        tap, HTTPRequestEncoder(), ByteToMessageHandler(decoder), NIOHTTPRequestHeadersValidator(),
                        connection,
                    ])
                }
            }.connect(host: origin.host, port: origin.port)
            connected.assumeIsolated().whenFailure { error in exchange.fail(with: error) }
        }

        private func tlsHandler(for host: String) throws -> NIOSSLClientHandler {
            let context = settings.insecureHosts.contains(host) ? insecure : verifying
            // An address is not a valid name for the extension.
            let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
            return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
        }

        // MARK: - Idle connections

        /// Keeps a connection for the next request to its origin.
        func keep(_ connection: UpstreamConnection) { idle[connection.origin, default: []].append(connection) }

        /// Removes a connection that was closed.
        func remove(_ connection: UpstreamConnection) {
            idle[connection.origin]?.removeAll { $0 === connection }
            if idle[connection.origin]?.isEmpty == true { idle[connection.origin] = nil }
        }

        /// Closes the connections that have been idle for too long.
        func closeIdle(_ now: NIODeadline) {
            for connection in idle.values.joined() where now - connection.idleSince > Self.idleTime {
                connection.close()
            }
        }

        /// Closes all idle connections.
        func stop() { for connection in idle.values.joined() { connection.close() } }
    }
#endif
