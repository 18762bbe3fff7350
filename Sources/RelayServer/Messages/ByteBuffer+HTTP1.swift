#if Server
    import NIOCore
    import RelayCore

    extension ByteBuffer {
        /// Writes valid header fields for HTTP/1.
        mutating func write(_ fields: [HeaderField]) {
            for field in fields {
                writeString(field.name)
                writeStaticString(": ")
                writeString(field.value)
                writeStaticString("\r\n")
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
