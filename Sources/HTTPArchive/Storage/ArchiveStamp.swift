import Foundation

/// What tells a file that was changed from one that was not, without a look at what it holds.
struct ArchiveStamp: Hashable {
    /// The size in bytes.
    var size: Int

    /// The time of the last change, since 1970.
    var seconds: Int64
    var nanoseconds: UInt32

    /// For how long a file must have been left alone until its time can be trusted to tell the next change.
    ///
    /// File systems count time in steps of up to two seconds: of two changes within one, the second one does not show.
    static let settlingTime: TimeInterval = 2

    /// Whether the time would tell a change that is made at `now` or later.
    ///
    /// A time that is far ahead, by another computer's clock, is as good as one that is long ago.
    func isSettled(at now: Date) -> Bool {
        let time = Double(seconds) + Double(nanoseconds) / 1e9
        return abs(now.timeIntervalSince1970 - time) >= Self.settlingTime
    }
}

extension InputFile {
    /// How much is looked at for a fingerprint at each end, and at each place between them.
    private static let endSize = 1 << 16
    private static let sampleSize = 1 << 12
    private static let sampleCount = 32

    /// A hash of both ends of the file and of samples between them; of all that it holds, up to 256 KiB.
    ///
    /// - Parameter size: The size of the file.
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

/// A hash of bytes that tells what they are apart from what they were: 64 bits, eight bytes at once in four lanes.
///
/// It finds damage, and content that is another one. It is no protection against somebody who seeks two contents with the
/// same hash. Any change within eight bytes that stand together in a lane's word changes it.
struct ContentHash {
    /// The number of bytes that are taken at once; the last ones of a part are filled up with zeros.
    static let blockSize = 32

    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (
        0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1
    )
    private var count: UInt64 = 0

    /// Takes a part of the bytes.
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

    /// The hash of all parts, and of their size.
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

    /// Another value for each other hash, and for each other word.
    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ UInt64(littleEndian: word)) &* factor
        return product << 29 | product >> 35
    }
}
