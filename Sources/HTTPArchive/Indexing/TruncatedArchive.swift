/// What is left of an archive whose writing was broken off, by a kill, a full disk or a lost connection.
///
/// Nothing else that is wrong with a file makes it one: neither JSON that is broken before its end, nor what is no archive.
struct TruncatedArchive {
    /// What has to be done to make the archive whole again.
    enum Repair: Equatable {
        /// The file ends at that place, with that text put behind.
        case truncate(at: Int, closing: String)

        /// The tail stands at a place of its own, behind what was being written, which blanks take the place of.
        case blank(Range<Int>)
    }

    /// The most that a broken write leaves of the brackets that it was written over.
    private static let maximumBracketSize = 1 << 10

    /// What has to be done.
    let repair: Repair

    /// The size of the file without zeros at its end.
    let size: Int

    /// The entries that are whole.
    let table: EntryTable

    /// The fields that are whole.
    let log: HAR.Log

    /// What stands between the brackets of `entries`, as far as it is whole; `nil` when the file ends before.
    let entriesRange: Range<Int>?

    /// Looks at a file that cannot be read as a whole; `nil` when more is wrong than that its writing was broken off.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - limits: The limits of the reader.
    /// - Throws: `unreadableFile`.
    /// - Complexity: O(*n*) in the size of the file.
    init?(of file: InputFile, limits: JSONScanner.Limits) throws(HARError) {
        guard let size = try file.sizeWithoutZeros() else { return nil }
        let pass = try PartialParse(over: file, size: size, limits: limits)
        let extent = pass.extent
        guard pass.failure?.code != .limitExceeded else { return nil }
        self.size = size
        table = pass.table
        entriesRange = extent.entries

        if let entries = extent.entries,
            let tail = try ArchiveTail.range(in: file, between: entries.upperBound, and: size),
            let whole = try ArchiveIndex.log(
                of: file, size: size, around: entries.lowerBound..<tail.upperBound, limits: limits)
        {
            repair = .blank(entries.upperBound..<tail.lowerBound)
            log = whole
            return
        }
        // What stands around the entries may be wrong in itself.
        guard let (end, closing) = try Self.truncation(of: file, size: size, pass),
            let whole = try ArchiveIndex.log(
                of: file, size: end, around: extent.entries ?? 0..<0, closing: closing, limits: limits),
            extent.entries != nil || pass.log.fields["entries"] == nil
        else { return nil }
        repair = .truncate(at: end, closing: closing)
        log = whole
    }

    /// Returns the end of the complete part, and the text that closes it; nil if the file is damaged in another way.
    private static func truncation(
        of file: InputFile, size: Int, _ pass: PartialParse
    ) throws(HARError) -> (end: Int, closing: String)? {
        let extent = pass.extent
        if pass.failure == nil { return extent.closing.map { (extent.end, $0) } }
        if extent.level == .end {
            return try ArchiveTail.isMark(in: file, between: extent.end, and: size) ? (extent.end, "") : nil
        }
        guard let entries = extent.entries, extent.level == .entries,
            size - entries.upperBound <= maximumBracketSize,
            try file.bytes(in: entries.upperBound..<size).allSatisfy(isLeftOver)
        else { return nil }
        return (entries.upperBound, ArchiveTail.brackets)
    }

    /// Whether a byte is left of a comma, blanks and brackets.
    private static func isLeftOver(_ byte: UInt8) -> Bool { JSONText.isWhitespace(byte) || ",]}".utf8.contains(byte) }
}

extension HARScanner.Extent {
    /// What closes everything that is open; `nil` where there is no archive, or nothing to close.
    fileprivate var closing: String? {
        switch level {
        case .start, .end: nil
        case .document: entries != nil || log != nil ? "}\n" : nil
        case .log where entries == nil: (isAtOpening ? "" : ",") + "\"entries\":[" + ArchiveTail.brackets
        case .log: "}}\n"
        case .entries: ArchiveTail.brackets
        }
    }
}

extension InputFile {
    /// The size without zeros at the end, which a file system leaves of what it had not written when the machine stopped;
    /// `nil` for what is no file.
    fileprivate func sizeWithoutZeros() throws(HARError) -> Int? {
        guard var size else { return nil }
        while size > 0 {
            let start = max(0, size - 1 << 16)
            let bytes = try bytes(in: start..<size)
            if let last = bytes.lastIndex(where: { $0 != 0 }) { return start + last + 1 }
            size = start
        }
        return 0
    }
}

/// A pass of the parser over an archive that may be broken: how far it is whole, and what is there.
struct PartialParse {
    private static let chunkSize = 1 << 20

    /// How far the archive is whole.
    let extent: HARScanner.Extent

    /// Its entries that are whole, and its fields.
    let table: EntryTable
    let log: HAR.Log

    /// What is wrong before the end; `nil` for an archive that is whole or ends too early.
    let failure: HARError?

    /// Parses a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - size: How many of its bytes are parsed.
    ///   - limits: The limits of the reader.
    /// - Throws: `unreadableFile`.
    init(over file: InputFile, size: Int, limits: JSONScanner.Limits) throws(HARError) {
        let decoder = HARDecoder(limits: limits, file: file.name, countsLines: false)
        var collector = EntrySegmentBuilder()
        var offset = 0
        while offset < size, decoder.failure == nil {
            let chunk = try file.bytes(in: offset..<min(offset + Self.chunkSize, size))
            chunk.withUnsafeBytes { decoder.feed($0) }
            Self.collect(from: decoder, into: &collector)
            offset += chunk.count
        }
        decoder.parseHeld()
        Self.collect(from: decoder, into: &collector)
        failure = decoder.failure
        extent = decoder.extent
        log = decoder.log
        table = EntryTable([collector.finish()])
    }

    /// Takes the events that are complete.
    private static func collect(from decoder: HARDecoder, into collector: inout EntrySegmentBuilder) {
        while let event = try? decoder.next() {
            if case .entry(let entry) = event {
                collector.append(HAREntrySummary(of: entry, at: entry.fields.byteRange ?? 0..<0))
            }
        }
    }
}
