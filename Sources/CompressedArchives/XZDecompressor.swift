import CLzma
import HTTPArchive

/// Decompresses xz with liblzma.
///
/// libarchive decompresses 64 KiB at once, and discards them if the file ends before.
final class XZDecompressor: Decompressor, @unchecked Sendable {
    private static let inputSize = 1 << 16

    /// The maximum memory of the decompressor, in bytes, as in libarchive.
    private static let memoryLimit: UInt64 = 1 << 30

    private let source: CompressedSource
    private let stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 16)
    private var isAtEnd = false
    private var result = LZMA_OK

    /// Creates a decompressor.
    init(_ source: CompressedSource) {
        self.source = source
        stream.initialize(to: lzma_stream())
        result = lzma_stream_decoder(stream, Self.memoryLimit, clzma_concatenated)
    }

    deinit {
        lzma_end(stream)
        stream.deallocate()
        input.deallocate()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        let output = buffer.bindMemory(to: UInt8.self)
        while result == LZMA_OK {
            if stream.pointee.avail_in == 0, !isAtEnd {
                let count = try source.read(into: input)
                stream.pointee.next_in = UnsafePointer(input.bindMemory(to: UInt8.self).baseAddress)
                stream.pointee.avail_in = count
                isAtEnd = count == 0
            }
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = output.count
            result = lzma_code(stream, isAtEnd ? LZMA_FINISH : LZMA_RUN)
            let count = output.count - stream.pointee.avail_out
            if count > 0 {
                try source.addDecompressed(count)
                return count
            }
        }
        if result == LZMA_STREAM_END { return 0 }
        // No progress is possible without input.
        throw source.failure("xz", result == LZMA_BUF_ERROR ? "is truncated" : "is damaged or truncated")
    }
}
