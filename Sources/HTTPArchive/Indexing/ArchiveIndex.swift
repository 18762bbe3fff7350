import CJSONScan
import Foundation

/// The result of opening an archive: the summaries of its entries and all fields outside the entries.
package struct ArchiveIndex: Sendable {
    /// The summaries of the entries.
    var table: EntryTable

    /// The log, without its entries.
    var log: HAR.Log

    /// The range between the brackets of `entries`, or `0..<0` for an archive without an `entries` field.
    package var entriesRange: Range<Int>

    /// The limits that applied when the whole file was parsed, or zero if the file was indexed by its structure.
    package var neededLimits: JSONScanner.Limits

    /// Indexes a file by its structure if possible, and otherwise by parsing it.
    package init(of file: InputFile, configuration: HARReader.Configuration) throws(HARError) {
        if let index = try Self.byStructure(of: file, configuration: configuration) {
            self = index
        } else {
            try self.init(parsing: file, configuration: configuration)
        }
    }

    /// Indexes a file by parsing it from start to end.
    init(parsing file: InputFile, configuration: HARReader.Configuration) throws(HARError) {
        // A previous attempt may have read from the file.
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

    /// Indexes a file by its structure, or returns `nil` if the whole file must be parsed.
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

        // The log is parsed as if `entries` were empty.
        let entriesRange = start..<end
        guard let log = try log(of: file, size: size, around: entriesRange, limits: configuration.limits) else {
            return nil
        }
        return ArchiveIndex(table: table, log: log, entriesRange: entriesRange, neededLimits: .none)
    }
}

extension ArchiveIndex {
    /// Indexes a file, or the complete part of a truncated file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - configuration: The settings of the reader.
    /// - Returns: The index, and the error at the end of a truncated file. The error is `nil` if the file is complete.
    /// - Throws: The reader's error if the file is damaged in any other way.
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
            let damage =
                truncated.hasInvalidText
                ? error
                : HARError(
                    error.code,
                    "The archive is truncated after \(count) complete \(count == 1 ? "entry" : "entries"). "
                        + "Repair the file with `har repair`.",
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

    /// Parses a file without its entries, as if `entries` were an empty array.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - size: The size of the archive, in bytes.
    ///   - entriesRange: The range between the brackets of `entries`, or `0..<0` for an archive without `entries`.
    ///   - closing: The text that completes a truncated file, or `nil` (the default) for a complete file.
    ///   - limits: The limits of the parser.
    /// - Returns: The log, or `nil` if the text is invalid or the brackets of `entries` are at other offsets. The whole
    ///   file must then be parsed.
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
            guard part.upperBound == entriesRange.lowerBound, !entriesRange.isEmpty else { continue }
            // In a forged index, the range may start inside a value, and the parser cannot skip part of a value.
            guard brackets == [entriesRange.lowerBound - 1] else { return nil }
            decoder.skip(entriesRange.count)
        }
        Array((closing ?? "").utf8).withUnsafeBytes { decoder.feed($0) }
        decoder.finish()
        guard follow(decoder, &brackets) else { return nil }
        let expected = entriesRange.upperBound == 0 ? [] : [entriesRange.lowerBound - 1, entriesRange.upperBound]
        return brackets == expected || closing != nil ? decoder.log : nil
    }

    /// Reads the available events and collects the offsets of the brackets.
    ///
    /// Returns `false` at a value in `entries` or an error.
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
