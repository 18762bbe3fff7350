/// The summaries of all entries in an archive, in consecutive segments that were indexed separately.
struct EntryTable: Sendable {
    let segments: [EntrySegment]

    /// The number of entries before each segment.
    private let starts: [Int]

    /// The number of entries.
    let count: Int

    /// Creates a table from consecutive segments.
    init(_ segments: [EntrySegment]) {
        var count = 0
        self.segments = segments
        starts = segments.map { segment in
            defer { count += segment.count }
            return count
        }
        self.count = count
    }

    /// Returns the byte range of an entry's text in the file.
    func byteRange(at index: Int) -> Range<Int> {
        let (segment, start) = segment(of: index)
        return segment.byteRange(at: index - start)
    }

    subscript(index: Int) -> HAREntrySummary {
        let (segment, start) = segment(of: index)
        return segment[index - start]
    }

    /// Calls a closure with the index and the URL of each entry in a range.
    func forEachURL(in indices: Range<Int>, _ body: (_ index: Int, _ url: UnsafeRawBufferPointer) -> Void) {
        for (segment, start) in zip(segments, starts) {
            let part = indices.clamped(to: start..<start + segment.count)
            segment.forEachURL(in: part.lowerBound - start..<part.upperBound - start) { body(start + $0, $1) }
        }
    }

    /// Returns the segment that contains an entry, and the number of entries before that segment.
    ///
    /// A linear search is sufficient, because there are at most a few dozen segments.
    private func segment(of index: Int) -> (EntrySegment, Int) {
        let number = starts.lastIndex { $0 <= index } ?? 0
        return (segments[number], starts[number])
    }
}

/// The summaries of consecutive entries, stored compactly: 56 bytes per entry, plus the URL and the start time.
struct EntrySegment: Sendable {
    /// The number of entries in each chunk except the last.
    static let chunkSize = 1 << 12

    /// A group of consecutive entries.
    ///
    /// Entries are stored in chunks, because a single growing array would temporarily need twice the memory.
    struct Chunk: Sendable {
        var rows: [EntryRow]

        /// The URL and the start time of each entry, in UTF-8.
        var text: [UInt8]
    }

    let chunks: [Chunk]
    let names: [String]
    let pages: [String]

    /// The summaries that do not fit into a row, keyed by index.
    let large: [Int: HAREntrySummary]

    /// The number of entries.
    var count: Int { chunks.last.map { (chunks.count - 1) * Self.chunkSize + $0.rows.count } ?? 0 }

    /// Returns the byte range of an entry's text in the file.
    func byteRange(at index: Int) -> Range<Int> {
        let row = chunks[index / Self.chunkSize].rows[index % Self.chunkSize]
        return large[index]?.byteRange ?? row.start..<row.start + Int(row.length)
    }

    subscript(index: Int) -> HAREntrySummary {
        if let summary = large[index] { return summary }
        let chunk = chunks[index / Self.chunkSize]
        let row = chunk.rows[index % Self.chunkSize]
        let urlEnd = row.textStart + Int(row.urlLength)
        return HAREntrySummary(
            byteRange: row.start..<row.start + Int(row.length), method: text(of: row.method) ?? "",
            url: String(decoding: chunk.text[row.textStart..<urlEnd], as: UTF8.self), status: Int(row.status),
            startedDateTime: String(decoding: chunk.text[urlEnd..<urlEnd + Int(row.startedLength)], as: UTF8.self),
            time: row.time < 0 ? nil : row.time, mimeType: text(of: row.mimeType) ?? "",
            size: row.size < 0 ? nil : row.size, resourceType: text(of: row.resourceType),
            pageref: row.pageref == StringTable.none ? nil : pages[Int(row.pageref)], isFailed: row.isFailed,
            isFromCache: row.isFromCache)
    }

    /// Calls a closure with the index and the URL of each entry in a range.
    func forEachURL(in indices: Range<Int>, _ body: (_ index: Int, _ url: UnsafeRawBufferPointer) -> Void) {
        var index = indices.lowerBound
        while index < indices.upperBound {
            let number = index / Self.chunkSize
            let end = min(indices.upperBound, (number + 1) * Self.chunkSize)
            let chunk = chunks[number]
            chunk.text.withUnsafeBytes { text in
                while index < end {
                    let row = chunk.rows[index % Self.chunkSize]
                    if !large.isEmpty, var url = large[index]?.url {
                        url.withUTF8 { body(index, UnsafeRawBufferPointer($0)) }
                    } else {
                        body(index, text[from: row.textStart, to: row.textStart + Int(row.urlLength)])
                    }
                    index += 1
                }
            }
        }
    }

    private func text(of name: UInt16) -> String? { name == EntryRow.noName ? nil : names[Int(name)] }
}

/// Collects the summaries of consecutive entries.
struct EntrySegmentBuilder: ~Copyable {
    /// The current entry.
    var pending = PendingEntry()

    // The rows and the text of the current chunk. When the chunk is full, they are copied to arrays of the exact size.
    private let rows = UnsafeMutablePointer<EntryRow>.allocate(capacity: EntrySegment.chunkSize)
    private var rowCount = 0
    private var text = ByteBuffer(capacity: 1 << 16)

    private var chunks: [EntrySegment.Chunk] = []
    private var large: [Int: HAREntrySummary] = [:]

    deinit { rows.deallocate() }

    /// The number of appended entries.
    var count: Int { chunks.count * EntrySegment.chunkSize + rowCount }

    /// Appends the current entry.
    ///
    /// - Parameter end: The offset after the entry.
    mutating func append(endingAt end: Int) {
        if let row = EntryRow(pending, endingAt: end, textStart: text.count) {
            (rows + rowCount).initialize(to: row)
            text.append(pending.url.bytes)
            text.append(pending.startedDateTime.bytes)
        } else {
            (rows + rowCount).initialize(to: EntryRow())
            large[count] = pending.summary(endingAt: end)
        }
        rowCount += 1
        if rowCount == EntrySegment.chunkSize { finishChunk() }
    }

    /// Appends a summary.
    mutating func append(_ summary: HAREntrySummary) {
        pending.begin(with: summary)
        append(endingAt: summary.byteRange.upperBound)
    }

    /// Returns the collected entries and resets the builder.
    mutating func finish() -> EntrySegment {
        if rowCount > 0 { finishChunk() }
        defer {
            chunks = []
            large = [:]
        }
        return EntrySegment(chunks: chunks, names: pending.names.texts, pages: pending.pages.texts, large: large)
    }

    private mutating func finishChunk() {
        chunks.append(
            EntrySegment.Chunk(
                rows: Array(UnsafeBufferPointer(start: rows, count: rowCount)), text: [UInt8](text.bytes)))
        rowCount = 0
        text.removeAll()
    }
}

/// A byte buffer that keeps its capacity when its contents are removed.
struct ByteBuffer: ~Copyable {
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int

    /// The number of bytes.
    private(set) var count = 0

    /// Creates an empty buffer.
    init(capacity: Int = 256) {
        memory = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    deinit { memory.deallocate() }

    /// The bytes, which are valid until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

    /// Removes all bytes but keeps the capacity.
    mutating func removeAll() { count = 0 }

    /// Appends bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        if bytes.count > capacity &- count { grow(by: bytes.count) }
        (memory + count).copyMemory(from: start, byteCount: bytes.count)
        count &+= bytes.count
    }

    private mutating func grow(by added: Int) {
        capacity = max(2 * capacity, count + added)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = larger
    }
}

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
