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
    let count: Int

    init(chunks: [Chunk], names: [String], pages: [String], large: [Int: HAREntrySummary]) {
        self.chunks = chunks
        self.names = names
        self.pages = pages
        self.large = large
        count = chunks.last.map { (chunks.count - 1) * Self.chunkSize + $0.rows.count } ?? 0
    }

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
