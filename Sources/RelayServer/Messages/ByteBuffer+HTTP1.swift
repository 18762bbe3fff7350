#if Server
    import HTTPArchive
    import NIOCore
    import RelayCore

    extension ByteBuffer {
        /// Writes valid header fields for HTTP/1.
        mutating func write(_ fields: [HeaderField]) {
            let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
            writeWithUnsafeMutableBytes(minimumWritableBytes: size) { room in
                var end = 0
                func add(_ text: String) {
                    text.withUTF8Bytes { UnsafeMutableRawBufferPointer(rebasing: room[end...]).copyMemory(from: $0) }
                    end += text.utf8.count
                }
                for field in fields {
                    add(field.name)
                    add(": ")
                    add(field.value)
                    add("\r\n")
                }
                return end
            }
        }

        /// Writes a chunk of a body (https://www.rfc-editor.org/rfc/rfc9112#section-7.1), unless it is empty, because an
        /// empty chunk ends the body.
        mutating func writeChunk(_ bytes: ByteBuffer) {
            guard bytes.readableBytes > 0 else { return }
            writeString("\(String(bytes.readableBytes, radix: 16))\r\n")
            writeImmutableBuffer(bytes)
            writeStaticString("\r\n")
        }

        /// Writes the last chunk, and the header fields after the body.
        mutating func writeLastChunk(trailers: [HeaderField] = []) {
            writeStaticString("0\r\n")
            write(trailers)
            writeStaticString("\r\n")
        }
    }
#endif
