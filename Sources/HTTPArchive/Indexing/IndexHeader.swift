import Foundation

/// The header of an index file: the archive that the index belongs to, and the conditions for using the index.
///
/// `Docs/IndexFormat.md` describes the format.
struct IndexHeader: Equatable {
    /// The size of the header, in bytes.
    static let size = 128

    /// The first eight bytes of every index file.
    private static let magic: [UInt8] = Array("HARINDEX".utf8)

    /// The version of the format.
    ///
    /// Files with any other version are ignored.
    private static let version: UInt32 = 4

    /// Returns whether a file begins with the magic bytes of an index file.
    static func begins(_ url: URL) -> Bool {
        guard let file = try? InputFile(url: url, waitsForWriter: false) else { return false }
        return (try? file.bytes(in: 0..<magic.count)) == magic
    }

    /// The stamp and the fingerprint of the archive.
    var stamp: ArchiveStamp
    var fingerprint: UInt64

    /// The range between the brackets of `entries`.
    var entriesRange: Range<Int>

    /// The limits that applied when the whole archive was parsed, or zero if the archive was indexed by its structure.
    ///
    /// The limits on the number of entries and fields are not stored. The header contains the number of entries, and
    /// fields are counted each time the archive is opened.
    var neededLimits: JSONScanner.Limits

    /// The number of segments and the number of entries.
    var segmentCount: Int
    var entryCount: Int
}

extension IndexHeader {
    /// The encoded header.
    var bytes: [UInt8] {
        var bytes = IndexBytes()
        bytes.append(text: Self.magic)
        bytes.append(Self.version)
        bytes.append(stamp.nanoseconds)
        bytes.append(stamp.seconds)
        for number in [
            stamp.size, entriesRange.lowerBound, entriesRange.upperBound, neededLimits.valueSize, 0, neededLimits.depth,
            segmentCount, entryCount,
        ] { bytes.append(number) }
        bytes.append(fingerprint)
        bytes.fill(to: Self.size)
        return bytes.bytes
    }

    /// Decodes a header.
    ///
    /// - Parameter bytes: The first bytes of the index file.
    /// - Throws: ``UnusableIndex`` if the file is not an index file, has another version, or is invalid.
    init(_ bytes: UnsafeRawBufferPointer) throws(UnusableIndex) {
        var cursor = IndexCursor(bytes)
        guard try cursor.bytes(Self.magic.count).elementsEqual(Self.magic),
            try cursor.number(UInt32.self) == Self.version
        else { throw UnusableIndex() }
        let nanoseconds = try cursor.number(UInt32.self)
        let seconds = try cursor.number(Int64.self)
        stamp = ArchiveStamp(size: try cursor.count(), seconds: seconds, nanoseconds: nanoseconds)
        let start = try cursor.count()
        let end = try cursor.count()
        guard start <= end, end <= stamp.size else { throw UnusableIndex() }
        entriesRange = start..<end
        neededLimits = .none
        neededLimits.valueSize = try cursor.count()
        guard try cursor.count() == 0 else { throw UnusableIndex() }
        neededLimits.depth = try cursor.count()
        segmentCount = try cursor.count()
        entryCount = try cursor.count()
        fingerprint = try cursor.number(UInt64.self)
    }
}

extension JSONScanner.Limits {
    /// The lowest possible limits, which every reader's limits include.
    static let none = Self(valueSize: 0, depth: 0, fieldCount: 0)

    /// Returns whether everything within the other limits is also within these limits.
    func includes(_ other: Self) -> Bool {
        other.valueSize <= valueSize && other.depth <= depth && other.fieldCount <= fieldCount
    }
}

/// Numbers and strings encoded for an index file, in little-endian byte order and without padding.
struct IndexBytes {
    /// The encoded bytes.
    private(set) var bytes: [UInt8] = []

    /// Appends a number.
    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends the bit pattern of a number.
    mutating func append(_ number: Double) { append(number.bitPattern) }

    /// Appends bytes unchanged.
    mutating func append(text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

    /// Appends strings: first the size of each string, or -1 if it is missing, and then the text of all strings.
    mutating func append(texts: [String?]) {
        for text in texts { append(text?.utf8.count ?? -1) }
        for text in texts { append(text: (text ?? "").utf8) }
    }

    /// Discards all bytes and starts a new part with a placeholder for its size.
    mutating func beginPart() {
        bytes.removeAll(keepingCapacity: true)
        append(0)
    }

    /// Pads the part with zeros to a multiple of the block size, so that parts can be hashed separately, and sets its
    /// size.
    mutating func finishPart() {
        let blockSize = ContentHash.blockSize
        fill(to: (bytes.count + blockSize - 1) / blockSize * blockSize)
        withUnsafeBytes(of: bytes.count.littleEndian) { bytes.replaceSubrange(0..<$0.count, with: $0) }
    }

    /// Appends zeros up to the given total size.
    mutating func fill(to size: Int) { append(text: repeatElement(0, count: max(0, size - bytes.count))) }
}

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
    /// - Throws: ``UnusableIndex`` after the last part, or if `body` does not decode the complete contents.
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
