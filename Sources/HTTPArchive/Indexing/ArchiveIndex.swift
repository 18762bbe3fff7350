import CJSONScan
import Foundation

/// What opening an archive finds: the summaries of its entries, and everything else.
struct ArchiveIndex: Sendable {
    /// The entries.
    var table: EntryTable

    /// Everything but the entries.
    var log: HAR.Log

    /// What stands between the brackets of `entries`; empty, at 0, for an archive without them.
    var entriesRange: Range<Int>

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
        var collector = EntrySegmentBuilder()
        var entriesRange = 0..<0
        while let event = try reader.nextEvent() {
            switch event {
            case .beginEntries: entriesRange = (reader.eventOffset ?? 0) + 1..<Int.max
            case .endEntries: entriesRange = entriesRange.lowerBound..<(reader.eventOffset ?? 0)
            case .entry(let entry):
                collector.append(HAREntrySummary(of: entry, at: entry.fields.byteRange ?? 0..<0))
            case .unexpectedValue, .field, .beginLog, .endLog: break
            }
        }
        let table = EntryTable([collector.finish()])
        self.init(table: table, log: reader.log, entriesRange: entriesRange, neededLimits: configuration.limits)
    }

    init(table: EntryTable, log: HAR.Log, entriesRange: Range<Int>, neededLimits: JSONScanner.Limits) {
        self.table = table
        self.log = log
        self.entriesRange = entriesRange
        self.neededLimits = neededLimits
    }

    /// Passes over a file; `nil` when there is something that only the parser can tell.
    static func byStructure(
        of file: InputFile, configuration: HARReader.Configuration, division: ParallelEntryScan.Division = .init()
    ) throws(HARError) -> ArchiveIndex? {
        guard let size = file.size,
            let head = try ArchiveHead(of: file, size: size, limits: configuration.limits)
        else { return nil }
        let start = head.bytes.count
        let scan = ParallelEntryScan(
            file: file, range: start..<size, limits: configuration.limits, division: division)
        guard let (table, end) = try scan.run() else { return nil }

        // The parser sees the file with the array empty.
        let entriesRange = start..<end
        guard let log = try log(of: file, size: size, around: entriesRange, limits: configuration.limits) else {
            return nil
        }
        return ArchiveIndex(table: table, log: log, entriesRange: entriesRange, neededLimits: .none)
    }
}

extension ArchiveIndex {
    /// Indexes a file, or what is whole of one whose writing was broken off.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - configuration: The settings of the reader.
    /// - Returns: The index, and what is wrong at the end of the file; `nil` when it is whole.
    /// - Throws: What indexing a file throws in which more is wrong.
    static func ofWhole(
        _ file: InputFile, configuration: HARReader.Configuration
    ) throws(HARError) -> (index: ArchiveIndex, damage: HARError?) {
        do {
            return (try ArchiveIndex(of: file, configuration: configuration), nil)
        } catch {
            guard error.code == .malformedJSON,
                let truncated = try TruncatedArchive(of: file, limits: configuration.limits),
                let entriesRange = truncated.entriesRange
            else { throw error }
            let count = truncated.table.count
            let damage = HARError(
                error.code,
                "The writing of the archive was broken off; \(count) of its entries \(count == 1 ? "is" : "are") whole. "
                    + "`har repair` mends the file, and so does appending to it.",
                at: error.context, underlying: error)
            let index = ArchiveIndex(
                table: truncated.table, log: truncated.log, entriesRange: entriesRange,
                neededLimits: configuration.limits)
            return (index, damage)
        }
    }
}

extension ArchiveIndex {
    private static let chunkSize = 1 << 18

    /// Parses everything of a file but its entries, as if nothing stood between the brackets of `entries`.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - size: Its size.
    ///   - entriesRange: What stands between the brackets; empty, at 0, when there are none.
    ///   - closing: What is to be put behind a file that is broken off; `nil` by default, for one that is whole.
    ///   - limits: The limits for the parser.
    /// - Returns: `nil` when something is wrong, or the brackets are somewhere else: the file is to be parsed whole.
    /// - Throws: `unreadableFile`.
    static func log(
        of file: InputFile, size: Int, around entriesRange: Range<Int>, closing: String? = nil,
        limits: JSONScanner.Limits
    ) throws(HARError) -> HAR.Log? {
        let decoder = HARDecoder(limits: limits, file: nil, countsLines: false)
        var brackets: [Int] = []
        for part in [0..<entriesRange.lowerBound, entriesRange.upperBound..<size] {
            var start = part.lowerBound
            while start < part.upperBound {
                let chunk = try file.bytes(in: start..<min(start + chunkSize, part.upperBound))
                chunk.withUnsafeBytes { decoder.feed($0) }
                start += chunk.count
                guard follow(decoder, &brackets) else { return nil }
            }
            if part.upperBound == entriesRange.lowerBound { decoder.skip(entriesRange.count) }
        }
        Array((closing ?? "").utf8).withUnsafeBytes { decoder.feed($0) }
        decoder.finish()
        guard follow(decoder, &brackets) else { return nil }
        let expected = entriesRange.upperBound == 0 ? [] : [entriesRange.lowerBound - 1, entriesRange.upperBound]
        return brackets == expected || closing != nil ? decoder.log : nil
    }

    /// Takes the events that are complete; `false` when there is an entry or an error among them.
    private static func follow(_ decoder: HARDecoder, _ brackets: inout [Int]) -> Bool {
        do {
            while let event = try decoder.next() {
                switch event {
                case .beginEntries, .endEntries: brackets += decoder.eventOffset.map { [$0] } ?? []
                case .entry, .unexpectedValue: return false
                case .beginLog, .endLog, .field: break
                }
            }
            return true
        } catch {
            return false
        }
    }
}
