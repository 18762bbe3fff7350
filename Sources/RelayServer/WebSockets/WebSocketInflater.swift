#if Server
    import CZlib
    import Foundation

    /// Decompresses the messages of one direction, which can refer to earlier messages (RFC 7692, section 7.2.2,
    /// https://www.rfc-editor.org/rfc/rfc7692#section-7.2.2).
    ///
    /// Its owner uses it on one thread at a time: a connection handles no other message while a queue decompresses one.
    final class WebSocketInflater: @unchecked Sendable {
        /// The state of a message.
        enum Progress: Equatable {
            case complete(Data)

            /// The content is larger than the size after which decompression stops.
            case incomplete
            case invalid
        }

        private var stream = z_stream()
        private let isReady: Bool

        /// The rest of the compressed message.
        private var input: ArraySlice<UInt8> = []

        /// The decompressed part of the message.
        private var content = Data()

        /// The size of the parts that are decompressed, in bytes.
        private static let partSize = 1 << 13

        /// Prepares a stream without earlier messages.
        init() {
            isReady = inflateInit2_(&stream, -15, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
        }

        deinit { if isReady { inflateEnd(&stream) } }

        /// Begins a message.
        ///
        /// - Parameter data: The compressed message.
        func begin(_ data: Data) {
            input = ([UInt8](data) + [0, 0, 0xFF, 0xFF])[...]
            content = Data()
        }

        /// Continues the message.
        ///
        /// - Parameter limit: The maximum size of the content, in bytes. If it is larger, decompression can continue with
        ///   a larger limit.
        /// - Returns: The state of the message.
        func inflate(upTo limit: Int) -> Progress {
            guard isReady else { return .invalid }
            var part = [UInt8](repeating: 0, count: Self.partSize)
            while content.count <= limit {
                let (status, count) = next(in: &part)
                content += part[..<count]
                guard status == Z_OK || status == Z_BUF_ERROR else { return .invalid }
                // Room in the part means that all input was decompressed.
                guard count == part.count || content.count > limit else {
                    defer { (input, content) = ([], Data()) }
                    return .complete(content)
                }
            }
            return .incomplete
        }

        /// Decompresses the next part, and returns the status of zlib and the size of the part.
        private func next(in part: inout [UInt8]) -> (status: Int32, count: Int) {
            let size = part.count
            let (status, read, rest) = input.withUnsafeMutableBufferPointer { input in
                part.withUnsafeMutableBufferPointer { part in
                    stream.next_in = input.baseAddress
                    stream.avail_in = UInt32(input.count)
                    stream.next_out = part.baseAddress
                    stream.avail_out = UInt32(part.count)
                    let status = CZlib.inflate(&stream, Z_SYNC_FLUSH)
                    return (status, input.count - Int(stream.avail_in), Int(stream.avail_out))
                }
            }
            input = input.dropFirst(read)
            return (status, size - rest)
        }
    }
#endif
