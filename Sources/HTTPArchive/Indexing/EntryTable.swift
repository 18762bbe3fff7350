/// The summaries of all entries in an archive, in consecutive segments that were indexed separately.
struct EntryTable: Sendable {
    let segments: [EntrySegment]

    /// The number of entries before each segment.
    let starts: [Int]

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

    /// Returns the segment that contains an entry, and the number of entries before that segment.
    ///
    /// A linear search is sufficient, because there are at most a few dozen segments.
    func segment(of index: Int) -> (EntrySegment, Int) {
        let number = starts.lastIndex { $0 <= index } ?? 0
        return (segments[number], starts[number])
    }
}

/// The summaries of consecutive entries, stored compactly: 48 bytes per entry, plus the URL.
struct EntrySegment: Sendable {
    /// The number of entries in each chunk except the last.
    static let chunkSize = 1 << 12

    /// A group of consecutive entries.
    ///
    /// Entries are stored in chunks, because a single growing array would temporarily need twice the memory.
    struct Chunk: Sendable {
        var rows: [EntryRow]

        /// The URL of each entry, in UTF-8, followed by its start time if the row does not contain it.
        var text: [UInt8]

        /// Returns the row of an entry, and the ranges of its URL and its start time in the text.
        ///
        /// The second range is empty if the row contains the start time.
        func row(at index: Int) -> (row: EntryRow, url: Range<Int>, started: Range<Int>) {
            let row = rows[index]
            let end = Int(row.textEnd)
            let urlEnd = end - row.startedLength
            return (row, (index == 0 ? 0 : Int(rows[index - 1].textEnd))..<urlEnd, urlEnd..<end)
        }
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
        let (row, url, started) = chunk.row(at: index % Self.chunkSize)
        return HAREntrySummary(
            byteRange: row.start..<row.start + Int(row.length), method: text(of: row.method) ?? "",
            url: String(decoding: chunk.text[url], as: UTF8.self), status: row.status,
            started: row.time(text: chunk.text[started]), time: row.time < 0 ? nil : row.time,
            mimeType: text(of: row.mimeType) ?? "", size: row.size == EntryRow.noSize ? nil : Int(row.size),
            resourceType: text(of: row.resourceType),
            pageref: row.pageref == StringTable.none ? nil : pages[Int(row.pageref)], isFailed: row.isFailed,
            isFromCache: row.isFromCache)
    }

    private func text(of name: UInt16) -> String? { name == EntryRow.noName ? nil : names[Int(name)] }
}

/// Collects the summaries of consecutive entries.
package struct EntrySegmentBuilder: ~Copyable {
    /// The current entry.
    var pending = PendingEntry()

    // The rows and the text of the current chunk. When the chunk is full, they are copied to arrays of the exact size.
    private let rows = UnsafeMutablePointer<EntryRow>.allocate(capacity: EntrySegment.chunkSize)
    private var rowCount = 0
    private var text = ByteBuffer(capacity: 1 << 16)

    private var chunks: [EntrySegment.Chunk] = []
    private var large: [Int: HAREntrySummary] = [:]

    /// Creates a builder without entries.
    package init() {}

    deinit { rows.deallocate() }

    /// The number of appended entries.
    package var count: Int { chunks.count * EntrySegment.chunkSize + rowCount }

    /// Appends the current entry.
    ///
    /// - Parameter end: The offset after the entry.
    mutating func append(endingAt end: Int) {
        if let row = EntryRow(pending, endingAt: end, textStart: text.count) {
            (rows + rowCount).initialize(to: row)
            text.append(pending.url.bytes)
            if row.startedLength > 0 { text.append(pending.startedDateTime.bytes) }
        } else {
            // The text is small enough, because a row was created for each text in it.
            (rows + rowCount).initialize(to: EntryRow(textEnd: UInt32(text.count)))
            large[count] = pending.summary(endingAt: end)
        }
        rowCount += 1
        if rowCount == EntrySegment.chunkSize { finishChunk() }
    }

    /// Appends a summary.
    package mutating func append(_ summary: HAREntrySummary) {
        pending.begin(with: summary)
        append(endingAt: summary.byteRange.upperBound)
    }

    /// The entries collected so far.
    ///
    /// Only the current chunk is copied.
    var segment: EntrySegment {
        EntrySegment(
            chunks: rowCount > 0 ? chunks + [chunk] : chunks, names: pending.names.texts, pages: pending.pages.texts,
            large: large)
    }

    /// Returns the collected entries and resets the builder.
    mutating func finish() -> EntrySegment {
        if rowCount > 0 { finishChunk() }
        defer {
            chunks = []
            large = [:]
        }
        return segment
    }

    private var chunk: EntrySegment.Chunk {
        EntrySegment.Chunk(rows: Array(UnsafeBufferPointer(start: rows, count: rowCount)), text: [UInt8](text.bytes))
    }

    private mutating func finishChunk() {
        chunks.append(chunk)
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

/// The fields of an entry as stored in a table, except for the URL.
struct EntryRow: Sendable {
    /// The number that represents a missing name.
    static let noName = UInt16.max

    /// The number that represents an unknown size.
    static let noSize = UInt32.max

    var start = 0
    var time = -1.0

    /// The packed start time, or the size of its text, which follows the URL.
    private var started: UInt64 = 0

    /// The offset after the entry's URL and start time in the text of the chunk, which begin where the previous ones end.
    var textEnd: UInt32
    var length: UInt32 = 0
    var size = noSize
    var pageref = StringTable.none
    var method = noName
    var mimeType = noName
    var resourceType = noName
    private var statusAndFlags: UInt16 = 0

    // The bits for the flags, above the status.
    private static let failedFlag: UInt16 = 1 << 14
    private static let cacheFlag: UInt16 = 1 << 15

    var status: Int { Int(statusAndFlags & (Self.failedFlag - 1)) }
    var isFailed: Bool { statusAndFlags & Self.failedFlag != 0 }
    var isFromCache: Bool { statusAndFlags & Self.cacheFlag != 0 }

    /// The size of the start time in the text of the chunk, which is 0 if the row contains it.
    var startedLength: Int { PackedTime.unused.contains(started) ? Int(started) : 0 }

    /// Returns the start time, which is the given text unless the row contains it.
    func time(text: ArraySlice<UInt8>) -> RecordedTime {
        PackedTime.unused.contains(started)
            ? .text(String(decoding: text, as: UTF8.self)) : .packed(PackedTime(value: started))
    }

    /// Creates an empty row.
    init(textEnd: UInt32) { self.textEnd = textEnd }

    /// Creates the row for an entry, or returns `nil` if a value does not fit into its field.
    ///
    /// - Parameters:
    ///   - pending: The entry.
    ///   - end: The offset after the entry.
    ///   - textStart: The offset of the entry's URL in the text of the chunk.
    init?(_ pending: borrowing PendingEntry, endingAt end: Int, textStart: Int) {
        let packed = PackedTime(pending.startedDateTime.bytes)?.value
        let started = packed ?? UInt64(pending.startedDateTime.count)
        let textSize = pending.url.count + (packed == nil ? pending.startedDateTime.count : 0)
        guard let length = UInt32(exactly: end - pending.start), let textEnd = UInt32(exactly: textStart + textSize),
            let size = pending.size < 0 ? Self.noSize : UInt32(exactly: pending.size),
            pending.size < 0 || size != Self.noSize,
            packed != nil || PackedTime.unused.contains(started), 0..<Int(Self.failedFlag) ~= pending.status,
            let method = Self.number(pending.method), let mimeType = Self.number(pending.mimeType),
            let resourceType = Self.number(pending.resourceType)
        else { return nil }
        start = pending.start
        time = pending.time
        self.started = started
        self.textEnd = textEnd
        self.length = length
        self.size = size
        pageref = pending.pageref
        self.method = method
        self.mimeType = mimeType
        self.resourceType = resourceType
        statusAndFlags = UInt16(pending.status)
        if pending.isFailed { statusAndFlags |= Self.failedFlag }
        if pending.isFromCache { statusAndFlags |= Self.cacheFlag }
    }

    private static func number(_ name: UInt32) -> UInt16? {
        if name == StringTable.none { return noName }
        return name < noName ? UInt16(name) : nil
    }
}

/// Reads and writes rows in an index file, as little-endian numbers in the order of the fields, without padding.
extension EntryRow {
    /// The size of a stored row, in bytes.
    static let storedSize = 48

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
        bytes.append(started)
        for number in [textEnd, length, size, pageref] { bytes.append(number) }
        for number in [method, mimeType, resourceType, statusAndFlags] { bytes.append(number) }
    }

    /// Decodes a row.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of one row.
    ///   - bounds: The bounds for the numbers.
    /// - Throws: ``UnusableIndex`` if a number is out of bounds.
    @inline(__always)
    init(stored bytes: UnsafeRawBufferPointer, in bounds: Bounds) throws(UnusableIndex) {
        start = Int(truncatingIfNeeded: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self)))
        time = Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        started = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        textEnd = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
        length = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 28, as: UInt32.self))
        size = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 32, as: UInt32.self))
        pageref = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 36, as: UInt32.self))
        method = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 40, as: UInt16.self))
        mimeType = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 42, as: UInt16.self))
        resourceType = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 44, as: UInt16.self))
        statusAndFlags = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 46, as: UInt16.self))

        let isInRange = bounds.entriesRange.lowerBound <= start && start <= bounds.entriesRange.upperBound
        guard isInRange, Int(length) <= min(bounds.entriesRange.upperBound - start, bounds.maximumLength) else {
            throw UnusableIndex()
        }
        guard bounds.text.lowerBound + startedLength <= Int(textEnd), Int(textEnd) <= bounds.text.upperBound else {
            throw UnusableIndex()
        }
        let namesAreKnown =
            Self.isKnown(method, bounds) && Self.isKnown(mimeType, bounds) && Self.isKnown(resourceType, bounds)
        guard namesAreKnown, pageref == StringTable.none || Int(pageref) < bounds.pageCount, time >= 0 || time == -1
        else { throw UnusableIndex() }
    }

    @inline(__always)
    private static func isKnown(_ name: UInt16, _ bounds: Bounds) -> Bool {
        name == noName || Int(name) < bounds.nameCount
    }
}
