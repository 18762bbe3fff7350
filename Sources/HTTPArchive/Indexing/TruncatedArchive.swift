/// The complete part of an archive whose end is missing, for example because a process was killed, the disk was full,
/// or a connection was lost.
///
/// Files with other damage, such as JSON that is invalid before the end, are not truncated archives.
package struct TruncatedArchive {
    /// The change that makes the archive complete again.
    package enum Repair: Equatable {
        /// The file is truncated at this offset, and this text is appended.
        case truncate(at: Int, closing: String)

        /// The tail of the archive is intact. The incomplete write in this range before it is overwritten with spaces.
        case blank(Range<Int>)
    }

    /// The maximum size of the old brackets that can remain after an incomplete write, in bytes.
    private static let maximumBracketSize = 1 << 10

    /// The required change.
    package let repair: Repair

    /// The size of the file without trailing zeros, in bytes.
    package let size: Int

    /// The complete entries.
    let table: EntryTable

    /// The complete fields.
    let log: HAR.Log

    /// The complete part of the range between the brackets of `entries`, or nil if the file ends before it.
    package let entriesRange: Range<Int>?

    /// Whether the text after the complete part is invalid, not only incomplete.
    let hasInvalidText: Bool

    /// Examines a file that cannot be read completely, or returns nil if there is any damage other than a missing end.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - limits: The limits of the reader.
    /// - Throws: `unreadableFile`.
    /// - Complexity: O(*n*) in the size of the file.
    package init?(of file: InputFile, limits: JSONScanner.Limits) throws(HARError) {
        guard let fileSize = file.size else { return nil }
        // After a system crash, a file can end with zeros in place of data that did not reach the disk.
        let size = try file.end(of: 0..<fileSize) { $0 != 0 }
        let pass = try PartialParse(over: file, size: size, limits: limits)
        let extent = pass.extent
        guard pass.failure?.code != .limitExceeded else { return nil }
        self.size = size
        table = pass.table
        entriesRange = extent.entries
        hasInvalidText = pass.failure != nil

        if let entries = extent.entries,
            let tail = try ArchiveTail.range(in: file, between: entries.upperBound, and: size),
            let whole = try ArchiveIndex.log(
                of: file, size: size, around: entries.lowerBound..<tail.upperBound, limits: limits)
        {
            repair = .blank(entries.upperBound..<tail.lowerBound)
            log = whole
            return
        }
        // No log is returned if the text around the entries is also invalid.
        guard let (end, closing) = try Self.truncation(of: file, size: size, pass),
            let whole = try ArchiveIndex.log(
                of: file, size: end, around: extent.entries ?? 0..<0, closing: closing, limits: limits),
            extent.entries != nil || pass.log.fields["entries"] == nil
        else { return nil }
        repair = .truncate(at: end, closing: closing)
        log = whole
    }

    /// Returns the end of the complete part and the text that closes it, or nil if the file has any other damage.
    private static func truncation(
        of file: InputFile, size: Int, _ pass: PartialParse
    ) throws(HARError) -> (end: Int, closing: String)? {
        let extent = pass.extent
        if pass.failure == nil { return extent.closing.map { (extent.end, $0) } }
        if extent.level == .end {
            return try ArchiveTail.isIncomplete(in: file, between: extent.end, and: size) ? (extent.end, "") : nil
        }
        guard let entries = extent.entries, extent.level == .entries,
            size - entries.upperBound <= maximumBracketSize,
            try file.bytes(in: entries.upperBound..<size).allSatisfy(isLeftOver)
        else { return nil }
        return (entries.upperBound, ArchiveTail.brackets)
    }

    /// Returns whether a byte can be part of the comma, whitespace or brackets that an incomplete write left over.
    private static func isLeftOver(_ byte: UInt8) -> Bool { JSONText.isWhitespace(byte) || ",]}".utf8.contains(byte) }
}

extension HARScanner.Extent {
    /// The text that closes all open containers, or nil if none is open or the file is not an archive.
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

/// The result of parsing an archive that may be damaged.
struct PartialParse {
    private static let chunkSize = 1 << 20

    /// The complete part of the archive.
    let extent: HARScanner.Extent

    /// The complete entries, and the fields of the log.
    let table: EntryTable
    let log: HAR.Log

    /// The error before the end of the file, or nil if the archive is complete or only truncated.
    let failure: HARError?

    /// Parses a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - size: The number of bytes to parse.
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

    /// Collects the entries from the available events.
    private static func collect(from decoder: HARDecoder, into collector: inout EntrySegmentBuilder) {
        while let event = try? decoder.next() {
            if case .entry(let entry) = event {
                collector.append(HAREntrySummary(of: entry, at: entry.fields.byteRange ?? 0..<0))
            }
        }
    }
}
