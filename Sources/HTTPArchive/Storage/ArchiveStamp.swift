import Foundation

/// The size and modification time of a file, for detecting changes without reading the file.
package struct ArchiveStamp: Hashable {
    /// The size in bytes.
    var size: Int

    /// The modification time, in seconds and nanoseconds since 1970.
    var seconds: Int64
    var nanoseconds: UInt32

    /// The minimum age of a reliable modification time, in seconds: any later change results in a different time.
    ///
    /// The resolution of modification times can be as low as two seconds, so the second of two changes within that
    /// period may go undetected.
    static let settlingTime: TimeInterval = 2

    /// Returns whether a change at `now` or later results in a different modification time.
    ///
    /// A time far in the future, such as one from another computer's clock, is as reliable as a time in the past.
    func isSettled(at now: Date) -> Bool {
        let time = Double(seconds) + Double(nanoseconds) / 1e9
        return abs(now.timeIntervalSince1970 - time) >= Self.settlingTime
    }
}

extension InputFile {
    /// The size of the part at each end of a file that is hashed for the fingerprint, in bytes.
    private static let endSize = 1 << 16

    /// The size of each sample between the ends, in bytes, and the number of samples.
    private static let sampleSize = 1 << 12
    private static let sampleCount = 32

    /// Returns a hash of both ends of the file and of samples in between.
    ///
    /// A file of up to 256 KiB is hashed completely.
    ///
    /// - Parameter size: The size of the file, in bytes.
    /// - Returns: The fingerprint.
    /// - Throws: `unreadableFile`.
    func fingerprint(size: Int) throws(HARError) -> UInt64 {
        var parts = [0..<size]
        if size > 2 * Self.endSize + Self.sampleCount * Self.sampleSize {
            let step = (size - Self.sampleSize) / (Self.sampleCount + 1)
            let samples = (1...Self.sampleCount).map { step * $0..<step * $0 + Self.sampleSize }
            parts = [0..<Self.endSize] + samples + [size - Self.endSize..<size]
        }
        var hash = ContentHash()
        for part in parts { try bytes(in: part).withUnsafeBytes { hash.add($0) } }
        return hash.value
    }
}

/// A 64-bit hash that detects changed content.
///
/// Each of four lanes processes eight bytes at once. Any change within one eight-byte word changes the hash. The hash
/// is not cryptographic: it detects damage and ordinary changes, but not content crafted to have the same hash.
struct ContentHash {
    /// The number of bytes hashed at once; the end of a part is padded with zeros.
    static let blockSize = 32

    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (
        0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1
    )
    private var count: UInt64 = 0

    /// Adds the next part of the content.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset &+ Self.blockSize <= bytes.count {
            addBlock(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset &+ Self.blockSize]))
            offset &+= Self.blockSize
        }
        if offset < bytes.count {
            let last = [UInt8](bytes[offset...]) + [UInt8](repeating: 0, count: Self.blockSize - (bytes.count - offset))
            last.withUnsafeBytes { addBlock($0) }
        }
        count &+= UInt64(bytes.count)
    }

    /// The hash of all parts and of their total size.
    var value: UInt64 {
        var hash = count
        for lane in [lanes.0, lanes.1, lanes.2, lanes.3] { hash = Self.mixed(hash, lane) }
        hash ^= hash >> 32
        return hash &* Self.factor
    }

    @inline(__always)
    private mutating func addBlock(_ bytes: UnsafeRawBufferPointer) {
        lanes.0 = Self.mixed(lanes.0, bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        lanes.1 = Self.mixed(lanes.1, bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        lanes.2 = Self.mixed(lanes.2, bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        lanes.3 = Self.mixed(lanes.3, bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
    }

    /// Combines a hash with a word.
    ///
    /// A change of either the hash or the word alone changes the result.
    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ UInt64(littleEndian: word)) &* factor
        return product << 29 | product >> 35
    }
}
