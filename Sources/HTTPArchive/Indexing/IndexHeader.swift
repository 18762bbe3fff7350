import Foundation

/// The beginning of a kept index: what it is an index of, and what must hold for it to be used.
///
/// `Docs/IndexFormat.md` describes the format.
struct IndexHeader: Equatable {
    /// The size in bytes.
    static let size = 128

    /// The first eight bytes of every kept index.
    private static let magic: [UInt8] = Array("HARINDEX".utf8)

    /// The format's version; another one is not read.
    private static let version: UInt32 = 1

    /// Returns whether a file begins as an index does.
    static func begins(_ url: URL) -> Bool {
        guard let file = try? InputFile(url: url, waitsForWriter: false) else { return false }
        return (try? file.bytes(in: 0..<magic.count)) == magic
    }

    /// The archive's stamp and fingerprint.
    var stamp: ArchiveStamp
    var fingerprint: UInt64

    /// What stands between the brackets of `entries`; empty, at 0, for an archive without them.
    var entriesRange: Range<Int>

    /// The least limits under which the archive opens, as far as the parser had a say in that; its number of fields is
    /// counted at each opening.
    var neededLimits: JSONScanner.Limits

    /// The numbers of segments and of entries.
    var segmentCount: Int
    var entryCount: Int

    /// The text of the header.
    var bytes: [UInt8] {
        var bytes = IndexBytes()
        bytes.append(text: Self.magic)
        bytes.append(Self.version)
        bytes.append(stamp.nanoseconds)
        bytes.append(stamp.seconds)
        for number in [
            stamp.size, entriesRange.lowerBound, entriesRange.upperBound, neededLimits.valueSize,
            neededLimits.entryCount,
            neededLimits.depth, segmentCount, entryCount,
        ] { bytes.append(number) }
        bytes.append(fingerprint)
        bytes.fill(to: Self.size)
        return bytes.bytes
    }

    /// Reads a header.
    ///
    /// - Parameter bytes: The bytes of the index from its beginning on.
    /// - Throws: ``UnusableIndex`` for what is no index, of another version, or cannot be.
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
        neededLimits.entryCount = try cursor.count()
        neededLimits.depth = try cursor.count()
        segmentCount = try cursor.count()
        entryCount = try cursor.count()
        fingerprint = try cursor.number(UInt64.self)
    }

    /// Creates the header of an index.
    init(of index: ArchiveIndex, stamp: ArchiveStamp, fingerprint: UInt64) {
        self.stamp = stamp
        self.fingerprint = fingerprint
        entriesRange = index.entriesRange
        neededLimits = index.neededLimits
        segmentCount = index.table.segments.count
        entryCount = index.table.count
    }
}

extension JSONScanner.Limits {
    /// Limits that everything keeps.
    static let none = Self(valueSize: 0, depth: 0, entryCount: 0, fieldCount: 0)

    /// Whether what keeps other limits keeps these.
    func includes(_ other: Self) -> Bool {
        other.valueSize <= valueSize && other.depth <= depth && other.entryCount <= entryCount
            && other.fieldCount <= fieldCount
    }
}

/// Numbers and texts as a kept index has them: little endian, one after the other.
struct IndexBytes {
    /// What was appended.
    private(set) var bytes: [UInt8] = []

    /// Appends a number.
    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a number, whose bits are kept.
    mutating func append(_ number: Double) { append(number.bitPattern) }

    /// Appends bytes as they are.
    mutating func append(text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

    /// Appends texts: the size of each, -1 for one that is not there, then all of them.
    mutating func append(texts: [String?]) {
        for text in texts { append(text?.utf8.count ?? -1) }
        for text in texts { append(text: (text ?? "").utf8) }
    }

    /// Forgets all bytes, and begins a part, which has its size in front.
    mutating func beginPart() {
        bytes.removeAll(keepingCapacity: true)
        append(0)
    }

    /// Appends zeros up to the end of the block, so that parts can be hashed by themselves, and fills in the size.
    mutating func finishPart() {
        let blockSize = ContentHash.blockSize
        fill(to: (bytes.count + blockSize - 1) / blockSize * blockSize)
        withUnsafeBytes(of: bytes.count.littleEndian) { bytes.replaceSubrange(0..<$0.count, with: $0) }
    }

    /// Appends zeros up to a size.
    mutating func fill(to size: Int) { append(text: repeatElement(0, count: max(0, size - bytes.count))) }
}
