/// Reads a kept index part by part, in memory that follows the largest part.
struct IndexInput: ~Copyable {
    private static let chunkSize = 1 << 20

    private let file: InputFile

    /// The place in the file of the buffer's first byte, and where the parts end.
    private var start: Int
    private let end: Int

    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)

    /// What of the buffer was read, and is still to be taken.
    private var unread = 0..<0

    /// The hash of all parts that were taken.
    private(set) var hash = ContentHash()

    /// Begins behind the header.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - header: The bytes of the header.
    ///   - end: The place after the last part.
    init(_ file: InputFile, after header: [UInt8], upTo end: Int) {
        self.file = file
        self.end = end
        start = header.count
        header.withUnsafeBytes { hash.add($0) }
    }

    deinit { buffer.deallocate() }

    /// Whether all parts were taken.
    var isAtEnd: Bool { start + unread.lowerBound == end }

    /// Takes the next part.
    ///
    /// - Parameter body: Takes what the part holds, to the last number.
    /// - Returns: What `body` returns.
    /// - Throws: ``UnusableIndex`` when there is none, or it holds more.
    mutating func part<Result>(
        _ body: (inout IndexCursor) throws(UnusableIndex) -> Result
    ) throws(UnusableIndex) -> Result {
        try fill(ContentHash.blockSize)
        var head = IndexCursor(UnsafeRawBufferPointer(rebasing: buffer[unread]))
        let size = try head.count()
        guard size >= ContentHash.blockSize, size % ContentHash.blockSize == 0 else { throw UnusableIndex() }
        try fill(size)
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[unread.prefix(size)])
        hash.add(bytes)
        var cursor = IndexCursor(bytes)
        _ = try cursor.count()
        let result = try body(&cursor)
        try cursor.passFilling()
        guard cursor.isAtEnd else { throw UnusableIndex() }
        unread = unread.dropFirst(size)
        return result
    }

    /// Reads until that many bytes are at hand.
    private mutating func fill(_ count: Int) throws(UnusableIndex) {
        guard count > unread.count else { return }
        guard count <= end - start - unread.lowerBound else { throw UnusableIndex() }
        makeRoom(for: count)
        while unread.count < count {
            let room = min(buffer.count, end - start) - unread.upperBound
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[unread.upperBound...].prefix(room))
            let offset = start + unread.upperBound
            guard let read = try? file.read(at: offset, into: rest), !read.isEmpty else { throw UnusableIndex() }
            unread = unread.lowerBound..<unread.upperBound + read.count
        }
    }

    /// Moves what was read to the front of the buffer, which becomes large enough for that many bytes.
    private mutating func makeRoom(for count: Int) {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[unread])
        if count <= buffer.count {
            buffer.copyMemory(from: bytes)
        } else {
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
            larger.copyMemory(from: bytes)
            buffer.deallocate()
            buffer = larger
        }
        start += unread.lowerBound
        unread = 0..<unread.count
    }
}

/// Something in a kept index that cannot be; the archive is indexed anew.
struct UnusableIndex: Error {}

/// Takes numbers and texts from the bytes of a kept index, and never more than there are.
struct IndexCursor {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// Begins at the first byte.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Whether all bytes were taken.
    var isAtEnd: Bool { offset == bytes.count }

    /// Takes bytes, which stay where they are.
    mutating func bytes(_ count: Int) throws(UnusableIndex) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count - offset else { throw UnusableIndex() }
        defer { offset += count }
        return bytes[from: offset, to: offset + count]
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
        guard count <= (bytes.count - offset) / 8 else { throw UnusableIndex() }
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
        let rest = offset % ContentHash.blockSize
        if rest > 0 { _ = try bytes(ContentHash.blockSize - rest) }
    }
}
