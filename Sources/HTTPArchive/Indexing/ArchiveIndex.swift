import CStructure
import Foundation

/// What opening an archive finds: the summaries of its entries, and everything else.
struct ArchiveIndex {
    /// The entries.
    var table: EntryTable

    /// Everything but the entries.
    var log: HAR.Log

    /// Indexes a file, by its structure where that is enough, else by parsing it whole.
    init(of file: InputFile, configuration: HARReader.Configuration) throws(HARError) {
        if let index = try Self.byStructure(of: file, configuration: configuration) {
            self = index
        } else {
            try self.init(parsing: file, configuration: configuration)
        }
    }

    /// Parses a file from front to back.
    init(parsing file: InputFile, configuration: HARReader.Configuration) throws(HARError) {
        let reader = HARReader(file: file, configuration: configuration)
        var collector = EntryCollector()
        while let entry = try reader.nextEntry() {
            collector.append(HAREntrySummary(of: entry, at: entry.fields.byteRange ?? 0..<0))
        }
        self.init(table: EntryTable([collector.finish()]), log: reader.log)
    }

    private init(table: EntryTable, log: HAR.Log) {
        self.table = table
        self.log = log
    }

    /// Passes over a file; `nil` when there is something that only the parser can tell.
    static func byStructure(
        of file: InputFile, configuration: HARReader.Configuration, division: DividedPassage.Division = .init()
    ) throws(HARError) -> ArchiveIndex? {
        guard let size = file.size,
            let head = try ArchiveHead(of: file, size: size, limits: configuration.limits)
        else { return nil }
        let start = head.bytes.count
        let passage = DividedPassage(
            file: file, places: start..<size, limits: configuration.limits, division: division)
        guard let (table, end) = try passage.run() else { return nil }

        // The parser sees the file with the array empty.
        let rest = HARDecoder(limits: configuration.limits, file: nil)
        head.bytes.withUnsafeBytes { rest.feed($0) }
        rest.skip(end - start)
        var place = end
        while place < size {
            let piece = try file.bytes(in: place..<min(place + division.pieceSize, size))
            piece.withUnsafeBytes { rest.feed($0) }
            place += piece.count
            do { while try rest.next() != nil {} } catch { return nil }
        }
        rest.finish()
        do { while try rest.next() != nil {} } catch { return nil }
        return ArchiveIndex(table: table, log: rest.log)
    }
}
