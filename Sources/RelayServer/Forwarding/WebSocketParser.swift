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
        ///
        /// Nothing is read after a larger message.
        private static let limit = 16 << 20

        private var isStopped = false

        /// Prepares a parser.
        ///
        /// - Parameter extensions: The value of `Sec-WebSocket-Extensions` in the response.
        init(extensions: String) {
            inflater = extensions.lowercased().contains("permessage-deflate") ? WebSocketInflater() : nil
        }

        /// Reads bytes, and passes complete messages to a closure.
        mutating func feed(_ bytes: ByteBuffer, _ found: (_ opcode: Int, _ content: Data) -> Void) {
            guard !isStopped else { return }
            buffer.writeImmutableBuffer(bytes)
            while let (first, content) = nextFrame() {
                let opcode = Int(first & 0xF)
                let isLast = first & 0x80 != 0
                guard opcode < 8 else {
                    found(opcode, content)
                    continue
                }
                if opcode != 0 { message = (opcode, first & 0x40 != 0, Data()) }
                message?.content.append(content)
                guard (message?.content.count ?? 0) <= Self.limit else { return isStopped = true }
                guard isLast, let complete = message else { continue }
                message = nil
                let isInflated = complete.isCompressed && inflater != nil
                let data = isInflated ? inflater?.inflate(complete.content, limit: Self.limit) : complete.content
                guard let data else { return isStopped = true }
                found(complete.opcode, data)
            }
        }

        /// Returns the first byte and the unmasked content of the next complete frame.
        private mutating func nextFrame() -> (UInt8, Data)? {
            var rest = buffer
            guard let first = rest.readInteger(as: UInt8.self), let second = rest.readInteger(as: UInt8.self) else {
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
            guard size <= UInt64(Self.limit) else {
                isStopped = true
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
