import CBrotli
import HTTPArchive

/// Brotli (RFC 7932, https://www.rfc-editor.org/rfc/rfc7932), which has no signature and is recognized by name.
struct BrotliFormat: CompressionFormat {
    let name = "Brotli"
    let fileExtension = "br"

    func recognizes(_ start: UnsafeRawBufferPointer, fileName: String) -> Bool {
        // A stream that begins with this byte is empty, so the file is JSON with a misleading name.
        fileName.lowercased().hasSuffix(".br") && start.first != UInt8(ascii: "{")
    }

    func decompressor(of source: CompressedSource) -> any Decompressor { BrotliDecompressor(source) }

    func compressor(fileName: String) -> any Compressor { BrotliCompressor() }
}

/// Decompresses a Brotli stream from start to end.
private final class BrotliDecompressor: Decompressor, @unchecked Sendable {
    private let source: CompressedSource
    private let state = BrotliDecoderCreateInstance(nil, nil, nil)
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    /// The part of the input that was not decompressed yet.
    private var rest: UnsafeRawBufferPointer

    private var result = BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT

    init(_ source: CompressedSource) {
        self.source = source
        rest = UnsafeRawBufferPointer(rebasing: input[..<0])
    }

    deinit {
        BrotliDecoderDestroyInstance(state)
        input.deallocate()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        var available = buffer.count
        var output = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        while result != BROTLI_DECODER_RESULT_SUCCESS, available == buffer.count {
            if rest.isEmpty, result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT {
                let count = try source.read(into: input)
                guard count > 0 else { throw source.failure("Brotli", "is truncated") }
                rest = UnsafeRawBufferPointer(rebasing: input[..<count])
            }
            var count = rest.count
            var next = rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
            result = BrotliDecoderDecompressStream(state, &count, &next, &available, &output, nil)
            rest = UnsafeRawBufferPointer(rebasing: rest.suffix(count))
            if result == BROTLI_DECODER_RESULT_ERROR { throw source.failure("Brotli", "is damaged") }
        }
        try source.addDecompressed(buffer.count - available)
        return buffer.count - available
    }
}

/// Compresses a file from start to end.
private final class BrotliCompressor: Compressor {
    /// The quality that compresses JSON about as fast as gzip.
    private static let quality: UInt32 = 5

    private let state = BrotliEncoderCreateInstance(nil, nil, nil)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    init() {
        BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, Self.quality)
    }

    deinit {
        BrotliEncoderDestroyInstance(state)
        buffer.deallocate()
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, to write: (UnsafeRawBufferPointer) throws(HARError) -> Void
    ) throws(HARError) {
        let operation = isLast ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS
        var count = bytes.count
        var next = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        repeat {
            var available = buffer.count
            var output = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard BrotliEncoderCompressStream(state, operation, &count, &next, &available, &output, nil) != 0 else {
                throw HARError(.unwritableFile, "The file cannot be compressed: not enough memory.")
            }
            let compressed = UnsafeRawBufferPointer(rebasing: buffer[..<(buffer.count - available)])
            if !compressed.isEmpty { try write(compressed) }
        } while count > 0 || BrotliEncoderHasMoreOutput(state) != 0 || isLast && BrotliEncoderIsFinished(state) == 0
    }
}
