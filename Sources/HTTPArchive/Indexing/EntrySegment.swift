/// The summaries of entries that follow each other, in as little memory as possible: 56 bytes an entry, its URL and its
/// time.
struct EntrySegment: Sendable {
    /// The number of entries in each chunk but the last.
    static let chunkSize = 1 << 12

    /// Entries that follow each other: memory is taken piece by piece, for a growing array is twice as large at times.
    struct Chunk: Sendable {
        var rows: [EntryRow]

        /// The URL and the time of each, in UTF-8.
        var text: [UInt8]
    }

    let chunks: [Chunk]
    let names: [String]
    let pages: [String]

    /// Summaries that do not fit into a row, by index.
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

    /// The place of an entry's text in the file.
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
            pageref: row.pageref == NameTable.none ? nil : pages[Int(row.pageref)], isFailed: row.isFailed)
    }

    private func text(of name: UInt16) -> String? { name == EntryRow.noName ? nil : names[Int(name)] }
}
