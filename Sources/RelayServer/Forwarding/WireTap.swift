#if Server
    import NIOCore

    /// Sends and counts the bytes of an HTTP/1 connection above TLS, and keeps the heads of responses as they were
    /// received.
    ///
    /// The decoder loses reason phrases and bytes that are not UTF-8.
    final class WireTap: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var context: ChannelHandlerContext?

        /// The numbers of bytes since the last call of ``reset()``.
        private(set) var received = 0
        private(set) var sent = 0

        /// The time of the first received byte.
        private(set) var firstByte: NIODeadline?

        /// The bytes of heads that were not taken, or nil while a body is being received.
        private var head: ByteBuffer? = ByteBuffer()

        /// The maximum size of a head, in bytes.
        static let limit = 1 << 20

        /// Prepares the next exchange.
        func reset() {
            (received, sent, firstByte, head) = (0, 0, nil, ByteBuffer())
        }

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        /// Returns the next head, which the decoder has decoded.
        ///
        /// - Parameter isLast: Whether a body follows, and not another head.
        /// - Returns: The bytes, including the empty line; empty if the head is incomplete.
        func takeHead(isLast: Bool) -> [UInt8] {
            guard var bytes = head, let size = bytes.withUnsafeReadableBytes(Self.headSize) else { return [] }
            let taken = bytes.readBytes(length: size) ?? []
            head = isLast ? nil : bytes
            return taken
        }

        /// Returns the size of a head with its empty line, or nil if it is incomplete.
        private static func headSize(_ text: UnsafeRawBufferPointer) -> Int? {
            var previous: UInt8 = 0
            for offset in 0..<text.count where text[offset] != 0x0D {
                if text[offset] == 0x0A, previous == 0x0A { return offset + 1 }
                previous = text[offset]
            }
            return nil
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            received += bytes.readableBytes
            if firstByte == nil { firstByte = .now() }
            if let size = head?.readableBytes, size < Self.limit {
                // Most heads arrive as a whole, and need no copy.
                if size == 0 { head = bytes } else { head?.writeImmutableBuffer(bytes) }
            }
            context.fireChannelRead(data)
        }

        /// Prepares bytes, which ``flush()`` sends.
        func write(_ bytes: ByteBuffer) {
            sent += bytes.readableBytes
            context?.write(wrapOutboundOut(bytes), promise: nil)
        }

        func flush() { context?.flush() }

        /// Calls a closure when all bytes are sent.
        func flush(then end: @escaping () -> Void) {
            context?.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in end() }
        }
    }
#endif
