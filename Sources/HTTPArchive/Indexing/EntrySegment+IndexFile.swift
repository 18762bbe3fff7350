/// Reads and writes segments in an index file: the shared names and large summaries, followed by the chunks.
extension EntrySegment {
    /// Encodes the segment and passes it to `body` part by part.
    func write(_ body: (IndexBytes) throws(HARError) -> Void) throws(HARError) {
        var bytes = IndexBytes()
        bytes.beginPart()
        for number in [count, names.count, pages.count, large.count] { bytes.append(number) }
        bytes.append(texts: names)
        bytes.append(texts: pages)
        for (index, summary) in large.sorted(by: { $0.key < $1.key }) {
            bytes.append(index)
            summary.append(to: &bytes)
        }
        bytes.finishPart()
        try body(bytes)
        for chunk in chunks {
            bytes.beginPart()
            bytes.append(chunk.text.count)
            for row in chunk.rows { row.append(to: &bytes) }
            bytes.append(text: chunk.text)
            bytes.finishPart()
            try body(bytes)
        }
    }

    /// Reads a segment.
    ///
    /// - Parameters:
    ///   - input: The index file, positioned at the first part of the segment.
    ///   - entriesRange: The range that can contain entries. On return, it begins after the last entry of the segment.
    ///   - maximumLength: The maximum size of an entry, in bytes.
    /// - Throws: ``UnusableIndex`` if the segment is invalid.
    init(stored input: inout IndexInput, in entriesRange: inout Range<Int>, maximumLength: Int) throws(UnusableIndex) {
        let (count, names, pages, large) = try input.part { cursor throws(UnusableIndex) in
            let count = try cursor.count()
            let nameCount = try cursor.count()
            let pageCount = try cursor.count()
            let largeCount = try cursor.count()
            let names = try cursor.texts(nameCount).map { $0 ?? "" }
            let pages = try cursor.texts(pageCount).map { $0 ?? "" }
            var large: [Int: HAREntrySummary] = [:]
            for _ in 0..<largeCount {
                let index = try cursor.count()
                let summary = try HAREntrySummary(stored: &cursor)
                guard index < count, large.updateValue(summary, forKey: index) == nil else { throw UnusableIndex() }
            }
            return (count, names, pages, large)
        }
        var bounds = EntryRow.Bounds(
            entriesRange: entriesRange, maximumLength: maximumLength, text: 0..<0, nameCount: names.count,
            pageCount: pages.count)
        var chunks: [Chunk] = []
        var first = 0
        while first < count {
            let rowCount = min(Self.chunkSize, count - first)
            chunks.append(
                try input.part { cursor throws(UnusableIndex) in
                    try Chunk(stored: &cursor, rowCount: rowCount, large: large, from: first, in: &bounds)
                })
            first += rowCount
        }
        entriesRange = bounds.entriesRange
        self.init(chunks: chunks, names: names, pages: pages, large: large)
    }
}

extension EntrySegment.Chunk {
    /// Reads a chunk whose first entry has the index `first` in the segment.
    fileprivate init(
        stored cursor: inout IndexCursor, rowCount: Int, large: [Int: HAREntrySummary], from first: Int,
        in bounds: inout EntryRow.Bounds
    ) throws(UnusableIndex) {
        bounds.text = 0..<(try cursor.count())
        guard UInt32(exactly: bounds.text.upperBound) != nil else { throw UnusableIndex() }
        let bytes = try cursor.bytes(rowCount * EntryRow.storedSize)
        var rows: [EntryRow] = []
        rows.reserveCapacity(rowCount)
        for number in 0..<rowCount {
            let end: Int
            if !large.isEmpty, let summary = large[first + number] {
                let range = summary.byteRange
                guard bounds.entriesRange.contains(range), range.count <= bounds.maximumLength else {
                    throw UnusableIndex()
                }
                rows.append(EntryRow(textEnd: UInt32(bounds.text.lowerBound)))
                end = range.upperBound
            } else {
                let start = number * EntryRow.storedSize
                let row = try EntryRow(stored: bytes[from: start, to: start + EntryRow.storedSize], in: bounds)
                rows.append(row)
                end = row.start + Int(row.length)
                bounds.text = Int(row.textEnd)..<bounds.text.upperBound
            }
            bounds.entriesRange = end..<bounds.entriesRange.upperBound
        }
        guard bounds.text.isEmpty else { throw UnusableIndex() }
        let text = try cursor.bytes(bounds.text.upperBound)
        self.init(rows: rows, text: [UInt8](text))
    }
}

extension HAREntrySummary {
    /// Encodes the summary: numbers, with -1 for unknown values, followed by strings.
    fileprivate func append(to bytes: inout IndexBytes) {
        for number in [byteRange.lowerBound, byteRange.upperBound, status, size ?? -1] { bytes.append(number) }
        bytes.append(time ?? -1)
        bytes.append((isFailed ? 1 : 0) | (isFromCache ? 2 : 0))
        bytes.append(texts: [method, url, startedDateTime, mimeType, resourceType, pageref])
    }

    /// Decodes a summary.
    fileprivate init(stored cursor: inout IndexCursor) throws(UnusableIndex) {
        let start = try cursor.count()
        let end = try cursor.count()
        guard start <= end else { throw UnusableIndex() }
        self.init(byteRange: start..<end)
        status = Int(truncatingIfNeeded: try cursor.number(Int64.self))
        let size = Int(truncatingIfNeeded: try cursor.number(Int64.self))
        let time = Double(bitPattern: try cursor.number(UInt64.self))
        guard size >= -1, time >= 0 || time == -1 else { throw UnusableIndex() }
        self.size = size < 0 ? nil : size
        self.time = time < 0 ? nil : time
        let flags = try cursor.number(Int64.self)
        isFailed = flags & 1 != 0
        isFromCache = flags & 2 != 0
        let texts = try cursor.texts(6)
        method = texts[0] ?? ""
        url = texts[1] ?? ""
        startedDateTime = texts[2] ?? ""
        mimeType = texts[3] ?? ""
        resourceType = texts[4]
        pageref = texts[5]
    }
}
