/// A segment as a kept index has it: what its entries have in common and the summaries that fit no row, then its chunks.
extension EntrySegment {
    /// Gives the segment in parts, each of them whole blocks.
    func write(_ body: (IndexBytes) throws(HARError) -> Void) throws(HARError) {
        var bytes = IndexBytes()
        for number in [count, names.count, pages.count, large.count] { bytes.append(number) }
        bytes.append(texts: names)
        bytes.append(texts: pages)
        for (index, summary) in large.sorted(by: { $0.key < $1.key }) {
            bytes.append(index)
            summary.append(to: &bytes)
        }
        bytes.fillBlock()
        try body(bytes)
        for chunk in chunks {
            bytes.removeAll()
            bytes.append(chunk.text.count)
            for row in chunk.rows { row.append(to: &bytes) }
            bytes.append(text: chunk.text)
            bytes.fillBlock()
            try body(bytes)
        }
    }

    /// Reads a segment.
    ///
    /// - Parameters:
    ///   - cursor: The place where the segment begins.
    ///   - place: Where entries can be; the rest of that afterwards.
    ///   - maximumLength: The size of the largest entry.
    /// - Throws: ``UnusableIndex`` for what cannot be.
    init(kept cursor: inout IndexCursor, in place: inout Range<Int>, maximumLength: Int) throws(UnusableIndex) {
        let count = try cursor.count(ofSize: EntryRow.keptSize)
        let nameCount = try cursor.count(ofSize: 8)
        let pageCount = try cursor.count(ofSize: 8)
        let largeCount = try cursor.count(ofSize: HAREntrySummary.leastKeptSize)
        let names = try cursor.texts(nameCount).map { $0 ?? "" }
        let pages = try cursor.texts(pageCount).map { $0 ?? "" }
        var large: [Int: HAREntrySummary] = [:]
        for _ in 0..<largeCount {
            let index = try cursor.count()
            let summary = try HAREntrySummary(kept: &cursor)
            guard index < count, large.updateValue(summary, forKey: index) == nil else { throw UnusableIndex() }
        }
        try cursor.passFilling()

        var bounds = EntryRow.Bounds(
            place: place, maximumLength: maximumLength, text: 0..<0, nameCount: nameCount, pageCount: pageCount)
        var chunks: [Chunk] = []
        for start in stride(from: 0, to: count, by: Self.chunkSize) {
            let rowCount = min(Self.chunkSize, count - start)
            chunks.append(try Chunk(kept: &cursor, rowCount: rowCount, large: large, from: start, in: &bounds))
            try cursor.passFilling()
        }
        place = bounds.place
        self.init(chunks: chunks, names: names, pages: pages, large: large)
    }
}

extension EntrySegment.Chunk {
    /// Reads a chunk whose first entry is the one of that number in its segment.
    fileprivate init(
        kept cursor: inout IndexCursor, rowCount: Int, large: [Int: HAREntrySummary], from first: Int,
        in bounds: inout EntryRow.Bounds
    ) throws(UnusableIndex) {
        bounds.text = 0..<(try cursor.count(ofSize: 1))
        let bytes = try cursor.bytes(rowCount * EntryRow.keptSize)
        var rows: [EntryRow] = []
        rows.reserveCapacity(rowCount)
        for number in 0..<rowCount {
            let end: Int
            if !large.isEmpty, let summary = large[first + number] {
                let range = summary.byteRange
                guard bounds.place.contains(range), range.count <= bounds.maximumLength else { throw UnusableIndex() }
                rows.append(EntryRow())
                end = range.upperBound
            } else {
                let start = number * EntryRow.keptSize
                let row = try EntryRow(kept: bytes[from: start, to: start + EntryRow.keptSize], in: bounds)
                rows.append(row)
                end = row.start + Int(row.length)
                bounds.text = row.textStart + Int(row.urlLength) + Int(row.startedLength)..<bounds.text.upperBound
            }
            bounds.place = end..<bounds.place.upperBound
        }
        guard bounds.text.isEmpty else { throw UnusableIndex() }
        let text = try cursor.bytes(bounds.text.upperBound)
        self.init(rows: rows, text: [UInt8](text))
    }
}

extension HAREntrySummary {
    /// The size of a summary without texts, in bytes.
    fileprivate static let leastKeptSize = 104

    /// Appends the summary: numbers, -1 for one that is unknown, then texts.
    fileprivate func append(to bytes: inout IndexBytes) {
        for number in [byteRange.lowerBound, byteRange.upperBound, status, size ?? -1] { bytes.append(number) }
        bytes.append(time ?? -1)
        bytes.append(isFailed ? 1 : 0)
        bytes.append(texts: [method, url, startedDateTime, mimeType, resourceType, pageref])
    }

    /// Reads a summary.
    fileprivate init(kept cursor: inout IndexCursor) throws(UnusableIndex) {
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
        isFailed = try cursor.number(Int64.self) != 0
        let texts = try cursor.texts(6)
        method = texts[0] ?? ""
        url = texts[1] ?? ""
        startedDateTime = texts[2] ?? ""
        mimeType = texts[3] ?? ""
        resourceType = texts[4]
        pageref = texts[5]
    }
}
