import HTTPArchive

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Decompresses xz with liblzma, which libarchive loads.
///
/// libarchive decompresses 64 KiB at once, and discards them if the file ends before.
final class XZDecompressor: Decompressor, @unchecked Sendable {
    /// The functions of liblzma (https://tukaani.org/xz/).
    private struct Library {
        let begin: @convention(c) (UnsafeMutableRawPointer?, UInt64, UInt32) -> Int32
        let code: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32
        let end: @convention(c) (UnsafeMutableRawPointer?) -> Void

        /// The functions, or nil if liblzma is not a shared library of this process.
        static let loaded: Library? = {
            guard let begin = symbol("lzma_stream_decoder"), let code = symbol("lzma_code"),
                let end = symbol("lzma_end")
            else { return nil }
            return Library(
                begin: unsafeBitCast(
                    begin, to: (@convention(c) (UnsafeMutableRawPointer?, UInt64, UInt32) -> Int32).self),
                code: unsafeBitCast(code, to: (@convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32).self),
                end: unsafeBitCast(end, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self))
        }()

        private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
            guard let program = dlopen(nil, RTLD_LAZY) else { return nil }
            defer { dlclose(program) }
            return dlsym(program, name)
        }
    }

    /// The constants of `lzma_ret` and `lzma_action`.
    private enum Code {
        static let success: Int32 = 0
        static let streamEnd: Int32 = 1
        static let noProgress: Int32 = 10
        static let run: Int32 = 0
        static let finish: Int32 = 3

        /// The flag `LZMA_CONCATENATED`.
        static let concatenated: UInt32 = 8
    }

    /// The start of `lzma_stream`, whose layout is part of liblzma's ABI.
    private struct Stream {
        var nextInput: UnsafeRawPointer?
        var inputCount = 0
        var totalInput: UInt64 = 0
        var nextOutput: UnsafeMutableRawPointer?
        var outputCount = 0
    }

    /// The size of the memory for `lzma_stream`, which is larger than the structure.
    private static let streamSize = 256

    private static let inputSize = 1 << 16

    private let source: CompressedSource
    private let library: Library
    private let stream = UnsafeMutableRawBufferPointer.allocate(byteCount: streamSize, alignment: 16)
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 16)
    private var status = Code.success
    private var isAtEnd = false

    /// Creates a decompressor, or returns nil if liblzma is not available.
    init?(_ source: CompressedSource) {
        guard let library = Library.loaded else { return nil }
        self.source = source
        self.library = library
        stream.initializeMemory(as: UInt8.self, repeating: 0)
        status = library.begin(stream.baseAddress, .max, Code.concatenated)
    }

    deinit {
        library.end(stream.baseAddress)
        stream.deallocate()
        input.deallocate()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        guard let fields = stream.baseAddress?.assumingMemoryBound(to: Stream.self), !buffer.isEmpty else { return 0 }
        while status == Code.success || status == Code.noProgress && !isAtEnd {
            if fields.pointee.inputCount == 0, !isAtEnd {
                fields.pointee.inputCount = try source.read(into: input)
                fields.pointee.nextInput = UnsafeRawPointer(input.baseAddress)
                isAtEnd = fields.pointee.inputCount == 0
            }
            fields.pointee.nextOutput = buffer.baseAddress
            fields.pointee.outputCount = buffer.count
            status = library.code(stream.baseAddress, isAtEnd ? Code.finish : Code.run)
            let count = buffer.count - fields.pointee.outputCount
            if count > 0 {
                try source.addDecompressed(count)
                return count
            }
        }
        if status == Code.streamEnd { return 0 }
        throw source.failure("xz", status == Code.noProgress ? "is truncated" : "is damaged or truncated")
    }
}
