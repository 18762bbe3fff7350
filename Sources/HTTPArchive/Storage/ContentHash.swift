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
        var place = 0
        while place &+ Self.blockSize <= bytes.count {
            addBlock(UnsafeRawBufferPointer(rebasing: bytes[place..<place &+ Self.blockSize]))
            place &+= Self.blockSize
        }
        if place < bytes.count {
            let last = [UInt8](bytes[place...]) + [UInt8](repeating: 0, count: Self.blockSize - (bytes.count - place))
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
