#if Server
    import CZlib
    import Foundation
    import HTTPArchive
    import NIOCore

    /// The frames that a server sends (RFC 6455, section 5, https://www.rfc-editor.org/rfc/rfc6455#section-5).
    struct WebSocketFrame {
        private(set) var opcode: UInt8
        private(set) var content: Data
        var isCompressed = false

        /// Whether no further fragment of the message follows.
        private(set) var isLast = true

        /// The maximum size of a fragment, in bytes.
        private static let fragmentSize = 1 << 16

        /// The code that stands for a close frame without a code.
        static let noCode = 1005

        /// Returns whether a frame may contain a close code (RFC 6455, section 7.4).
        static func isValid(closeCode code: Int) -> Bool {
            1000...1003 ~= code || 1007...1014 ~= code || 3000...4999 ~= code
        }

        /// The message; nil for a pong.
        var message: WebSocketMessage? {
            switch opcode {
            case 1: return .text(String(decoding: content, as: UTF8.self))
            case 2: return .binary(content)
            case 9: return .ping(content)
            case 8:
                guard content.count >= 2 else { return .close(code: Self.noCode) }
                let bytes = [UInt8](content)
                return .close(
                    code: Int(bytes[0]) << 8 | Int(bytes[1]), reason: String(decoding: bytes[2...], as: UTF8.self))
            default: return nil
            }
        }

        /// Creates a frame with a message.
        ///
        /// The reason of a close frame is shortened to 123 bytes. An invalid code is left out.
        init(_ message: WebSocketMessage) {
            switch message {
            case .text(let text): self.init(opcode: 1, content: Data(text.utf8))
            case .binary(let data): self.init(opcode: 2, content: data)
            case .ping(let data): self.init(opcode: 9, content: data.prefix(125))
            case .close(let code, let reason):
                var text = reason[...]
                while text.utf8.count > 123 { text.removeLast() }
                let content = [UInt8(code >> 8 & 0xFF), UInt8(code & 0xFF)] + text.utf8
                self.init(opcode: 8, content: Self.isValid(closeCode: code) ? Data(content) : Data())
            }
        }

        /// Creates a frame.
        init(opcode: UInt8, content: Data) {
            self.opcode = opcode
            self.content = content
        }

        /// The bytes of the frame, which is not masked.
        var bytes: ByteBuffer {
            var buffer = ByteBuffer()
            buffer.reserveCapacity(content.count + 10)
            buffer.writeInteger((isLast ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode)
            if content.count < 126 {
                buffer.writeInteger(UInt8(content.count))
            } else if let size = UInt16(exactly: content.count) {
                buffer.writeInteger(UInt8(126))
                buffer.writeInteger(size)
            } else {
                buffer.writeInteger(UInt8(127))
                buffer.writeInteger(UInt64(content.count))
            }
            buffer.writeBytes(content)
            return buffer
        }

        /// Splits a message that is sent in parts, between which other frames can be sent
        /// (RFC 6455, section 5.4, https://www.rfc-editor.org/rfc/rfc6455#section-5.4).
        ///
        /// - Returns: The first fragment, and the rest of the message, or nil if it is small.
        func split() -> (first: WebSocketFrame, rest: WebSocketFrame?) {
            guard content.count > Self.fragmentSize else { return (self, nil) }
            var (first, rest) = (self, self)
            first.content = content.prefix(Self.fragmentSize)
            first.isLast = false
            rest.content = content.dropFirst(Self.fragmentSize)
            (rest.opcode, rest.isCompressed) = (0, false)
            return (first, rest)
        }
    }

    /// The compression of messages by a server (RFC 7692, https://www.rfc-editor.org/rfc/rfc7692).
    ///
    /// Messages do not refer to earlier ones, so an idle connection needs no memory for them.
    struct WebSocketCompression {
        /// The value of `Sec-WebSocket-Extensions` in the response.
        let field: String

        /// The size of the window, as a power of two.
        private let windowBits: Int32

        /// Selects the first acceptable offer of a client, or returns nil if none is acceptable.
        ///
        /// - Parameter offers: The values of `Sec-WebSocket-Extensions` in the request.
        init?(offers: [String]) {
            let offers = offers.flatMap { $0.split(separator: ",") }.map { FieldParameters(String($0)) }
            let sizes = offers.lazy.compactMap { offer -> (bits: Int32, isNamed: Bool)? in
                guard offer.value.lowercased() == "permessage-deflate" else { return nil }
                guard let text = offer.parameters["server_max_window_bits"] else { return (15, false) }
                // zlib does not support a window of 256 bytes.
                return Int32(text).flatMap { 9...15 ~= $0 ? ($0, true) : nil }
            }
            guard let size = sizes.first else { return nil }
            // A small window needs less memory.
            windowBits = min(size.bits, 12)
            field = """
                permessage-deflate; server_no_context_takeover; client_no_context_takeover\
                \(size.isNamed ? "; server_max_window_bits=\(size.bits)" : "")
                """
        }

        /// Returns a compressed frame, or the same frame if it is a control frame or cannot be compressed.
        func compressed(_ frame: WebSocketFrame) -> WebSocketFrame {
            guard frame.opcode < 8 else { return frame }
            var stream = z_stream()
            let isReady = deflateInit2_(
                &stream, 6, Z_DEFLATED, -windowBits, 5, Z_DEFAULT_STRATEGY, zlibVersion(),
                Int32(MemoryLayout<z_stream>.size))
            guard isReady == Z_OK, let size = UInt32(exactly: frame.content.count) else { return frame }
            defer { deflateEnd(&stream) }
            var input = [UInt8](frame.content)
            var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(size))) + 16)
            let count = input.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output -> Int? in
                    stream.next_in = input.baseAddress
                    stream.avail_in = size
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(clamping: output.count)
                    guard deflate(&stream, Z_SYNC_FLUSH) == Z_OK, stream.avail_in == 0, stream.avail_out > 0 else {
                        return nil
                    }
                    // RFC 7692, section 7.2.1: the last four bytes, 00 00 FF FF, are left out.
                    return output.count - Int(stream.avail_out) - 4
                }
            }
            guard let count, count >= 0 else { return frame }
            var result = WebSocketFrame(opcode: frame.opcode, content: Data(output[..<count]))
            result.isCompressed = true
            return result
        }
    }
#endif
