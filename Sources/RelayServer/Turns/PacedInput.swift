#if Server
    import Foundation
    import NIOCore

    /// Delays input while the event loop is busy.
    ///
    /// Very many clients can send requests at the same time, and many servers can respond to them at the same time. The
    /// small request of another client, or its small response, does not wait for all of them.
    final class PacedInput: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = ByteBuffer

        /// The other end of a connection.
        enum Peer {
            case client, server
        }

        private let turns: WorkTurns
        private let peer: Peer
        private var context: ChannelHandlerContext?

        /// The part that waits, or nil if none waits.
        private var held: ByteBuffer?

        /// The event for the end of the data, if it follows the part.
        private var heldEnd: Any?
        private var isReadPending = false

        /// The size of a small part, in bytes.
        ///
        /// Responses with small bodies are small, and the parts of TLS handshakes with the certificates of servers.
        private var smallSize: Int { peer == .client ? 1 << 11 : 1 << 14 }

        /// The size of a part of a new connection or exchange that does not wait for the parts of older ones, in bytes.
        ///
        /// More bytes can be many requests.
        private var newSize: Int { peer == .client ? 1 << 10 : smallSize }

        /// The start of the connection, or of its latest exchange with a server.
        var start = NIODeadline.now()

        /// The server to which the latest request is sent, or that is the other end.
        private var destination: Destination

        /// The time of the latest output, or nil for no output.
        private var latestOutput: NIODeadline?

        /// Prepares the input of a connection.
        ///
        /// - Parameters:
        ///   - turns: The turns of the event loop.
        ///   - peer: The other end of the connection.
        ///   - destination: The server, if it is the other end; unknown by default.
        init(in turns: WorkTurns, from peer: Peer, for destination: Destination = .unknown) {
            self.turns = turns
            self.peer = peer
            self.destination = destination
        }

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { (self.context, held) = (nil, nil) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var part = unwrapInboundIn(data)
            // The input that follows a small part, and all input at the end of the data.
            guard held == nil else {
                let isLarge = held.map { $0.readableBytes > smallSize } ?? false
                guard peer == .client, isLarge, context.channel.isReset else {
                    held?.writeBuffer(&part)
                    return
                }
                // Otherwise, the rest would be read first, which takes long for very many such connections.
                held = nil
                return context.close(promise: nil)
            }
            let start = part.readableBytes <= newSize ? start : nil
            if peer == .client, let next = part.withUnsafeReadableBytes({ Destination(ofRequestIn: $0) }) {
                destination = next
            }
            if turns.hasTime(forInputSince: start, for: destination) { return context.fireChannelRead(data) }
            let isSmall = part.readableBytes <= smallSize
            held = part
            let release: () -> Void = { [weak self] in self?.release() }
            if isSmall {
                // A response always follows a request.
                let output = peer == .client ? latestOutput : nil
                turns.receiveLater(from: peer, for: destination, since: start, after: output, release)
            } else {
                turns.continueLater(release)
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            if held == nil { context.fireChannelReadComplete() }
        }

        func flush(context: ChannelHandlerContext) {
            latestOutput = .now()
            context.flush()
        }

        func read(context: ChannelHandlerContext) {
            // Changing the registration of the connection would take longer than reading on.
            if held.map({ $0.readableBytes <= smallSize }) ?? true { context.read() } else { isReadPending = true }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
            if held != nil { heldEnd = event } else { end(with: event) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            // A server can close the connection after its response. The request of a client that has left is ignored.
            if peer == .server { release() }
            context.fireChannelInactive()
        }

        /// Passes on the end of the client's data, which still receives its response, or closes the connection to a
        /// server.
        ///
        /// Very many connections can end at the same time.
        private func end(with event: Any) {
            switch peer {
            case .client: turns.endSoon { [self] in context?.fireUserInboundEventTriggered(event) }
            case .server: turns.executeSoon { [self] in context?.close(promise: nil) }
            }
        }

        private func release() {
            guard let context, let part = held else { return }
            held = nil
            context.fireChannelRead(wrapInboundOut(part))
            context.fireChannelReadComplete()
            let heldEnd = heldEnd
            self.heldEnd = nil
            if let heldEnd { end(with: heldEnd) }
            if isReadPending {
                isReadPending = false
                context.read()
            }
        }
    }
#endif
