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
        let turns: WorkTurns
        private let settings: RelayServer.Forwarding
        private let contexts: [ContextKind: NIOSSLContext]
        private let environment = ProcessInfo.processInfo.environment

        /// The address that the server listens on.
        var own: SocketAddress?

        /// The HTTP/1 connections without a request, by origin; the last one was used last.
        private var idle: [UpstreamOrigin: [UpstreamConnection]] = [:]

        /// The HTTP/2 connections that accept requests.
        private var shared: [UpstreamOrigin: UpstreamVersion2] = [:]

        let memory = BodyMemory()

        /// The beginning of the URL of the latest request, up to its path, and its origin.
        private var latest: (start: String, origin: UpstreamOrigin)?

        /// The exchanges that wait for an HTTP/2 connection, by origin.
        private var waiting: [UpstreamOrigin: [ForwardedExchange]] = [:]

        /// The origins that do not accept HTTP/2.
        private var version1Origins: Set<UpstreamOrigin> = []

        /// The properties of a TLS context.
        private struct ContextKind: Hashable {
            var isVerifying: Bool
            var allowsVersion2: Bool
        }

        /// The time after which an idle connection is closed, unless the server says that it closes it before.
        static let idleTime = TimeAmount.seconds(20)

        /// Prepares connections.
        ///
        /// - Throws: `invalidSetting` if a certificate cannot be read.
        init(_ settings: RelayServer.Forwarding, on loop: any EventLoop, in turns: WorkTurns) throws(RelayError) {
            self.loop = loop
            self.turns = turns
            self.settings = settings
            do {
                var tls = TLSConfiguration.makeClientConfiguration()
                for url in settings.authorities {
                    tls.additionalTrustRoots.append(.certificates(try NIOSSLCertificate.fromPEMFile(url.path)))
                }
                var contexts: [ContextKind: NIOSSLContext] = [:]
                for isVerifying in [true, false] {
                    for allowsVersion2 in [true, false] {
                        tls.applicationProtocols = allowsVersion2 ? ["h2", "http/1.1"] : ["http/1.1"]
                        tls.certificateVerification = isVerifying ? .fullVerification : .none
                        contexts[ContextKind(isVerifying: isVerifying, allowsVersion2: allowsVersion2)] =
                            try NIOSSLContext(configuration: tls)
                    }
                }
                self.contexts = contexts
            } catch {
                let names = settings.authorities.map { MessageText.printable($0.path) }.joined(separator: ", ")
                throw RelayError(
                    .invalidSetting, "Expected certificates in PEM format in \(names).", underlying: error)
            }
        }

        // MARK: - Requests

        /// Sends a request.
        func send(_ exchange: ForwardedExchange) {
            guard let origin = origin(of: exchange.request.url) else {
                return exchange.fail(with: UpstreamFailure.invalidURL)
            }
            if exchange.allowsVersion2 {
                if let connection = shared[origin] {
                    if connection.isReusable { return connection.send(exchange) }
                    connection.stop()
                }
                // The requests of a client share the connection that is being established.
                if waiting[origin] != nil {
                    waiting[origin]?.append(exchange)
                    return
                }
            }
            while let connection = idle[origin]?.popLast() {
                if connection.isReusable { return connection.send(exchange) }
                connection.close()
            }
            connect(for: exchange, to: origin)
        }

        /// Returns the origin of a URL, which is often the one of the request before, or nil if it has no valid origin.
        private func origin(of url: String) -> UpstreamOrigin? {
            if let latest, url.utf8.starts(with: latest.start.utf8) { return latest.origin }
            guard let origin = UpstreamOrigin(url) else { return nil }
            let parts = url.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
            // The path follows the scheme, two slashes, the authority and another slash.
            if parts.count == 4, parts[1].isEmpty, !parts[2].isEmpty {
                latest = (String(Substring(url.utf8.dropLast(parts[3].count))), origin)
            }
            return origin
        }

        /// Sends a request over a new connection.
        func connect(for exchange: ForwardedExchange, to origin: UpstreamOrigin) {
            let triesVersion2 = exchange.allowsVersion2 && origin.isEncrypted && !version1Origins.contains(origin)
            let waits = triesVersion2 && waiting[origin] == nil
            if waits { waiting[origin] = [] }
            let proxy = UpstreamProxy(for: origin, environment: environment)
            open(to: origin, through: proxy, tls: { [self] in try tlsHandler(for: origin.host, triesVersion2) }) {
                [self] outcome in
                let others = waits ? waiting.removeValue(forKey: origin) ?? [] : []
                switch outcome {
                case .failure(let error): for exchange in [exchange] + others { exchange.fail(with: error) }
                case .ready(let channel, let facts, let isVersion2):
                    do {
                        if isVersion2 {
                            let connection = try UpstreamVersion2(to: origin, of: self, on: channel, facts: facts)
                            shared[origin] = connection
                            for exchange in [exchange] + others { connection.send(exchange) }
                            return
                        }
                        if triesVersion2, version1Origins.count < 10_000 { version1Origins.insert(origin) }
                        let connection = try UpstreamConnection(
                            to: origin, of: self, on: channel, facts: facts,
                            through: origin.isEncrypted ? nil : proxy)
                        connection.send(exchange)
                        for exchange in others { send(exchange) }
                    } catch {
                        channel.close(promise: nil)
                        for exchange in [exchange] + others { exchange.fail(with: error) }
                    }
                }
            }
        }

        /// Opens a connection.
        ///
        /// - Parameters:
        ///   - origin: The origin.
        ///   - proxy: The proxy to use, or nil for none.
        ///   - makeTLS: A closure that creates the handler for TLS, which is used for encrypted origins; nil to pass on
        ///     encrypted data unchanged.
        ///   - finish: Called once with the outcome.
        func open(
            to origin: UpstreamOrigin, through proxy: UpstreamProxy?, tls makeTLS: (() throws -> NIOSSLClientHandler)?,
            finish: @escaping (UpstreamSetup.Outcome) -> Void
        ) {
            let target = proxy?.origin ?? origin
            let address = try? SocketAddress(ipAddress: target.host, port: target.port)
            if let address, isOwn(address) { return finish(.failure(UpstreamFailure.loop)) }
            let resolver = address == nil ? UpstreamResolver(on: loop, in: turns, except: isOwn) : nil
            let needsTunnel = origin.isEncrypted || makeTLS == nil
            let tls = origin.isEncrypted ? makeTLS : nil
            let destination = Destination("\(origin.host):\(origin.port)")
            let setup = UpstreamSetup(
                of: destination, in: turns, resolver: resolver, tls: tls,
                tunnelRequest: needsTunnel ? proxy?.tunnelRequest(to: origin) : nil,
                within: TimeAmount(settings.connectTime), finish: finish)
            let bound = NIOLoopBound(setup, eventLoop: loop)
            let bootstrap = ClientBootstrap(group: loop)
                .resolver(resolver)
                .connectTimeout(TimeAmount(settings.connectTime))
                .channelInitializer { [turns, destination, isPlain = tls == nil] channel in
                    channel.eventLoop.makeCompletedFuture {
                        let options = channel.syncOptions
                        try options?.setOption(.tcpOption(.tcp_nodelay), value: 1)
                        // The end of a response waits for its turn, too. With TLS, the connection must close at the end.
                        try options?.setOption(.allowRemoteHalfClosure, value: isPlain)
                        try channel.pipeline.syncOperations.addHandlers([
                            PacedInput(in: turns, from: .server, for: destination), bound.value,
                        ])
                    }
                }
            if let address {
                bootstrap.connect(to: address).assumeIsolated()
                    .whenFailure { setup.fail(with: UpstreamFailure.unreachable($0)) }
            } else {
                bootstrap.connect(host: target.host, port: target.port).assumeIsolated()
                    .whenFailure { setup.fail(with: $0) }
            }
        }

        /// Returns whether a connection to an address would reach this server.
        private func isOwn(_ address: SocketAddress) -> Bool {
            guard let own, address.port == own.port, var ip = address.ipAddress, let listening = own.ipAddress else {
                return false
            }
            // IPv6 has an address for each address of IPv4 (https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2).
            ip.trimPrefix("::ffff:")
            let isAny = listening == "0.0.0.0" || listening == "::"
            let isLoopback = ip.hasPrefix("127.") || ip == "::1" || ip == "0.0.0.0" || ip == "::"
            return ip == listening || isLoopback && (isAny || listening.hasPrefix("127.") || listening == "::1")
        }

        /// Opens a connection whose bytes are passed on unchanged.
        func openTunnel(to origin: UpstreamOrigin, finish: @escaping ((any Channel)?) -> Void) {
            let proxy = UpstreamProxy(for: origin, environment: environment)
            open(to: origin, through: proxy, tls: nil) { outcome in
                guard case .ready(let channel, _, _) = outcome else { return finish(nil) }
                finish(channel)
            }
        }

        private func tlsHandler(for host: String, _ allowsVersion2: Bool) throws -> NIOSSLClientHandler {
            let isVerifying = !settings.insecureHosts.contains(host)
            guard let context = contexts[ContextKind(isVerifying: isVerifying, allowsVersion2: allowsVersion2)] else {
                throw UpstreamFailure.closed
            }
            // An address is not a valid name for the extension.
            let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
            return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
        }

        /// Returns whether a request is directed to a host whose connections are passed on unchanged.
        func passesThrough(urlOf request: InterceptedRequest) -> Bool {
            !settings.passThroughHosts.isEmpty && UpstreamOrigin(request.url).map { passesThrough($0.host) } == true
        }

        /// Returns whether connections to a host are passed on unchanged.
        func passesThrough(_ host: String) -> Bool {
            settings.passThroughHosts.contains { host == $0 || host.hasSuffix(".\($0)") }
        }

        // MARK: - Connections

        /// Keeps a connection for the next request to its origin.
        func keep(_ connection: UpstreamConnection) { idle[connection.origin, default: []].append(connection) }

        /// Removes a connection that accepts no more requests.
        func remove(_ connection: UpstreamVersion2) {
            if shared[connection.origin] === connection { shared[connection.origin] = nil }
        }

        /// Closes the connections that have been idle for too long, in several turns of the event loop.
        func closeIdle(_ now: NIODeadline) {
            idle = idle.mapValues { $0.filter(\.isOpen) }.filter { !$0.value.isEmpty }
            let overdue = idle.values.joined().filter { now - $0.idleSince > $0.idleTime }
            turns.forEachLater(of: overdue[...]) { connection in
                if connection.isIdle { connection.close() }
            }
            for connection in Array(shared.values) where connection.isIdle(now, longerThan: Self.idleTime) {
                connection.stop()
            }
        }

        /// Closes all idle connections.
        func stop() {
            for connection in idle.values.joined() { connection.close() }
            for connection in Array(shared.values) { connection.stop() }
        }
    }
#endif
