public import Foundation

/// An archive on disk whose entries are read when they are asked for.
///
/// Opening passes over the structure of the file, on all processors where it is large, and keeps a summary of each entry:
/// its URL, the text of its time, and 56 bytes. JSON that is broken within an entry is found when that entry is asked for;
/// broken otherwise, the archive cannot be opened. The archive can be used from several threads at once.
public final class HARArchive: Sendable {
    private let file: InputFile
    private let table: EntryTable
    private let limits: JSONScanner.Limits

    /// Everything but the entries.
    public let log: HAR.Log

    /// The file.
    public let url: URL

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings of the reader; the default ones unless given.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`.
    /// - Complexity: O(*n*) in the size of the file.
    public convenience init(
        contentsOf url: URL, configuration: HARReader.Configuration = HARReader.Configuration()
    ) throws(HARError) {
        let file = try InputFile(url: url)
        let index = try ArchiveIndex(of: file, configuration: configuration)
        self.init(file: file, at: url, index: index, limits: configuration.limits)
    }

    private init(file: InputFile, at url: URL, index: ArchiveIndex, limits: JSONScanner.Limits) {
        self.file = file
        self.url = url
        self.limits = limits
        table = index.table
        log = index.log
    }

    /// The number of entries.
    public var count: Int { table.count }

    /// What is known of an entry without reading it.
    ///
    /// - Parameter index: The place of the entry in the file, counted from 0; it must be below ``count``.
    /// - Returns: The summary.
    public func summary(at index: Int) -> HAREntrySummary { table[index] }

    /// The places of the entries that a filter selects.
    ///
    /// - Parameter filter: The filter.
    /// - Returns: The places, counted from 0, in their order.
    /// - Throws: As ``entry(at:)`` does, where the filter has to know more of an entry than its summary.
    public func indices(selectedBy filter: HAREntryFilter) throws(HARError) -> [Int] {
        var indices: [Int] = []
        for index in 0..<count where try filter.selects(HAREntryFacts(of: self, at: index), at: index) {
            indices.append(index)
        }
        return indices
    }

    /// The text of an entry, as it stands in the file.
    func text(at index: Int) throws(HARError) -> [UInt8] { try file.bytes(in: table.byteRange(at: index)) }

    /// Reads one entry.
    ///
    /// - Parameter index: The place of the entry in the file, counted from 0; it must be below ``count``.
    /// - Returns: The entry.
    /// - Throws: `malformedJSON` when the entry is broken, or the file was changed since it was opened;
    ///   `unreadableFile` when it has become shorter.
    /// - Complexity: O(*n*) in the size of the entry.
    public func entry(at index: Int) throws(HARError) -> HAR.Entry {
        let range = table.byteRange(at: index)
        let scanner = JSONScanner(limits: limits)
        scanner.skip(range.lowerBound)
        var parser = JSONParser(scanner: scanner)
        do {
            try parser.feed(file.bytes(in: range))
            try parser.finish()
        } catch {
            // Lines are counted from the entry's start, which tells nobody anything.
            var context = HARError.Context(file: file.name, byteOffset: error.context.byteOffset)
            context.pointer = JSONPointer(["log", "entries", String(index)])
            throw HARError(error.code, error.message, at: context, underlying: error.underlying)
        }
        guard let fields = scanner.value?.root.value.object else {
            throw HARError(
                .unreadableFile, "The file was changed since it was opened; open it again.",
                at: .init(file: file.name, byteOffset: range.lowerBound))
        }
        return HAR.Entry(fields: fields)
    }
}
