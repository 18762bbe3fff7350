import CPlatform
import HTTPArchive

/// Decompresses xz with liblzma, which libarchive loads.
///
/// libarchive decompresses 64 KiB at once, and discards them if the file ends before.
final class XZDecompressor: Decompressor, @unchecked Sendable {
    private static let inputSize = 1 << 16

    private let source: CompressedSource
    private let handle: OpaquePointer
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 16)

    /// The part of the input that was not decompressed yet.
    private var rest = UnsafeRawBufferPointer(start: nil, count: 0)

    private var isAtEnd = false
    private var status = xz_continues

    /// Creates a decompressor, or returns nil if liblzma is not available.
    init?(_ source: CompressedSource) {
        guard let handle = xz_create() else { return nil }
        self.source = source
        self.handle = handle
    }

    deinit {
        xz_free(handle)
        input.deallocate()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        guard let output = buffer.baseAddress else { return 0 }
        while status == xz_continues {
            if rest.isEmpty, !isAtEnd {
                rest = UnsafeRawBufferPointer(rebasing: input.prefix(try source.read(into: input)))
                isAtEnd = rest.isEmpty
            }
            var (inputCount, count) = (rest.count, buffer.count)
            status = xz_decompress(handle, rest.baseAddress, &inputCount, isAtEnd ? 1 : 0, output, &count)
            rest = UnsafeRawBufferPointer(rebasing: rest.suffix(inputCount))
            if count > 0 {
                try source.addDecompressed(count)
                return count
            }
        }
        if status == xz_ends { return 0 }
        throw source.failure("xz", status == xz_is_truncated ? "is truncated" : "is damaged or truncated")
    }
}
