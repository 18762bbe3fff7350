/// Reads a kept index part by part, in memory that follows the largest part.
struct IndexInput: ~Copyable {
    private static let pieceSize = 1 << 20

    private let file: InputFile

    /// The place in the file of the buffer's first byte, and where the parts end.
    private var start: Int
    private let end: Int

    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)

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
            let place = start + unread.upperBound
            guard let read = try? file.read(at: place, into: rest), !read.isEmpty else { throw UnusableIndex() }
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
