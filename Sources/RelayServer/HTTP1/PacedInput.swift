#if Server
    import NIOCore

    /// Delays input while the event loop is busy, except for small parts of new connections.
    ///
    /// Very many clients can send requests at the same time. The small request of another client does not wait for all
    /// of them.
    final class PacedInput: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = ByteBuffer

        private let server: ServerState
        private var context: ChannelHandlerContext?

        /// The part that waits, or nil if none waits.
        private var held: ByteBuffer?

        /// The event for the end of the client's data, if it follows the part.
        private var heldEnd: Any?
        private var isReadPending = false
        private let start = NIODeadline.now()

        /// The time in which a connection is new.
        private static let newTime = TimeAmount.milliseconds(50)

        /// The size of a small part, in bytes.
        private static let smallSize = 1 << 11

        /// Prepares the input of a connection.
        init(of server: ServerState) { self.server = server }

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { (self.context, held) = (nil, nil) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var part = unwrapInboundIn(data)
            // At the end of the client's data, all of it is read.
            guard held == nil else {
                held?.writeBuffer(&part)
                return
            }
            let isSmall = part.readableBytes <= Self.smallSize
            guard !server.turns.hasTime, !isSmall || .now() - start > Self.newTime else {
                return context.fireChannelRead(data)
            }
            held = part
            let release: () -> Void = { [weak self] in self?.release() }
            if isSmall { server.turns.receiveLater(release) } else { server.turns.continueLater(release) }
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
