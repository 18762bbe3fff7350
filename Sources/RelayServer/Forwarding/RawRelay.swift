#if Server
    import NIOCore

    /// One of two connections between which bytes are passed on unchanged.
    final class RawRelay: ChannelDuplexHandler, UpgradedHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var context: ChannelHandlerContext?
        private var partner: RawRelay?
        private let observe: (ByteBuffer) -> Void
        private let end: () -> Void

        /// Whether the connection is being closed, possibly before this handler was added to it.
        private var isClosed = false

        /// Whether a read waits until the partner is ready for more data.
        private var isReadPending = false

        /// The time at which bytes last arrived.
        private(set) var lastRead = NIODeadline.now()

        /// The time at which bytes last arrived on either connection.
        var lastProgress: NIODeadline { max(lastRead, partner?.lastRead ?? lastRead) }

        /// Prepares a connection.
        ///
        /// - Parameters:
        ///   - observe: Receives the bytes that arrive.
        ///   - end: Called when the connection is closed.
        init(observing observe: @escaping (ByteBuffer) -> Void, end: @escaping () -> Void) {
            self.observe = observe
            self.end = end
        }

        // The other end may be silent for any time.
        func checkTime(_: NIODeadline) {}

        /// Connects two connections.
        static func join(_ first: RawRelay, _ second: RawRelay) {
            first.partner = second
            second.partner = first
        }

        /// Closes both connections.
        func close() {
            for relay in [self, partner] {
                relay?.isClosed = true
                relay?.context?.close(promise: nil)
            }
            if context == nil { end() }
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            if isClosed { context.close(promise: nil) }
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
            partner?.closeAfterWriting()
            partner = nil
            end()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            lastRead = .now()
            observe(bytes)
            partner?.context?.write(wrapOutboundOut(bytes), promise: nil)
        }

        func channelReadComplete(context: ChannelHandlerContext) { partner?.context?.flush() }

        func read(context: ChannelHandlerContext) {
            if partner?.context?.channel.isWritable ?? true { context.read() } else { isReadPending = true }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            guard context.channel.isWritable, let partner, partner.isReadPending else { return }
            partner.isReadPending = false
            partner.context?.read()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard let event = event as? ChannelEvent, event == .inputClosed else { return }
            partner?.context?.close(mode: .output, promise: nil)
        }

        /// Closes the connection when the other end has received what was written.
        private func closeAfterWriting() {
            isClosed = true
            guard let channel = context?.channel else { return }
            channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
