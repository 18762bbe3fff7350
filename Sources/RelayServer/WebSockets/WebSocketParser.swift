#if Server
    import CZlib
    import Foundation
    import NIOCore

    /// Reads the messages of one direction of a WebSocket connection (RFC 6455, section 5,
    /// https://www.rfc-editor.org/rfc/rfc6455#section-5).
    struct WebSocketParser {
        /// The bytes of an incomplete frame.
        private var buffer = ByteBuffer()

        /// The opcode and the content of a message whose last frame has not arrived.
        private var message: (opcode: Int, isCompressed: Bool, content: Data)?

        private let inflater: WebSocketInflater?

        /// The maximum size of a message, in bytes.
        private let limit: Int

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
        ///   - limit: The maximum size of a message, in bytes; 16 MB by default.
        init(extensions: String, isMasked: Bool, limit: Int = 16 << 20) {
            inflater = extensions.lowercased().contains("permessage-deflate") ? WebSocketInflater() : nil
            self.isMasked = isMasked
            self.limit = limit
        }

        /// Reads bytes, and passes complete messages to a closure.
        mutating func feed(_ bytes: ByteBuffer, _ found: (_ opcode: Int, _ content: Data) -> Void) {
            guard violation == nil else { return }
            buffer.writeImmutableBuffer(bytes)
            while violation == nil, let (first, content) = nextFrame() {
                let opcode = Int(first & 0xF)
                let isLast = first & 0x80 != 0
                guard opcode < 8 else {
                    found(opcode, content)
                    continue
                }
                guard (opcode == 0) == (message != nil) else { return violation = 1002 }
                if opcode != 0 { message = (opcode, first & 0x40 != 0, Data()) }
                message?.content.append(content)
                guard (message?.content.count ?? 0) <= limit else { return violation = 1009 }
                guard isLast, let complete = message else { continue }
                message = nil
                guard let inflater, complete.isCompressed else {
                    found(complete.opcode, complete.content)
                    continue
                }
                guard let data = inflater.inflate(complete.content, limit: limit) else { return violation = 1009 }
                found(complete.opcode, data)
            }
        }

        /// Returns whether the first two bytes of a frame are valid (RFC 6455, section 5.2; RFC 7692, section 6).
        private func isValid(_ first: UInt8, _ second: UInt8) -> Bool {
            let opcode = first & 0xF
            let isControl = opcode >= 8
            let isCompressed = first & 0x40 != 0
            guard first & 0x30 == 0, second & 0x80 != 0 || !isMasked else { return false }
            guard !isCompressed || inflater != nil && !isControl && opcode != 0 else { return false }
            return isControl ? opcode <= 10 && first & 0x80 != 0 && second & 0x7F < 126 : opcode <= 2
        }

        /// Returns the first byte and the unmasked content of the next complete frame.
        private mutating func nextFrame() -> (UInt8, Data)? {
            var rest = buffer
            guard let first = rest.readInteger(as: UInt8.self), let second = rest.readInteger(as: UInt8.self) else {
                return nil
            }
            guard isValid(first, second) else {
                violation = 1002
                return nil
            }
            var size = UInt64(second & 0x7F)
            if size == 126 {
                guard let length = rest.readInteger(as: UInt16.self) else { return nil }
                size = UInt64(length)
            } else if size == 127 {
                guard let length = rest.readInteger(as: UInt64.self) else { return nil }
                size = length
            }
            guard size <= UInt64(limit) else {
                violation = 1009
                return nil
            }
            var key: [UInt8] = []
            if second & 0x80 != 0 {
                guard let bytes = rest.readBytes(length: 4) else { return nil }
                key = bytes
            }
            guard var content = rest.readBytes(length: Int(size)) else { return nil }
            if !key.isEmpty {
                for index in content.indices { content[index] ^= key[index & 3] }
            }
            buffer = rest
            buffer.discardReadBytes()
            return (first, Data(content))
        }
    }

    /// Decompresses the messages of one direction, which can refer to earlier messages (RFC 7692, section 7.2.2,
    /// https://www.rfc-editor.org/rfc/rfc7692#section-7.2.2).
    final class WebSocketInflater {
        private var stream = z_stream()
        private let isReady: Bool

        /// Prepares a stream without earlier messages.
        init() {
            isReady = inflateInit2_(&stream, -15, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
        }

        deinit { if isReady { inflateEnd(&stream) } }

        /// Returns the content of a compressed message, or nil if it is invalid or larger than a limit.
        func inflate(_ data: Data, limit: Int) -> Data? {
            guard isReady else { return nil }
            var input = [UInt8](data) + [0, 0, 0xFF, 0xFF]
            var content = Data()
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            return input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                repeat {
                    let (status, rest) = chunk.withUnsafeMutableBufferPointer { chunk in
                        stream.next_out = chunk.baseAddress
                        stream.avail_out = UInt32(chunk.count)
                        return (CZlib.inflate(&stream, Z_SYNC_FLUSH), Int(stream.avail_out))
                    }
                    content += chunk[..<(chunk.count - rest)]
                    guard status == Z_OK || status == Z_BUF_ERROR, content.count <= limit else { return nil }
                } while stream.avail_out == 0
                return content
            }
        }
    }
#endif
