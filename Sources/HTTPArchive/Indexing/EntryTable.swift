/// The summaries of an archive's entries, in as little memory as possible: 56 bytes an entry, its URL and its time.
struct EntryTable: Sendable {
    private struct Row {
        var start: Int
        var textStart: Int
        var time: Double
        var size: Int
        var length: UInt32
        var urlLength: UInt32
        var status: Int32
        var pageref: UInt32
        var method: UInt16
        var mimeType: UInt16
        var resourceType: UInt16
        var startedLength: UInt8
        var isFailed: Bool
    }

    /// Texts that many entries have in common, by number.
    private struct Names {
        private(set) var texts: [String] = []
        private var numbers: [String: Int] = [:]

        /// The number of a text, the greatest of all for none; `nil` when there are too many.
        mutating func number<Number: FixedWidthInteger>(of text: String?) -> Number? {
            guard let text else { return .max }
            let number = numbers[text] ?? texts.count
            guard number < Number.max else { return nil }
            if number == texts.count {
                texts.append(text)
                numbers[text] = number
            }
            return Number(number)
        }

        /// The text of a number.
        subscript<Number: FixedWidthInteger>(number: Number) -> String? {
            number == .max ? nil : texts[Int(number)]
        }
    }

    private var rows: [Row] = []
    private var text: [UInt8] = []
    private var names = Names()

    /// Summaries that do not fit into a row, by index.
    private var large: [Int: HAREntrySummary] = [:]

    /// The number of entries.
    var count: Int { rows.count }

    /// The place of an entry's text in the file.
    func byteRange(at index: Int) -> Range<Int> {
        let row = rows[index]
        return large[index]?.byteRange ?? row.start..<row.start + Int(row.length)
    }

    /// The bytes of an entry's URL, in UTF-8.
    func withURL<Result>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if var url = large[index]?.url { return url.withUTF8(body) }
        let row = rows[index]
        return text.withUnsafeBufferPointer { text in
            body(UnsafeBufferPointer(rebasing: text[row.textStart..<row.textStart + Int(row.urlLength)]))
        }
    }

    /// The method of an entry.
    func method(at index: Int) -> String { large[index]?.method ?? names[rows[index].method] ?? "" }

    /// The status of an entry.
    func status(at index: Int) -> Int { large[index]?.status ?? Int(rows[index].status) }

    subscript(index: Int) -> HAREntrySummary {
        if let summary = large[index] { return summary }
        let row = rows[index]
        let urlEnd = row.textStart + Int(row.urlLength)
        return HAREntrySummary(
            byteRange: byteRange(at: index), method: names[row.method] ?? "",
            url: String(decoding: text[row.textStart..<urlEnd], as: UTF8.self), status: Int(row.status),
            startedDateTime: String(decoding: text[urlEnd..<urlEnd + Int(row.startedLength)], as: UTF8.self),
            time: row.time < 0 ? nil : row.time, mimeType: names[row.mimeType] ?? "",
            size: row.size < 0 ? nil : row.size, resourceType: names[row.resourceType],
            pageref: names[row.pageref], isFailed: row.isFailed)
    }

    /// Adds an entry.
    mutating func append(_ summary: HAREntrySummary) {
        var row = Row(
            start: summary.byteRange.lowerBound, textStart: text.count, time: summary.time ?? -1,
            size: summary.size ?? -1, length: 0, urlLength: 0, status: 0, pageref: 0, method: 0, mimeType: 0,
            resourceType: 0, startedLength: 0, isFailed: summary.isFailed)
        if let length = UInt32(exactly: summary.byteRange.count),
            let urlLength = UInt32(exactly: summary.url.utf8.count), let status = Int32(exactly: summary.status),
            let startedLength = UInt8(exactly: summary.startedDateTime.utf8.count),
            let method: UInt16 = names.number(of: summary.method),
            let mimeType: UInt16 = names.number(of: summary.mimeType),
            let resourceType: UInt16 = names.number(of: summary.resourceType),
            let pageref: UInt32 = names.number(of: summary.pageref)
        {
            row.length = length
            row.urlLength = urlLength
            row.status = status
            row.startedLength = startedLength
            row.method = method
            row.mimeType = mimeType
            row.resourceType = resourceType
            row.pageref = pageref
            text.append(contentsOf: summary.url.utf8)
            text.append(contentsOf: summary.startedDateTime.utf8)
        } else {
            large[rows.count] = summary
        }
        rows.append(row)
    }
}
