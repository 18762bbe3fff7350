#if Server
    import NIOCore

    /// Delays large parts of a connection's input while the event loop is busy.
    ///
    /// Very many clients can send large requests at the same time. A small request of another client does not wait for
    /// them.
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

        /// The size up to which a part never waits, in bytes.
        private static let smallSize = 1 << 11

        /// Prepares the input of a connection.
        init(of server: ServerState) { self.server = server }

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { (self.context, held) = (nil, nil) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let part = unwrapInboundIn(data)
            guard part.readableBytes > Self.smallSize, !server.hasTime else { return context.fireChannelRead(data) }
            held = part
            server.continueLater { [weak self] in self?.release() }
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
