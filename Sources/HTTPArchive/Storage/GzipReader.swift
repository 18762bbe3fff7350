import CZlib

/// Decompresses a gzip file from start to end (RFC 1952, https://www.rfc-editor.org/rfc/rfc1952).
///
/// A file can consist of several members, as written by `gzip` in append mode and by parallel compressors. Bytes after
/// the last member that do not begin a new member are ignored.
///
/// A reader must not be used by several threads at the same time.
final class GzipReader: @unchecked Sendable {
    /// The first bytes of a gzip file: the signature and the compression method.
    static let signature: [UInt8] = [0x1F, 0x8B, 8]

    /// The maximum number of compressed bytes that are read at once.
    static let inputSize = 1 << 17

    private let name: String
    private let sizeLimit: Int
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 16)
    private var count = 0

    /// Whether the last member is complete, and a new one can begin.
    private var isBetweenMembers = false

    private var isAtEnd = false

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - name: The name of the file in errors.
    ///   - start: The bytes of the file that were already read, at most ``inputSize``.
    ///   - sizeLimit: The maximum size of the decompressed data, in bytes.
    init(name: String, start: UnsafeRawBufferPointer, sizeLimit: Int) {
        self.name = name
        self.sizeLimit = sizeLimit
        stream.initialize(to: z_stream())
        // Initialization fails only if memory is exhausted, and inflate() then returns an error.
        _ = inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        input.copyBytes(from: start)
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(start.count)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// Decompresses the next bytes.
    ///
    /// - Parameters:
    ///   - buffer: The buffer for the decompressed bytes.
    ///   - read: A closure that reads the next compressed bytes into a buffer, and returns their number.
    /// - Returns: The number of decompressed bytes; 0 at the end of the file.
    /// - Throws: `unreadableFile` for invalid or truncated data; `limitExceeded`; the errors of `read`.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        from read: (UnsafeMutableRawBufferPointer) throws(HARError) -> Int
    ) throws(HARError) -> Int {
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(clamping: buffer.count)
        let size = Int(stream.pointee.avail_out)
        while !isAtEnd, Int(stream.pointee.avail_out) == size {
            if stream.pointee.avail_in == 0 {
                let count = try read(input)
                stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_in = UInt32(count)
                if count == 0 {
                    guard isBetweenMembers else { throw failure("is truncated") }
                    isAtEnd = true
                    break
                }
            }
            try inflateNext()
        }
        let produced = size - Int(stream.pointee.avail_out)
        count += produced
        if count > sizeLimit {
            throw HARError(
                .limitExceeded,
                """
                The decompressed archive is larger than \(sizeLimit) bytes. To read it, raise the reader's \
                maximumDecompressedSize or har's --decompressed-limit.
                """, at: .init(file: name))
        }
        return produced
    }

    private func inflateNext() throws(HARError) {
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
        default: throw failure("is damaged")
        }
    }

    private func failure(_ reason: String) -> HARError {
        HARError(
            .unreadableFile,
            "The gzip data \(reason) after \(count) decompressed bytes. Compress or download the archive again.",
            at: .init(file: name))
    }
}
