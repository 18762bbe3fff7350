/// A pass of the parser over an archive that may be broken: how far it is whole, and what is there.
struct ArchivePass {
    private static let pieceSize = 1 << 20

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
        var collector = EntryCollector()
        var place = 0
        while place < size, decoder.failure == nil {
            let piece = try file.bytes(in: place..<min(place + Self.pieceSize, size))
            piece.withUnsafeBytes { decoder.feed($0) }
            Self.collect(from: decoder, into: &collector)
            place += piece.count
        }
        decoder.parseHeld()
        Self.collect(from: decoder, into: &collector)
        failure = decoder.failure
        extent = decoder.extent
        log = decoder.log
        table = EntryTable([collector.finish()])
    }

    /// Takes the events that are complete.
    private static func collect(from decoder: HARDecoder, into collector: inout EntryCollector) {
        while let event = try? decoder.next() {
            if case .entry(let entry) = event {
                collector.append(HAREntrySummary(of: entry, at: entry.fields.byteRange ?? 0..<0))
            }
        }
    }
}
