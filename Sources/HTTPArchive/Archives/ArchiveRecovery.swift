/// The valid entries of a damaged archive, and the invalid ranges of its file.
struct ArchiveRecovery {
    /// The valid entries.
    let table: EntryTable

    /// The log, without its entries.
    let log: HAR.Log

    /// The invalid byte ranges within `entries`.
    let broken: [Range<Int>]

    /// Finds the valid entries of an archive whose structure is valid.
    ///
    /// - Parameter archive: The archive.
    /// - Throws: `limitExceeded` or `unreadableFile`.
    /// - Complexity: O(*n*) in the size of the file.
    init(of archive: HARArchive) throws(HARError) {
        var collector = EntrySegmentBuilder()
        var broken: [Range<Int>] = []
        var validator: JSONValidator?
        for index in 0..<archive.count {
            let summary = archive.summary(at: index)
            do throws(HARError) {
                _ = try archive.text(at: index, validatedBy: &validator)
                collector.append(summary)
            } catch {
                guard error.code == .malformedJSON else { throw error }
                broken.append(summary.byteRange)
            }
        }
        self.init(table: EntryTable([collector.finish()]), log: archive.log, broken: broken)
    }

    /// Finds the valid entries of a file that cannot be parsed as a whole, or returns nil if the file is damaged before
    /// its entries.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - limits: The limits of the reader.
    /// - Throws: `unreadableFile`.
    /// - Complexity: O(*n*) in the size of the file and in the number of objects that could be entries.
    init?(of file: InputFile, limits: JSONScanner.Limits) throws(HARError) {
        guard let size = file.size, let head = try ArchiveHead(of: file, size: size, limits: limits) else { return nil }
        let start = head.bytes.count
        let search = try EntrySearch(file, size: size, from: start, limits: limits)
        var collector = EntrySegmentBuilder()
        var broken: [Range<Int>] = []
        var offset = start
        while true {
            let (end, isClosed) = try search.read(from: offset) { collector.append($0) }
            if isClosed, let log = try search.log(endingAt: end) {
                self.init(table: EntryTable([collector.finish()]), log: log, broken: broken)
                return
            }
            if end > offset {
                // A comma is missing, or there is an extra one.
                offset = end
                continue
            }
            guard let next = try search.nextEntry(after: offset) else { break }
            broken.append(offset..<(try search.end(of: offset..<next)))
            offset = next
        }
        let tail = try search.tail(after: offset)
        let end = try search.end(of: offset..<(tail?.offset ?? size))
        if end > offset { broken.append(offset..<end) }
        var log = tail?.log
        if log == nil { log = try search.log(endingAt: nil) }
        guard let log else { return nil }
        self.init(table: EntryTable([collector.finish()]), log: log, broken: broken)
    }

    private init(table: EntryTable, log: HAR.Log, broken: [Range<Int>]) {
        self.table = table
        self.log = log
        self.broken = broken
    }
}
