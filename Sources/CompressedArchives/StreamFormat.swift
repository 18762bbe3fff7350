import CArchive
import CLzma
import HTTPArchive

/// A format that compresses a single stream and is implemented by libarchive.
struct StreamFormat: CompressionFormat {
    let name: String
    let fileExtension: String
    private let signature: [UInt8]
    private let enableReading: @Sendable (OpaquePointer?) -> Int32
    private let enableWriting: @Sendable (OpaquePointer?) -> Int32

    /// Zstandard (RFC 8878, https://www.rfc-editor.org/rfc/rfc8878).
    static let zstandard = StreamFormat(
        name: "Zstandard", fileExtension: "zst", signature: [0x28, 0xB5, 0x2F, 0xFD],
        enableReading: { archive_read_support_filter_zstd($0) }, enableWriting: { archive_write_add_filter_zstd($0) })

    /// The format xz (https://tukaani.org/xz/xz-file-format.txt).
    static let xz = StreamFormat(
        name: "xz", fileExtension: "xz", signature: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0],
        enableReading: { archive_read_support_filter_xz($0) }, enableWriting: { archive_write_add_filter_xz($0) })

    /// The format bzip2 (https://sourceware.org/bzip2/).
    static let bzip2 = StreamFormat(
        name: "bzip2", fileExtension: "bz2", signature: [0x42, 0x5A, 0x68],
        enableReading: { archive_read_support_filter_bzip2($0) }, enableWriting: { archive_write_add_filter_bzip2($0) })

    /// The frame format of LZ4 (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md).
    static let lz4 = StreamFormat(
        name: "LZ4", fileExtension: "lz4", signature: [0x04, 0x22, 0x4D, 0x18],
        enableReading: { archive_read_support_filter_lz4($0) },
        enableWriting: {
            let status = archive_write_add_filter_lz4($0)
            // Blocks of 64 KiB, because only complete blocks of a truncated file can be read.
            return status == ARCHIVE_OK ? archive_write_set_filter_option($0, "lz4", "block-size", "4") : status
        })

    func recognizes(_ start: UnsafeRawBufferPointer, fileName: String) -> Bool {
        start.starts(with: signature) || isFramed && ZstandardFrames.isSkippable(start)
    }

    /// Whether this is Zstandard.
    private var isFramed: Bool { fileExtension == Self.zstandard.fileExtension }

    func decompressor(of source: CompressedSource) -> any Decompressor {
        fileExtension == Self.xz.fileExtension ? XZDecompressor(source) : StreamDecompressor(source, self)
    }

    func compressor(fileName: String) -> any Compressor {
        let writer = ArchiveWriter(member: nil) {
            enableWriting($0) == ARCHIVE_OK && archive_write_set_format_raw($0) == ARCHIVE_OK
        }
        return isFramed ? ZstandardChecksum(writer) : writer
    }

    /// Decompresses a stream from start to end.
    private final class StreamDecompressor: Decompressor, @unchecked Sendable {
        private let reader: ArchiveReader
        private let enableReading: @Sendable (OpaquePointer?) -> Int32
        private var isOpen = false

        init(_ source: CompressedSource, _ format: StreamFormat) {
            reader = ArchiveReader(
                source, format: format.name, frames: format.isFramed ? ZstandardFrames() : nil)
            enableReading = format.enableReading
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
            if !isOpen {
                // libarchive returns a warning if it would have to run a program to decompress the data.
                try reader.open { enableReading($0) == ARCHIVE_OK && archive_read_support_format_raw($0) == ARCHIVE_OK }
                isOpen = true
                guard try reader.nextMember() != nil else { return 0 }
            }
            return try reader.read(into: buffer)
        }
    }
}

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
