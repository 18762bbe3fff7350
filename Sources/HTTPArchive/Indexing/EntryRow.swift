/// The fields of an entry as stored in a table, except for the URL and the start time.
struct EntryRow: Sendable {
    /// The number that represents a missing name.
    static let noName = UInt16.max

    var start = 0
    var textStart = 0
    var time = -1.0
    var size = -1
    var length: UInt32 = 0
    var urlLength: UInt32 = 0
    var status: Int32 = 0
    var pageref = StringTable.none
    var method = noName
    var mimeType = noName
    var resourceType = noName
    var startedLength: UInt8 = 0
    var isFailed = false
    var isFromCache = false

    /// Creates an empty row.
    init() {}

    /// Creates the row for an entry, or returns `nil` if a value does not fit into its field.
    ///
    /// - Parameters:
    ///   - pending: The entry.
    ///   - end: The offset after the entry.
    ///   - textStart: The offset of the entry's URL and start time in the text of the chunk.
    init?(_ pending: borrowing PendingEntry, endingAt end: Int, textStart: Int) {
        guard let length = UInt32(exactly: end - pending.start), let urlLength = UInt32(exactly: pending.url.count),
            let status = Int32(exactly: pending.status),
            let startedLength = UInt8(exactly: pending.startedDateTime.count),
            let method = Self.number(pending.method), let mimeType = Self.number(pending.mimeType),
            let resourceType = Self.number(pending.resourceType)
        else { return nil }
        start = pending.start
        self.textStart = textStart
        time = pending.time
        size = pending.size
        self.length = length
        self.urlLength = urlLength
        self.status = status
        pageref = pending.pageref
        self.method = method
        self.mimeType = mimeType
        self.resourceType = resourceType
        self.startedLength = startedLength
        isFailed = pending.isFailed
        isFromCache = pending.isFromCache
    }

    private static func number(_ name: UInt32) -> UInt16? {
        if name == StringTable.none { return noName }
        return name < noName ? UInt16(name) : nil
    }
}

/// Reads and writes rows in an index file, as little-endian numbers without padding.
///
/// The offset of an entry's URL and start time is not stored, because the texts of all entries directly follow one
/// another.
extension EntryRow {
    /// The size of a stored row, in bytes.
    static let storedSize = 48

    // The bits of a stored row's last byte.
    private static let failedFlag: UInt8 = 1
    private static let cacheFlag: UInt8 = 2

    /// The bounds for the numbers in a row.
    struct Bounds {
        /// The range that can contain the entry, from the end of the previous entry to the closing bracket.
        var entriesRange: Range<Int>

        /// The maximum size of an entry, in bytes.
        var maximumLength: Int

        /// The range of the chunk's text that can contain the entry's URL and start time.
        var text: Range<Int>

        /// The number of names and the number of pages.
        var nameCount: Int
        var pageCount: Int
    }

    /// Encodes the row.
    func append(to bytes: inout IndexBytes) {
        bytes.append(Int64(start))
        bytes.append(time)
        bytes.append(Int64(size))
        bytes.append(length)
        bytes.append(urlLength)
        bytes.append(status)
        bytes.append(pageref)
        bytes.append(method)
        bytes.append(mimeType)
        bytes.append(resourceType)
        bytes.append(startedLength)
        bytes.append((isFailed ? Self.failedFlag : 0) | (isFromCache ? Self.cacheFlag : 0))
    }

    /// Decodes a row.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of one row.
    ///   - bounds: The bounds for the numbers.
    /// - Throws: ``UnusableIndex`` if a number is out of bounds.
    @inline(__always)
    init(stored bytes: UnsafeRawBufferPointer, in bounds: Bounds) throws(UnusableIndex) {
        self.init()
        start = Int(truncatingIfNeeded: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self)))
        time = Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        size = Int(truncatingIfNeeded: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: Int64.self)))
        length = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
        urlLength = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 28, as: UInt32.self))
        status = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 32, as: Int32.self))
        pageref = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 36, as: UInt32.self))
        method = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 40, as: UInt16.self))
        mimeType = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 42, as: UInt16.self))
        resourceType = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 44, as: UInt16.self))
        startedLength = bytes[46]
        isFailed = bytes[47] & Self.failedFlag != 0
        isFromCache = bytes[47] & Self.cacheFlag != 0
        textStart = bounds.text.lowerBound

        let isInRange = bounds.entriesRange.lowerBound <= start && start <= bounds.entriesRange.upperBound
        guard isInRange, Int(length) <= min(bounds.entriesRange.upperBound - start, bounds.maximumLength) else {
            throw UnusableIndex()
        }
        guard Int(urlLength) + Int(startedLength) <= bounds.text.count else { throw UnusableIndex() }
        let namesAreKnown =
            Self.isKnown(method, bounds) && Self.isKnown(mimeType, bounds) && Self.isKnown(resourceType, bounds)
        guard namesAreKnown, pageref == StringTable.none || Int(pageref) < bounds.pageCount else {
            throw UnusableIndex()
        }
        let hasKnownFlags = bytes[47] & ~(Self.failedFlag | Self.cacheFlag) == 0
        guard time >= 0 || time == -1, size >= -1, hasKnownFlags else { throw UnusableIndex() }
    }

    @inline(__always)
    private static func isKnown(_ name: UInt16, _ bounds: Bounds) -> Bool {
        name == noName || Int(name) < bounds.nameCount
    }
}
