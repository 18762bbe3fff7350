import CZlib

/// Compresses a file from start to end in gzip format (RFC 1952, https://www.rfc-editor.org/rfc/rfc1952).
///
/// The header contains no time and no file name, so equal content has an equal compressed form.
final class GzipWriter: Compressor {
    private static let outputSize = 1 << 17

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: outputSize, alignment: 16)
    private let isUsable: Bool

    /// Creates a writer.
    init() {
        stream.initialize(to: z_stream())
        isUsable =
            deflateInit2_(
                stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, to write: (UnsafeRawBufferPointer) throws(HARError) -> Void
    ) throws(HARError) {
        guard isUsable else { throw HARError(.unwritableFile, "The file cannot be compressed: not enough memory.") }
        var rest = bytes[...]
        repeat {
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(UInt32.max)))
            rest = rest.dropFirst(part.count)
            // zlib does not write to its input, but its declaration lacks `const`.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: part.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(part.count)
            repeat {
                stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(output.count)
                _ = deflate(stream, isLast && rest.isEmpty ? Z_FINISH : Z_NO_FLUSH)
                let count = output.count - Int(stream.pointee.avail_out)
                if count > 0 { try write(UnsafeRawBufferPointer(rebasing: output[..<count])) }
            } while stream.pointee.avail_out == 0
        } while !rest.isEmpty
    }
}
