import CJSONScan
import Foundation

/// What opening an archive finds: the summaries of its entries, and everything else.
struct ArchiveIndex: Sendable {
    /// The entries.
    var table: EntryTable

    /// Everything but the entries.
    var log: HAR.Log

    /// What stands between the brackets of `entries`; empty, at 0, for an archive without them.
    var place: Range<Int>

    /// The least limits under which a file opens, as far as the parser had a say in that.
    var neededLimits: JSONScanner.Limits

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
        // It may have been parsed before.
        file.rewind()
        let reader = HARReader(file: file, configuration: configuration)
        var collector = EntryCollector()
        var place = 0..<0
        while let event = try reader.nextEvent() {
            switch event {
            case .beginEntries: place = (reader.eventOffset ?? 0) + 1..<Int.max
            case .endEntries: place = place.lowerBound..<(reader.eventOffset ?? 0)
            case .entry(let entry):
                collector.append(HAREntrySummary(of: entry, at: entry.fields.byteRange ?? 0..<0))
            case .stray, .field, .beginLog, .endLog: break
            }
        }
        let table = EntryTable([collector.finish()])
        self.init(table: table, log: reader.log, place: place, neededLimits: configuration.limits)
    }

    init(table: EntryTable, log: HAR.Log, place: Range<Int>, neededLimits: JSONScanner.Limits) {
        self.table = table
        self.log = log
        self.place = place
        self.neededLimits = neededLimits
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
        let place = start..<end
        guard let log = try log(of: file, size: size, around: place, limits: configuration.limits) else { return nil }
        return ArchiveIndex(table: table, log: log, place: place, neededLimits: .none)
    }
}
