#if Server
    import Foundation
    import NIOCore

    /// Reads the messages of one direction of a WebSocket connection (RFC 6455, section 5,
    /// https://www.rfc-editor.org/rfc/rfc6455#section-5).
    struct WebSocketParser {
        /// A complete message, or a control frame.
        struct Message: Sendable {
            let opcode: Int

            /// Whether the content is compressed.
            let isCompressed: Bool
            let content: Data
        }

        /// A frame whose content arrives.
        private struct Frame {
            let first: UInt8

            /// The key that masks the content, or empty for none.
            let key: [UInt8]
            let size: Int
            var content = Data()

            /// Takes the content, and returns whether all of it has arrived.
            mutating func receive(from buffer: inout ByteBuffer) -> Bool {
                let offset = content.count
                var bytes = buffer.readBytes(length: min(size - offset, buffer.readableBytes)) ?? []
                if !key.isEmpty {
                    for index in bytes.indices { bytes[index] ^= key[(offset + index) & 3] }
                }
                content.append(contentsOf: bytes)
                return content.count == size
            }
        }

        /// The bytes that are not parsed yet.
        private var buffer = ByteBuffer()

        /// The frame whose content has not arrived completely, or nil if the next bytes are the head of a frame.
        private var frame: Frame?

        /// The opcode and the content of a message whose last frame has not arrived.
        private var message: (opcode: Int, isCompressed: Bool, content: Data)?

        /// Whether messages can be compressed.
        private let allowsCompression: Bool

        /// The maximum size of a message, in bytes.
        private let limit: Int

        /// The default maximum size of a message, in bytes.
        static let defaultLimit = 16 << 20

        /// Whether frames must be masked, as frames of clients are.
        private let isMasked: Bool

        /// The close code for the first violation of the protocol or the limit, after which nothing is read
        /// (RFC 6455, section 7.4.1), or nil without a violation.
        private(set) var violation: Int?

        /// Prepares a parser.
        ///
        /// - Parameters:
        ///   - extensions: The value of `Sec-WebSocket-Extensions` in the response.
        ///   - isMasked: Whether a client sends the frames.
        ///   - limit: The maximum size of a message before decompression, in bytes; 16 MB by default.
        init(extensions: String, isMasked: Bool, limit: Int = Self.defaultLimit) {
            allowsCompression = extensions.lowercased().contains("permessage-deflate")
            self.isMasked = isMasked
            self.limit = limit
        }

        /// Adds bytes that have arrived.
        mutating func append(_ bytes: ByteBuffer) {
            guard violation == nil else { return }
            // Each byte is moved at most once on average.
            if buffer.readerIndex >= buffer.readableBytes { buffer.discardReadBytes() }
            buffer.writeImmutableBuffer(bytes)
        }

        /// Returns the next message, or nil if it has not arrived completely or violates the protocol.
        mutating func next() -> Message? {
            while let (first, content) = nextFrame() {
                let opcode = Int(first & 0xF)
                let isLast = first & 0x80 != 0
                guard opcode < 8 else { return Message(opcode: opcode, isCompressed: false, content: content) }
                guard (opcode == 0) == (message != nil) else {
                    violation = 1002
                    return nil
                }
                if opcode != 0 {
                    message = (opcode, first & 0x40 != 0, content)
                } else {
                    message?.content.append(content)
                }
                guard (message?.content.count ?? 0) <= limit else {
                    violation = 1009
                    return nil
                }
                guard isLast, let complete = message else { continue }
                message = nil
                return Message(
                    opcode: complete.opcode, isCompressed: complete.isCompressed, content: complete.content)
            }
            return nil
        }

        /// Returns whether the first two bytes of a frame are valid (RFC 6455, section 5.2; RFC 7692, section 6).
        private func isValid(_ first: UInt8, _ second: UInt8) -> Bool {
            let opcode = first & 0xF
            let isControl = opcode >= 8
            let isCompressed = first & 0x40 != 0
            guard first & 0x30 == 0, second & 0x80 != 0 || !isMasked else { return false }
            guard !isCompressed || allowsCompression && !isControl && opcode != 0 else { return false }
            return isControl ? opcode <= 10 && first & 0x80 != 0 && second & 0x7F < 126 : opcode <= 2
        }

        /// Returns the first byte and the unmasked content of the next complete frame.
        private mutating func nextFrame() -> (UInt8, Data)? {
            guard violation == nil else { return nil }
            if frame == nil { frame = nextHead() }
            let isComplete = frame?.receive(from: &buffer) ?? false
            // An idle connection needs no memory.
            if buffer.readableBytes == 0 { buffer = ByteBuffer() }
            guard isComplete, let complete = frame else { return nil }
            frame = nil
            return (complete.first, complete.content)
        }

        /// Returns the next frame without its content, or nil if its head has not arrived completely or is invalid.
        private mutating func nextHead() -> Frame? {
            var index = buffer.readerIndex
            /// Returns the integer at the index, and continues after it.
            func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
                defer { index += MemoryLayout<Value>.size }
                return buffer.getInteger(at: index)
            }
            guard let first = integer(UInt8.self), let second = integer(UInt8.self) else { return nil }
            guard isValid(first, second) else {
                violation = 1002
                return nil
            }
            var size = UInt64(second & 0x7F)
            if size == 126 {
                guard let length = integer(UInt16.self) else { return nil }
                size = UInt64(length)
            } else if size == 127 {
                guard let length = integer(UInt64.self) else { return nil }
                size = length
            }
            guard size <= UInt64(limit) else {
                violation = 1009
                return nil
            }
            var key: [UInt8] = []
            if second & 0x80 != 0 {
                guard let bytes = buffer.getBytes(at: index, length: 4) else { return nil }
                key = bytes
                index += 4
            }
            buffer.moveReaderIndex(to: index)
            return Frame(first: first, key: key, size: Int(size))
        }
    }
#endif
