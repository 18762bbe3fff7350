import Dispatch
import Foundation
import HTTPArchive
import Synchronization

/// Converts the entries of archives to rows, on all processors.
///
/// Consecutive entries form blocks, which are converted at the same time, while the rows of earlier blocks are written in
/// order. Memory use depends on the size of a few blocks.
struct TableConverter {
    /// A number of consecutive entries.
    private struct Block: Sendable {
        /// The index of the first entry.
        let first: Int

        var count = 0
        var size = 0

        /// The decoded entries; empty if they are read from the archive.
        var entries: [HAR.Entry] = []

        /// Whether the block has the number of entries or bytes that a thread converts at once.
        var isFull: Bool { count >= 64 || size >= TableConverter.blockSize }

        /// Adds the next entry.
        ///
        /// - Parameters:
        ///   - entry: The entry, or nil if it is read from the archive.
        ///   - size: The size of the entry, in bytes.
        mutating func append(_ entry: HAR.Entry?, size: Int) {
            if let entry { entries.append(entry) }
            count += 1
            self.size += size
        }
    }

    /// The rows of a block, up to the first error.
    private typealias Rows = (text: TableText, failure: HARError?)

    /// A conversion of blocks in the background.
    private final class Conversion: Sendable {
        private let group = DispatchGroup()
        private let rows = Mutex<[Rows]>([])

        /// Starts a conversion.
        init(_ convert: @escaping @Sendable () -> [Rows]) {
            DispatchQueue.global().async(group: group) {
                let converted = convert()
                self.rows.withLock { $0 = converted }
            }
        }

        /// Waits for the end of the conversion, and returns the rows of each block.
        func wait() -> [Rows] {
            group.wait()
            return rows.withLock { $0 }
        }
    }

    /// The approximate size of a block, in bytes.
    private static let blockSize = 1 << 18

    /// The maximum number of blocks in memory; fewer if they contain large entries.
    private static let blockCount = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount)

    /// The columns of the table.
    let columns: [TableColumn]

    /// The format of the table.
    let format: TableFormat

    /// Whether text fields of CSV have an apostrophe before a character that begins a formula.
    let avoidsFormulas: Bool

    /// The conditions that select entries.
    let conditions: FilterOptions

    /// The limits on the archives.
    let sizes: SizeOptions

    /// Converts an archive.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - progress: A closure that is called often, with the number of bytes read so far.
    ///   - write: A closure that receives the rows in order.
    /// - Returns: The error of the archive, or nil if it was converted completely. The rows before an error have been
    ///   written.
    /// - Throws: The error of `write`.
    func convert(
        _ file: Input, progress: (_ bytesRead: Int) -> Void, write: (TableText) throws(HARError) -> Void
    ) throws(HARError) -> HARError? {
        var source: TableSource
        do throws(HARError) {
            source = try TableSource(file, sizes)
        } catch {
            return error
        }
        let folder = sizes.folder(of: file)
        let filter = conditions.filter(in: folder)
        var archive = TableRow.Archive(file: file.argument, folder: folder)
        var count = 0
        var failure: HARError?
        var conversion: Conversion?
        defer { _ = conversion?.wait() }
        while failure == nil {
            var blocks: [Block] = []
            var size = 0
            do throws(HARError) {
                while blocks.count < Self.blockCount || blocks.last?.isFull == false,
                    size < Self.blockCount * Self.blockSize, let next = try source.next()
                {
                    if count == 0, columns.contains(.pageTitle) { archive.pageTitles = source.pageTitles() }
                    if blocks.last?.isFull ?? true { blocks.append(Block(first: count)) }
                    blocks[blocks.count - 1].append(next.entry, size: next.size)
                    size += next.size
                    count += 1
                }
            } catch {
                failure = error
            }
            let last = conversion
            let empty = (
                text: TableText(columns: columns, format: format, avoidsFormulas: avoidsFormulas),
                failure: HARError?.none
            )
            conversion =
                blocks.isEmpty
                ? nil
                : Conversion { [archive, blocks, entries = source.archive] in
                    Self.rows(of: blocks, from: entries, in: archive, selectedBy: filter, empty)
                }
            if let last, let failure = try Self.write(last, with: write) { return failure }
            if blocks.isEmpty { break }
            progress(source.bytesRead)
        }
        if let conversion, let failure = try Self.write(conversion, with: write) { return failure }
        return failure
    }

    /// Writes the rows of a conversion up to the first error, which it returns.
    private static func write(
        _ conversion: Conversion, with write: (TableText) throws(HARError) -> Void
    ) throws(HARError) -> HARError? {
        for rows in conversion.wait() {
            try write(rows.text)
            if let failure = rows.failure { return failure }
        }
        return nil
    }

    /// Converts blocks at the same time.
    ///
    /// - Parameters:
    ///   - blocks: The blocks.
    ///   - entries: The archive of blocks without decoded entries.
    ///   - archive: The properties of the archive.
    ///   - filter: The filter, or nil for all entries.
    ///   - empty: The result of a block without selected entries.
    /// - Returns: The rows of each block.
    private static func rows(
        of blocks: [Block], from entries: HARArchive?, in archive: TableRow.Archive,
        selectedBy filter: HAREntryFilter?, _ empty: Rows
    ) -> [Rows] {
        let results = Mutex([Rows](repeating: empty, count: blocks.count))
        DispatchQueue.concurrentPerform(iterations: blocks.count) { number in
            let block = blocks[number]
            var rows = empty
            do throws(HARError) {
                for offset in 0..<block.count {
                    let index = block.first + offset
                    // Entries that are not selected are decoded, too, so that an error in any entry is found.
                    let entry = try entries?.entry(at: index) ?? block.entries[offset]
                    guard try filter?.selects(HAREntryFacts(of: entry), at: index) ?? true else { continue }
                    rows.text.append(TableRow(entry, at: index, of: archive))
                }
            } catch {
                rows.failure = error
            }
            let result = rows
            results.withLock { $0[number] = result }
        }
        return results.withLock { $0 }
    }
}

/// The entries of an archive, in order.
///
/// The entries of a file that is not too large are located first, so that they can be decoded at the same time. All other
/// archives are read in one pass: pipes, compressed and damaged archives, and archives whose index could be large.
struct TableSource {
    /// The archive from which the entries are decoded; nil if ``next()`` returns them.
    let archive: HARArchive?

    /// The reader for one pass.
    private let reader: HARReader

    private let file: Input
    private let sizes: SizeOptions
    private var count = 0

    /// The maximum size of a file that is opened for random access, in bytes.
    ///
    /// The index takes about 100 bytes for each entry.
    private static let indexedSize = 1 << 28

    /// Opens an archive.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - sizes: The limits on the archive.
    /// - Throws: `unreadableFile` or `limitExceeded`.
    init(_ file: Input, _ sizes: SizeOptions) throws(HARError) {
        self.file = file
        self.sizes = sizes
        reader = try file.reader(sizes)
        // The number of bytes of pipes and compressed archives is unknown.
        let isIndexed = !file.isStream && (reader.byteCount ?? .max) <= Self.indexedSize
        archive = isIndexed ? try file.archiveUnlessDamaged(sizes) : nil
    }

    /// The number of bytes before the next entry.
    var bytesRead: Int {
        guard let archive else { return reader.bytesRead }
        return count == 0 ? 0 : archive.byteRange(at: count - 1).upperBound
    }

    /// Reads or locates the next entry.
    ///
    /// - Returns: The entry, or nil if it is to be decoded from ``archive``, and its size in bytes; nil at the end.
    /// - Throws: The errors of ``HARReader/nextEntry()``.
    mutating func next() throws(HARError) -> (entry: HAR.Entry?, size: Int)? {
        if let archive {
            guard count < archive.count else { return nil }
            count += 1
            return (nil, archive.byteRange(at: count - 1).count)
        }
        return try reader.nextEntry().map { ($0, $0.fields.byteRange?.count ?? 0) }
    }

    /// Returns the titles of the pages by ID, after the first entry was read.
    ///
    /// Tools write the pages before the entries. If they follow, only a file can be read twice.
    func pageTitles() -> [String: String] {
        var pages = (archive?.log ?? reader.log).pages
        if pages == nil, archive == nil, !file.isStream { pages = try? file.archive(sizes).log.pages }
        return Dictionary((pages ?? []).map { ($0.id, $0.title) }) { first, _ in first }
    }
}
