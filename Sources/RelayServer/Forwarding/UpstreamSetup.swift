#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import NIOPosix
    import NIOSSL
    import NIOTLS
    import RelayCore

    /// The facts about a connection to a server that entries contain.
    struct UpstreamFacts {
        /// The times at which the phases of connecting began and ended; nil for phases that did not take place.
        let start: NIODeadline
        var resolved: NIODeadline?
        var connected: NIODeadline?
        var ready: NIODeadline?

        /// The address of the server, or of the proxy before it.
        var serverIPAddress: String?

        /// The local port, which identifies the connection.
        var connection: String?

        /// The version of TLS, the protocol that it carries, and the end of the certificate's validity; empty without TLS.
        var tls: [(name: String, value: String)] = []

        /// Notes the facts for an exchange.
        ///
        /// - Parameters:
        ///   - exchange: The exchange.
        ///   - isFirst: Whether the exchange waited for the connection.
        func describe(_ exchange: ForwardedExchange, isFirst: Bool) {
            exchange.wire.serverIPAddress = serverIPAddress
            exchange.wire.connection = connection
            exchange.tls = tls
            guard isFirst else { return }
            let resolved = resolved ?? start
            exchange.times.dns = resolved - start
            exchange.times.connect = (ready ?? resolved) - resolved
            if !tls.isEmpty, let connected, let ready { exchange.times.ssl = ready - connected }
        }
    }

    /// Waits until a connection to a server is ready for the handlers of a protocol.
    final class UpstreamSetup: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundOut = ByteBuffer

        /// The result of a setup.
        enum Outcome {
            case ready(any Channel, UpstreamFacts, isVersion2: Bool)
            case failure(any Error)
        }

        private let destination: Destination
        private let turns: WorkTurns
        private let resolver: UpstreamResolver?
        private let makeTLS: (() throws -> NIOSSLClientHandler)?

        /// The request for a tunnel through another proxy, or nil without one.
        private let tunnelRequest: String?
        private let limit: TimeAmount
        private var facts: UpstreamFacts
        private var finish: ((Outcome) -> Void)?
        private var tls: NIOSSLClientHandler?
        private var timer: TurnTimer?

        /// The response to the request for a tunnel.
        private var response = ByteBuffer()

        /// The maximum size of this response, in bytes.
        private static let largestResponse = 1 << 14

        /// Prepares a setup.
        ///
        /// - Parameters:
        ///   - destination: The server.
        ///   - turns: The turns of the event loop.
        ///   - resolver: The resolver of the name, or nil for an address.
        ///   - makeTLS: A closure that creates the handler for TLS, or nil for a connection without TLS.
        ///   - tunnelRequest: The request for a tunnel through another proxy, or nil without one.
        ///   - limit: The time in which the connection must be ready.
        ///   - finish: Called once with the outcome.
        init(
            of destination: Destination, in turns: WorkTurns, resolver: UpstreamResolver?,
            tls makeTLS: (() throws -> NIOSSLClientHandler)?, tunnelRequest: String?, within limit: TimeAmount,
            finish: @escaping (Outcome) -> Void
        ) {
            self.destination = destination
            self.turns = turns
            self.resolver = resolver
            self.makeTLS = makeTLS
            self.tunnelRequest = tunnelRequest
            self.limit = limit
            self.finish = finish
            facts = UpstreamFacts(start: .now())
        }

        /// Ends a setup that was never connected.
        func fail(with error: any Error) { end(.failure(error)) }

        func channelActive(context: ChannelHandlerContext) {
            facts.connected = .now()
            let channel = context.channel
            timer = TurnTimer(in: limit, on: turns) { [self] in
                fail(with: ChannelError.connectTimeout(limit))
                channel.close(promise: nil)
            }
            context.fireChannelActive()
            // Very many connections can be established at the same time.
            if turns.hasTime(forInputSince: facts.start, for: destination) { return begin(context) }
            turns.receiveLater(from: .server, for: destination, since: facts.start) { [self] in
                if finish != nil { begin(context) }
            }
        }

        /// Requests a tunnel or TLS if necessary.
        private func begin(_ context: ChannelHandlerContext) {
            guard let tunnelRequest else { return beginTLS(context) }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: tunnelRequest)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard finish != nil, tunnelRequest != nil, tls == nil else { return context.fireChannelRead(data) }
            response.writeImmutableBuffer(unwrapInboundIn(data))
            let text = response.readableBytesView
            guard text.count <= Self.largestResponse else { return abort(UpstreamFailure.proxy, context) }
            guard let end = text.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
            let line = String(decoding: text.prefix { $0 != 0x0D }, as: UTF8.self).split(separator: " ")
            // Bytes after the head cannot come from the server, which waits for the client in TLS.
            guard line.count > 1, line[1].hasPrefix("2"), end.upperBound == text.endIndex else {
                return abort(UpstreamFailure.proxy, context)
            }
            beginTLS(context)
        }

        private func beginTLS(_ context: ChannelHandlerContext) {
            guard let makeTLS else { return ready(isVersion2: false, context) }
            do {
                let handler = try makeTLS()
                tls = handler
                try context.pipeline.syncOperations.addHandler(handler, position: .before(self))
            } catch {
                abort(error, context)
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent {
                ready(isVersion2: negotiated == "h2", context)
            }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            fail(with: UpstreamFailure.closed)
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            guard finish != nil else { return context.fireErrorCaught(error) }
            abort(error, context)
        }

        private func abort(_ error: any Error, _ context: ChannelHandlerContext) {
            fail(with: error)
            context.close(promise: nil)
        }

        private func ready(isVersion2: Bool, _ context: ChannelHandlerContext) {
            facts.ready = .now()
            facts.resolved = resolver?.end
            facts.serverIPAddress = context.channel.remoteAddress?.ipAddress
            facts.connection = context.channel.localAddress?.port.map(String.init)
            if let tls, let version = tls.tlsVersion {
                facts.tls = [("version", "\(version)"), ("protocol", isVersion2 ? "h2" : "http/1.1")]
                if let end = tls.peerCertificate?.notValidAfter {
                    facts.tls.append(("certificateValidUntil", HAR.text(Date(timeIntervalSince1970: Double(end)))))
                }
            }
            end(.ready(context.channel, facts, isVersion2: isVersion2))
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        }

        private func end(_ outcome: Outcome) {
            timer?.cancel()
            let finish = finish
            self.finish = nil
            finish?(outcome)
        }
    }
#endif
