#if Server
    import NIOCore

    /// Counts the bytes that the decoder has received without completing a part of a request.
    ///
    /// The decoder limits header fields, but neither the request line nor the extensions of chunks.
    final class ReceivedBytes: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        /// The number of bytes since the last part.
        private(set) var count = 0

        /// The time of the first of these bytes.
        private(set) var start = NIODeadline.now()

        /// The time of the last bytes.
        private(set) var last = NIODeadline.now()

        /// Whether the current bytes are discarded, because the connection is closing.
        var isDiscarding = false

        /// Whether the event for the end of the client's data waits until this handler is removed.
        ///
        /// The decoder would discard the bytes that it has not decoded.
        var isHoldingEnd = false

        private var heldEnd: Any?

        /// Starts counting again after a part.
        func reset() { count = 0 }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isDiscarding else { return }
            last = .now()
            if count == 0 { start = last }
            count += unwrapInboundIn(data).readableBytes
            context.fireChannelRead(data)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard isHoldingEnd, event as? ChannelEvent == .inputClosed else {
                return context.fireUserInboundEventTriggered(event)
            }
            heldEnd = event
        }

        func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
            if let heldEnd { context.fireUserInboundEventTriggered(heldEnd) }
            context.leavePipeline(removalToken: removalToken)
        }
    }
#endif
