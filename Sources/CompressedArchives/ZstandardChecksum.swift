import HTTPArchive

/// Adds a checksum of the content to a Zstandard frame (RFC 8878, section 3.1.1), which libarchive does not write.
final class ZstandardChecksum: Compressor {
    /// The bit of the frame header descriptor that announces the checksum.
    private static let flag: UInt8 = 4

    /// The offset of the frame header descriptor.
    private static let descriptorOffset = 4

    private let compressor: any Compressor
    private var hash = XXHash64()

    /// The number of compressed bytes so far.
    private var count = 0

    /// Whether the compressor began a frame without a checksum.
    private var isMissing = false

    /// Creates a compressor.
    ///
    /// - Parameter compressor: A compressor that writes one frame without a checksum.
    init(_ compressor: any Compressor) {
        self.compressor = compressor
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, to write: (UnsafeRawBufferPointer) throws(HARError) -> Void
    ) throws(HARError) {
        hash.add(bytes)
        try compressor.write(bytes, isLast: isLast) { (part: UnsafeRawBufferPointer) throws(HARError) in
            let offset = Self.descriptorOffset - count
            count += part.count
            guard part.indices.contains(offset) else { return try write(part) }
            var copy = Array(part)
            isMissing = copy[offset] & Self.flag == 0
            copy[offset] |= Self.flag
            try Self.pass(copy, to: write)
        }
        guard isLast, isMissing else { return }
        try Self.pass(withUnsafeBytes(of: UInt32(truncatingIfNeeded: hash.value).littleEndian, Array.init), to: write)
    }

    private static func pass(
        _ bytes: [UInt8], to write: (UnsafeRawBufferPointer) throws(HARError) -> Void
    ) throws(HARError) {
        try bytes.withUnsafeBytes { bytes in Result { () throws(HARError) in try write(bytes) } }.get()
    }
}
