/// Reads an index file part by part, so that the whole file never has to be in memory.
struct IndexInput: ~Copyable {
    private static let chunkSize = 1 << 20

    private let file: InputFile

    /// The file offset of the buffer's first byte, and the offset after the last part.
    private var start: Int
    private let end: Int

    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)

    /// The range of bytes in the buffer that were read from the file but have not been returned yet.
    private var unread = 0..<0

    /// The hash of the header and of all parts returned so far.
    private(set) var hash = ContentHash()

    /// Creates an input that starts after the header.
    ///
    /// - Parameters:
    ///   - file: The index file.
    ///   - header: The bytes of the header.
    ///   - end: The offset after the last part.
    init(_ file: InputFile, after header: [UInt8], upTo end: Int) {
        self.file = file
        self.end = end
        start = header.count
        header.withUnsafeBytes { hash.add($0) }
    }

    deinit { buffer.deallocate() }

    /// Whether all parts have been returned.
    var isAtEnd: Bool { start + unread.lowerBound == end }

    /// Decodes the next part.
    ///
    /// - Parameter body: A closure that decodes the complete contents of the part.
    /// - Returns: The result of `body`.
    /// - Throws: ``UnusableIndex`` if there are no more parts, or if `body` does not decode the complete contents.
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

    /// Reads until at least `count` unread bytes are in the buffer.
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

    /// Moves the unread bytes to the start of the buffer and ensures that the buffer has room for `count` bytes.
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

/// The error for an invalid index file.
///
/// The archive is then indexed again.
struct UnusableIndex: Error {}

/// Decodes numbers and strings from the bytes of an index file, with bounds checks.
struct IndexCursor {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// Creates a cursor at the first byte.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Whether all bytes have been decoded.
    var isAtEnd: Bool { offset == bytes.count }

    /// Returns the next bytes, without copying them.
    mutating func bytes(_ count: Int) throws(UnusableIndex) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count - offset else { throw UnusableIndex() }
        defer { offset += count }
        return bytes[from: offset, to: offset + count]
    }

    /// Decodes a number.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(UnusableIndex) -> Number {
        let size = MemoryLayout<Number>.size
        return Number(littleEndian: try bytes(size).loadUnaligned(as: Number.self))
    }

    /// Decodes a number that must not be negative.
    mutating func count() throws(UnusableIndex) -> Int {
        guard let count = Int(exactly: try number(Int64.self)), count >= 0 else { throw UnusableIndex() }
        return count
    }

    /// Decodes strings, where `nil` represents a missing string.
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

    /// Skips the padding up to the end of the block.
    mutating func passFilling() throws(UnusableIndex) {
        let rest = offset % ContentHash.blockSize
        if rest > 0 { _ = try bytes(ContentHash.blockSize - rest) }
    }
}
