import CZlib

/// Content decompressed from DEFLATE data in gzip format (RFC 1952, https://www.rfc-editor.org/rfc/rfc1952), in zlib
/// format (RFC 1950, https://www.rfc-editor.org/rfc/rfc1950) or without a wrapper.
struct CompressedBytes {
    /// The decompressed content.
    let content: [UInt8]

    private let format: Deflate.Format

    /// The maximum size of the content, in bytes.
    static let sizeLimit = 1 << 26

    /// Decompresses bytes.
    ///
    /// Returns nil if the format is unknown, the data is invalid or the content is too large.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - mayBeRaw: Whether to accept data without a wrapper; `false` by default.
    init?(_ bytes: [UInt8], mayBeRaw: Bool = false) {
        var budget = Self.sizeLimit
        guard let result = try? CompressedBytes(bytes, mayBeRaw: mayBeRaw, budget: &budget) else { return nil }
        self = result
    }

    /// Decompresses bytes within a budget that several calls share.
    ///
    /// Returns nil if the format is unknown or the data is invalid.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - mayBeRaw: Whether to accept data without a wrapper.
    ///   - budget: The maximum size of the content, in bytes. This initializer subtracts the number of bytes that it
    ///     decompressed.
    /// - Throws: `limitExceeded` if the content is larger than the rest of the budget.
    init?(_ bytes: [UInt8], mayBeRaw: Bool, budget: inout Int) throws(HARError) {
        guard let format = Deflate.Format(of: bytes) ?? (mayBeRaw ? .raw : nil), bytes.count > 8 else { return nil }
        let limit = min(Self.sizeLimit, budget)
        var size = 0
        defer { budget -= min(limit, size) }
        guard let content = try Deflate.inflated(bytes[...], format, sizeLimit: limit, size: &size) else { return nil }
        self.content = content
        self.format = format
    }

    /// Compresses new content in the same format.
    ///
    /// Returns nil if memory is exhausted.
    func replacing(content: [UInt8]) -> [UInt8]? { Deflate.deflated(content, format) }
}

/// Compression with DEFLATE (RFC 1951, https://www.rfc-editor.org/rfc/rfc1951).
package enum Deflate {
    /// The wrapper around the compressed data.
    package enum Format: Sendable {
        /// The gzip format (RFC 1952).
        case gzip

        /// The zlib format (RFC 1950).
        case zlib

        /// DEFLATE data without a wrapper (RFC 1951).
        case raw

        /// Detects the wrapper from the first bytes.
        ///
        /// Returns nil if the bytes begin with neither wrapper.
        package init?(of bytes: [UInt8]) {
            guard bytes.count > 2 else { return nil }
            if bytes[0] == 0x1F, bytes[1] == 0x8B, bytes[2] == 8 {
                self = .gzip
            } else if bytes[0] == 0x78, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0, bytes[1] & 0x20 == 0 {
                self = .zlib
            } else {
                return nil
            }
        }

        /// The `windowBits` parameter of zlib, which also selects the wrapper.
        fileprivate var windowBits: Int32 {
            switch self {
            case .gzip: MAX_WBITS + 16
            case .zlib: MAX_WBITS
            case .raw: -MAX_WBITS
            }
        }
    }

    /// Decompresses data.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - format: The wrapper around the data.
    ///   - sizeLimit: The maximum size of the content in bytes, which prevents small input from exhausting memory.
    ///   - mayHaveTrailer: Whether trailing bytes are ignored instead of making the data invalid; `true` by default.
    /// - Returns: The content, or nil if the data is invalid or truncated.
    /// - Throws: `limitExceeded` if the content is larger than the limit.
    package static func inflated(
        _ data: ArraySlice<UInt8>, _ format: Format, sizeLimit: Int, mayHaveTrailer: Bool = true
    ) throws(HARError) -> [UInt8]? {
        var size = 0
        return try inflated(data, format, sizeLimit: sizeLimit, mayHaveTrailer: mayHaveTrailer, size: &size)
    }

    /// Decompresses data, and returns the number of decompressed bytes even if the data is invalid.
    fileprivate static func inflated(
        _ data: ArraySlice<UInt8>, _ format: Format, sizeLimit: Int, mayHaveTrailer: Bool = true, size: inout Int
    ) throws(HARError) -> [UInt8]? {
        var stream = z_stream()
        let streamSize = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, format.windowBits, ZLIB_VERSION, streamSize) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var input = Array(data)
        var output: [UInt8] = []
        defer { size = output.count }
        var chunk = [UInt8](repeating: 0, count: min(1 << 16, max(1 << 10, input.count * 4)))
        let content: [UInt8]? = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            while true {
                let (status, count) = chunk.withUnsafeMutableBufferPointer { chunk in
                    stream.next_out = chunk.baseAddress
                    stream.avail_out = UInt32(chunk.count)
                    let status = inflate(&stream, Z_NO_FLUSH)
                    return (status, chunk.count - Int(stream.avail_out))
                }
                output += chunk[..<count]
                if output.count > sizeLimit { return nil }
                if status == Z_STREAM_END { return mayHaveTrailer || stream.avail_in == 0 ? output : nil }
                guard status == Z_OK, count > 0 || stream.avail_in > 0 else { return nil }
            }
        }
        if output.count > sizeLimit {
            throw HARError(
                .limitExceeded,
                "The decompressed data is larger than \(sizeLimit) \(sizeLimit == 1 ? "byte" : "bytes").")
        }
        return content
    }

    /// Compresses data.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - format: The wrapper to write. A gzip header contains no time or file name.
    /// - Returns: The compressed data, or nil if memory is exhausted.
    static func deflated(_ data: [UInt8], _ format: Format) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        let status = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, format.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard status == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = data
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(data.count))))
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output -> Int? in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(clamping: output.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.avail_out) : nil
            }
        }
        return count.map { Array(output[..<$0]) }
    }
}
