/// Something in a kept index that cannot be; the archive is indexed anew.
struct UnusableIndex: Error {}

/// Takes numbers and texts from the bytes of a kept index, and never more than there are.
struct IndexCursor {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    /// Begins at the first byte.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Whether all bytes were taken.
    var isAtEnd: Bool { place == bytes.count }

    /// Takes bytes, which stay where they are.
    mutating func bytes(_ count: Int) throws(UnusableIndex) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count - place else { throw UnusableIndex() }
        defer { place += count }
        return bytes[from: place, to: place + count]
    }

    /// Takes a number.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(UnusableIndex) -> Number {
        let size = MemoryLayout<Number>.size
        return Number(littleEndian: try bytes(size).loadUnaligned(as: Number.self))
    }

    /// Takes a number that is none below zero.
    mutating func count() throws(UnusableIndex) -> Int {
        guard let count = Int(exactly: try number(Int64.self)), count >= 0 else { throw UnusableIndex() }
        return count
    }

    /// Takes texts; `nil` in place of one that is not there.
    mutating func texts(_ count: Int) throws(UnusableIndex) -> [String?] {
        guard count <= (bytes.count - place) / 8 else { throw UnusableIndex() }
        var sizes: [Int] = []
        sizes.reserveCapacity(count)
        for _ in 0..<count {
            guard let size = Int(exactly: try number(Int64.self)), size >= -1 else { throw UnusableIndex() }
            sizes.append(size)
        }
        var texts: [String?] = []
        for size in sizes { texts.append(size < 0 ? nil : String(decoding: try bytes(size), as: UTF8.self)) }
        return texts
    }

    /// Passes over what fills a block up.
    mutating func passFilling() throws(UnusableIndex) {
        let rest = place % ContentHash.blockSize
        if rest > 0 { _ = try bytes(ContentHash.blockSize - rest) }
    }
}
