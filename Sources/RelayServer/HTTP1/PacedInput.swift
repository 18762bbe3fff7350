#if Server
    import NIOCore

    /// Delays input while the event loop is busy, except for small parts of new connections and exchanges.
    ///
    /// Very many clients can send requests at the same time, and many servers can respond to them at the same time. The
    /// small request of another client, or its small response, does not wait for all of them.
    final class PacedInput: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = ByteBuffer

        private let turns: WorkTurns
        private var context: ChannelHandlerContext?

        /// The part that waits, or nil if none waits.
        private var held: ByteBuffer?

        /// The event for the end of the client's data, if it follows the part.
        private var heldEnd: Any?
        private var isReadPending = false

        /// The size of a small part, in bytes.
        private let smallSize: Int

        /// The start of the connection, or of its latest exchange with a server.
        var start = NIODeadline.now()

        /// Prepares the input of a connection.
        ///
        /// - Parameters:
        ///   - turns: The turns of the event loop.
        ///   - smallSize: The size of a small part, in bytes.
        init(in turns: WorkTurns, smallSize: Int) {
            self.turns = turns
            self.smallSize = smallSize
        }

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { (self.context, held) = (nil, nil) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var part = unwrapInboundIn(data)
            // At the end of the client's data, all of it is read.
            guard held == nil else {
                held?.writeBuffer(&part)
                return
            }
            let isSmall = part.readableBytes <= smallSize
            guard !(isSmall ? turns.hasTime(forInputSince: start) : turns.hasTime) else {
                return context.fireChannelRead(data)
            }
            held = part
            let release: () -> Void = { [weak self] in self?.release() }
            if isSmall { turns.receiveLater(release) } else { turns.continueLater(release) }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            if held == nil { context.fireChannelReadComplete() }
        }

        func read(context: ChannelHandlerContext) {
            if held == nil { context.read() } else { isReadPending = true }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if held != nil, event as? ChannelEvent == .inputClosed {
                heldEnd = event
            } else {
                context.fireUserInboundEventTriggered(event)
            }
        }

        private func release() {
            guard let context, let part = held else { return }
            held = nil
            context.fireChannelRead(wrapInboundOut(part))
            context.fireChannelReadComplete()
            if let heldEnd { context.fireUserInboundEventTriggered(heldEnd) }
            heldEnd = nil
            if isReadPending {
                isReadPending = false
                context.read()
            }
        }
    }
#endif
