#if Server
    import NIOCore

    /// Passes on large input in parts, and continues in a later turn after a short time.
    ///
    /// A few kilobytes can contain hundreds of requests, chunks or messages, which take much longer than a part of a body.
    /// The parts therefore become larger only while they take little time.
    final class DividedInput: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = ByteBuffer

        private let turns: WorkTurns
        private let peer: PacedInput.Peer
        private var context: ChannelHandlerContext?

        /// The input that waits for a later turn.
        private var held = ByteBuffer()

        /// The event for the end of the data, if it follows this input.
        private var heldEnd: Any?
        private var isPassing = false
        private var isReadPending = false

        /// The size of the next part, in bytes.
        private var partSize: Int

        /// The range of the sizes of parts, in bytes.
        private let sizes: ClosedRange<Int>

        /// The time in which the next part follows, and does not wait for a later turn.
        private static let passingTime = TimeAmount.microseconds(250)

        /// The time of a part after which the next one can be larger.
        private static let shortTime = TimeAmount.microseconds(100)

        /// Prepares the input of a connection.
        ///
        /// - Parameters:
        ///   - turns: The turns of the event loop.
        ///   - peer: The other end of the connection.
        ///   - smallest: The size of the smallest parts, in bytes; 1 KB by default.
        init(in turns: WorkTurns, from peer: PacedInput.Peer, smallest: Int = 1 << 10) {
            self.turns = turns
            self.peer = peer
            sizes = smallest...1 << 14
            partSize = smallest
        }

        /// Whether more input follows that has already arrived.
        var isWaiting: Bool { held.readableBytes > 0 }

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { (self.context, held) = (nil, ByteBuffer()) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            if isWaiting {
                held.writeBuffer(&bytes)
            } else if bytes.readableBytes <= sizes.lowerBound {
                context.fireChannelRead(data)
            } else {
                held = bytes
                if !isPassing { pass() }
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if isWaiting, event as? ChannelEvent == .inputClosed {
                heldEnd = event
            } else {
                context.fireUserInboundEventTriggered(event)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            // A server can close the connection after its response. The requests of a client that has left are ignored.
            if peer == .server, isWaiting { context.fireChannelRead(wrapInboundOut(held)) }
            held = ByteBuffer()
            context.fireChannelInactive()
        }

        func read(context: ChannelHandlerContext) {
            if isWaiting { isReadPending = true } else { context.read() }
        }

        /// Passes on parts for a short time, and continues in a later turn.
        private func pass() {
            isPassing = true
            let start = NIODeadline.now()
            var now = start
            while isWaiting, now - start < Self.passingTime {
                guard let context, let part = held.readSlice(length: min(held.readableBytes, partSize)) else { break }
                let begin = now
                context.fireChannelRead(wrapInboundOut(part))
                now = .now()
                let isFast = now - begin <= Self.shortTime
                partSize = isFast ? min(2 * partSize, sizes.upperBound) : sizes.lowerBound
            }
            isPassing = false
            guard !isWaiting else {
                return turns.continueLater { [weak self] in
                    self?.pass()
                    self?.context?.fireChannelReadComplete()
                }
            }
            held = ByteBuffer()
            if let heldEnd {
                self.heldEnd = nil
                // The responses so far are sent before the connection can close.
                context?.fireChannelReadComplete()
                context?.fireUserInboundEventTriggered(heldEnd)
            }
            if isReadPending {
                isReadPending = false
                context?.read()
            }
        }
    }
#endif
