/// Collects the summaries of entries that follow each other.
struct EntryCollector: ~Copyable {
    /// The entry in hand.
    var draft = EntryDraft()

    // The rows and texts of the chunk in hand; a chunk that is full is copied, so that it takes the memory that it needs
    // and no more.
    private let rows = UnsafeMutablePointer<EntryRow>.allocate(capacity: EntrySegment.chunkSize)
    private var rowCount = 0
    private var text = ByteBuffer(capacity: 1 << 16)

    private var chunks: [EntrySegment.Chunk] = []
    private var large: [Int: HAREntrySummary] = [:]

    deinit { rows.deallocate() }

    /// The number of entries that were appended.
    var count: Int { chunks.count * EntrySegment.chunkSize + rowCount }

    /// Appends the entry in hand.
    ///
    /// - Parameter end: The place after it.
    mutating func append(endingAt end: Int) {
        if let row = EntryRow(draft, endingAt: end, textStart: text.count) {
            (rows + rowCount).initialize(to: row)
            text.append(draft.url.bytes)
            text.append(draft.startedDateTime.bytes)
        } else {
            (rows + rowCount).initialize(to: EntryRow())
            large[count] = draft.summary(endingAt: end)
        }
        rowCount += 1
        if rowCount == EntrySegment.chunkSize { finishChunk() }
    }

    /// Appends a summary.
    mutating func append(_ summary: HAREntrySummary) {
        draft.begin(with: summary)
        append(endingAt: summary.byteRange.upperBound)
    }

    /// Gives what was collected, and begins anew with no entry.
    mutating func finish() -> EntrySegment {
        if rowCount > 0 { finishChunk() }
        defer {
            chunks = []
            large = [:]
        }
        return EntrySegment(chunks: chunks, names: draft.names.texts, pages: draft.pages.texts, large: large)
    }

    private mutating func finishChunk() {
        chunks.append(
            EntrySegment.Chunk(
                rows: Array(UnsafeBufferPointer(start: rows, count: rowCount)), text: [UInt8](text.bytes)))
        rowCount = 0
        text.removeAll()
    }
}
