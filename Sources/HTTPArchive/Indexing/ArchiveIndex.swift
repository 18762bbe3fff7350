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
}

extension EntrySegmentBuilder {
    /// Returns an index of the entries collected so far.
    ///
    /// - Parameters:
    ///   - log: The log, without its entries.
    ///   - size: The size of the file with the entries, in bytes.
    /// - Returns: The index.
    package func index(with log: HAR.Log, upTo size: Int) -> ArchiveIndex {
        ArchiveIndex(
            table: EntryTable([segment]), log: log, entriesRange: 0..<size,
            neededLimits: HARReader.Configuration().limits)
    }
}

extension ArchiveIndex {
    /// Indexes a file by its structure if possible, and otherwise by parsing it.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - configuration: The settings of the reader.
    ///   - requiresEntries: Whether a log without an array of entries is an error; true by default.
    /// - Throws: The errors of ``HARReader/nextEvent()``.
    package init(
        of file: InputFile, configuration: HARReader.Configuration, requiresEntries: Bool = true
    ) throws(HARError) {
        if let index = try Self.byStructure(of: file, configuration: configuration) {
            self = index
        } else {
            try self.init(parsing: file, configuration: configuration, requiresEntries: requiresEntries)
        }
    }

    /// Indexes a file by parsing it from start to end.
    init(
        parsing file: InputFile, configuration: HARReader.Configuration, requiresEntries: Bool = true
    ) throws(HARError) {
        // A previous attempt may have read from the file.
        file.rewind()
        let reader = HARReader(file: file, configuration: configuration)
        reader.requiresEntries = requiresEntries
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
        decoder.requiresEntries = false
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

/// Reads and writes index files. A file consists of a header, segments, and a hash of both (see `Docs/IndexFormat.md`).
extension ArchiveIndex {
    /// The size of the hash at the end of the file, in bytes.
    private static let hashSize = 8

    /// Returns an upper bound for the size of an archive's index, in bytes.
    ///
    /// A stored row is at most 16 times the size of its entry. The strings add less than that.
    private static func maximumSize(ofArchive size: Int) -> Int { 1 << 16 + 64 * size }

    /// Reads the index of an archive from an index file, or returns `nil` if the file is invalid, belongs to another
    /// archive, or is writable by other users.
    ///
    /// - Parameters:
    ///   - url: The index file.
    ///   - file: The archive.
    ///   - configuration: The settings of the reader.
    init?(stored url: URL, of file: InputFile, configuration: HARReader.Configuration) {
        guard let stamp = file.stamp, let stored = try? InputFile(url: url, waitsForWriter: false),
            stored.isTrusted, let size = stored.size,
            (IndexHeader.size + Self.hashSize...Self.maximumSize(ofArchive: stamp.size)).contains(size),
            let head = try? stored.bytes(in: 0..<IndexHeader.size),
            let header = try? head.withUnsafeBytes({ try IndexHeader($0) }),
            header.stamp == stamp, header.entriesRange.lowerBound > 0,
            configuration.limits.includes(header.neededLimits),
            configuration.limits.allows(entryCount: header.entryCount, upTo: stamp.size),
            let fingerprint = try? file.fingerprint(size: stamp.size), header.fingerprint == fingerprint,
            let table = try? Self.table(in: stored, after: head, size: size, header, configuration.limits),
            let log = try? Self.log(
                of: file, size: stamp.size, around: header.entriesRange, limits: configuration.limits)
        else { return nil }
        self.init(table: table, log: log, entriesRange: header.entriesRange, neededLimits: header.neededLimits)
    }

    /// Reads the segments that follow the header, and checks the hash.
    private static func table(
        in file: InputFile, after head: [UInt8], size: Int, _ header: IndexHeader, _ limits: JSONScanner.Limits
    ) throws(UnusableIndex) -> EntryTable {
        let end = size - hashSize
        var input = IndexInput(file, after: head, upTo: end)
        var entriesRange = header.entriesRange
        var segments: [EntrySegment] = []
        for _ in 0..<header.segmentCount {
            segments.append(try EntrySegment(stored: &input, in: &entriesRange, maximumLength: limits.valueSize))
        }
        let table = EntryTable(segments)
        guard input.isAtEnd, table.count == header.entryCount, let tail = try? file.bytes(in: end..<size),
            tail == bytes(of: input.hash)
        else { throw UnusableIndex() }
        return table
    }

    /// Encodes the hash.
    private static func bytes(of hash: ContentHash) -> [UInt8] {
        var bytes = IndexBytes()
        bytes.append(hash.value)
        return bytes.bytes
    }

    /// Writes the index to a file that only its owner can read, because the index contains URLs.
    ///
    /// - Parameters:
    ///   - url: The index file, which is written atomically.
    ///   - file: The archive.
    ///   - stamp: The stamp of the archive when the index was created.
    /// - Throws: `unwritableFile`; `unreadableFile` if the archive has changed since then.
    func write(to url: URL, of file: InputFile, stamp: ArchiveStamp) throws(HARError) {
        let fingerprint = try file.fingerprint(size: stamp.size)
        guard file.stamp == stamp else {
            throw HARError(
                .unreadableFile, "The file was changed after it was opened. Open it again.", at: .init(file: file.name))
        }
        var settings = OutputFile.Settings()
        settings.isPrivate = true
        settings.keepsPermissions = false
        let output = try OutputFile(url: url, settings: settings)
        var hash = ContentHash()
        let write = { (bytes: [UInt8]) throws(HARError) in
            let result = bytes.withUnsafeBytes { bytes in
                hash.add(bytes)
                return Result { () throws(HARError) in try output.write(bytes) }
            }
            try result.get()
        }
        let header = IndexHeader(
            stamp: stamp, fingerprint: fingerprint, entriesRange: entriesRange, neededLimits: neededLimits,
            segmentCount: table.segments.count, entryCount: table.count)
        try write(header.bytes)
        for segment in table.segments {
            try segment.write { part throws(HARError) in try write(part.bytes) }
        }
        try write(Self.bytes(of: hash))
        try output.finish()
    }
}
