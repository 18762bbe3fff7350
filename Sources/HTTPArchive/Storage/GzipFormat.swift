import CZlib

/// The format gzip (RFC 1952, https://www.rfc-editor.org/rfc/rfc1952), which is always available.
struct GzipFormat: CompressionFormat {
    let name = "gzip"
    let fileExtension = "gz"

    func recognizes(_ start: UnsafeRawBufferPointer, fileName: String) -> Bool {
        start.starts(with: GzipReader.signature)
    }

    func decompressor(of source: CompressedSource) -> any Decompressor { GzipReader(source) }

    func compressor(fileName: String) -> any Compressor { GzipWriter() }
}

/// Decompresses a gzip file from start to end.
///
/// A file can consist of several members, as written by `gzip` in append mode and by parallel compressors. Bytes after
/// the last member that do not begin a new member are ignored.
final class GzipReader: Decompressor, @unchecked Sendable {
    /// The first bytes of a gzip file: the signature and the compression method.
    static let signature: [UInt8] = [0x1F, 0x8B, 8]

    /// The maximum number of compressed bytes that are read at once.
    private static let inputSize = 1 << 17

    private let source: CompressedSource
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 16)

    /// Whether the last member is complete, and a new one can begin.
    private var isBetweenMembers = false

    private var isAtEnd = false

    /// Whether the data is damaged after the bytes that were decompressed.
    private var isDamaged = false

    /// Creates a reader.
    ///
    /// - Parameter source: The compressed file.
    init(_ source: CompressedSource) {
        self.source = source
        stream.initialize(to: z_stream())
        // Initialization fails only if memory is exhausted, and inflate() then returns an error.
        _ = inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// Decompresses the next bytes; see ``Decompressor/read(into:)``.
    ///
    /// For a source that receives chunks, the result 0 means that the next chunk is needed.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(clamping: buffer.count)
        let size = Int(stream.pointee.avail_out)
        while !isAtEnd, !isDamaged, Int(stream.pointee.avail_out) == size {
            if stream.pointee.avail_in == 0 {
                let count = try source.read(into: input)
                stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_in = UInt32(count)
                if count == 0 {
                    if source.isWaiting { break }
                    guard isBetweenMembers else { throw source.failure("gzip", "is truncated") }
                    isAtEnd = true
                    break
                }
            }
            inflateNext()
        }
        let produced = size - Int(stream.pointee.avail_out)
        if isDamaged, produced == 0 { throw damage }
        try source.addDecompressed(produced)
        return produced
    }

    /// Decompresses the next bytes.
    private func inflateNext() {
        if isBetweenMembers {
            guard stream.pointee.next_in.pointee == Self.signature[0], inflateReset(stream) == Z_OK else {
                isAtEnd = true
                return
            }
            isBetweenMembers = false
        }
        switch inflate(stream, Z_NO_FLUSH) {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isBetweenMembers = true
        default: isDamaged = true
        }
    }

    /// The error for damaged data.
    private var damage: HARError {
        let reason = stream.pointee.msg.map { String(cString: $0) }
        let isTrailer = reason == "incorrect data check" || reason == "incorrect length check"
        return isTrailer && isLastMember ? source.checksumFailure("gzip") : source.failure("gzip", "is damaged")
    }

    /// Whether no member follows the trailer, which consists of a checksum and a size of 4 bytes each.
    private var isLastMember: Bool {
        var rest = Int(stream.pointee.avail_in)
        if rest <= 4 { rest += (try? source.read(into: input)) ?? 0 }
        return rest <= 4
    }
}

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
