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

/// The hash XXH64 with the seed 0, which is the checksum of Zstandard (RFC 8878, section 3.1.1).
///
/// Source: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
struct XXHash64 {
    private static let primes: [UInt64] = [
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5,
    ]

    private static let (p1, p2, p3, p4, p5) = (primes[0], primes[1], primes[2], primes[3], primes[4])

    private static let stripeSize = 32

    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (Self.p1 &+ Self.p2, Self.p2, 0, 0 &- Self.p1)

    /// The bytes after the last complete stripe.
    private var rest: [UInt8] = []

    private var count: UInt64 = 0

    /// Adds bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var bytes = bytes
        if !rest.isEmpty {
            let needed = min(Self.stripeSize - rest.count, bytes.count)
            rest += bytes[..<needed]
            bytes = UnsafeRawBufferPointer(rebasing: bytes[needed...])
            guard rest.count == Self.stripeSize else { return }
            let stripe = rest
            stripe.withUnsafeBytes { addStripe($0, at: 0) }
            rest = []
        }
        var offset = 0
        while offset + Self.stripeSize <= bytes.count {
            addStripe(bytes, at: offset)
            offset += Self.stripeSize
        }
        rest += bytes[offset...]
    }

    private mutating func addStripe(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        lanes.0 = Self.round(lanes.0, Self.word(bytes, offset))
        lanes.1 = Self.round(lanes.1, Self.word(bytes, offset + 8))
        lanes.2 = Self.round(lanes.2, Self.word(bytes, offset + 16))
        lanes.3 = Self.round(lanes.3, Self.word(bytes, offset + 24))
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* p2, 31) &* p1
    }

    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 { value << count | value >> (64 - count) }

    /// The hash of the bytes so far.
    var value: UInt64 {
        var hash: UInt64
        if count >= UInt64(Self.stripeSize) {
            hash =
                Self.rotate(lanes.0, 1) &+ Self.rotate(lanes.1, 7) &+ Self.rotate(lanes.2, 12)
                &+ Self.rotate(lanes.3, 18)
            for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
                hash = (hash ^ Self.round(0, lane)) &* Self.p1 &+ Self.p4
            }
        } else {
            hash = Self.p5
        }
        hash &+= count
        rest.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                hash = Self.rotate(hash ^ Self.round(0, Self.word(bytes, offset)), 27) &* Self.p1 &+ Self.p4
                offset += 8
            }
            if offset + 4 <= bytes.count {
                let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                hash = Self.rotate(hash ^ UInt64(word) &* Self.p1, 23) &* Self.p2 &+ Self.p3
                offset += 4
            }
            for byte in bytes[offset...] { hash = Self.rotate(hash ^ UInt64(byte) &* Self.p5, 11) &* Self.p1 }
        }
        hash = (hash ^ hash >> 33) &* Self.p2
        hash = (hash ^ hash >> 29) &* Self.p3
        return hash ^ hash >> 32
    }
}
