/// Reads an index file part by part, so that the whole file never has to be in memory.
struct IndexInput {
    private let file: InputFile

    /// The offset of the next part, and the offset after the last part.
    private var offset: Int
    private let end: Int

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
        offset = header.count
        header.withUnsafeBytes { hash.add($0) }
    }

    /// Whether all parts have been returned.
    var isAtEnd: Bool { offset == end }

    /// Decodes the next part.
    ///
    /// - Parameter body: A closure that decodes the complete contents of the part.
    /// - Returns: The result of `body`.
    /// - Throws: ``UnusableIndex`` if there are no more parts, or if `body` does not decode the complete contents.
    mutating func part<Value>(
        _ body: (inout IndexCursor) throws(UnusableIndex) -> Value
    ) throws(UnusableIndex) -> Value {
        let size = try bytes(ContentHash.blockSize).withUnsafeBytes {
            Int(littleEndian: $0.loadUnaligned(as: Int.self))
        }
        guard size >= ContentHash.blockSize, size % ContentHash.blockSize == 0 else { throw UnusableIndex() }
        let part = try bytes(size)
        offset += size
        return try part.withUnsafeBytes { bytes in
            hash.add(bytes)
            return Result { () throws(UnusableIndex) in
                var cursor = IndexCursor(bytes)
                _ = try cursor.count()
                let result = try body(&cursor)
                try cursor.passFilling()
                guard cursor.isAtEnd else { throw UnusableIndex() }
                return result
            }
        }.get()
    }

    /// Reads the next bytes without advancing.
    private func bytes(_ count: Int) throws(UnusableIndex) -> [UInt8] {
        guard count <= end - offset, let bytes = try? file.bytes(in: offset..<offset + count) else {
            throw UnusableIndex()
        }
        return bytes
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
