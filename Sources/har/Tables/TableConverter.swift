import Dispatch
import Foundation
import HTTPArchive
import Synchronization

/// Converts the entries of archives to rows, on all processors.
///
/// The reader decodes entries in order. Consecutive entries form blocks, which are converted at the same time, while the
/// next blocks are read, and written in order. Memory use depends on the size of a few blocks.
struct TableConverter {
    /// A number of consecutive entries.
    private struct Block: Sendable {
        let first: Int
        var entries: [HAR.Entry] = []
        var size = 0

        /// Whether the block has the number of entries or bytes that a thread converts at once.
        var isFull: Bool { entries.count >= 64 || size >= TableConverter.blockSize }
    }

    /// The rows of a block, up to the first error.
    private struct Rows: Sendable {
        var text: TableText
        var failure: HARError?
    }

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

    private let columns: [TableColumn]
    private let format: TableFormat
    private let conditions: FilterOptions
    private let sizes: SizeOptions

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - columns: The columns of the table.
    ///   - format: The format of the table.
    ///   - conditions: The conditions that select entries.
    ///   - sizes: The limits on the archives.
    init(columns: [TableColumn], format: TableFormat, conditions: FilterOptions, sizes: SizeOptions) {
        self.columns = columns
        self.format = format
        self.conditions = conditions
        self.sizes = sizes
    }

    /// Converts an archive.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - progress: A closure that is called often, with the number of bytes read so far.
    ///   - write: A closure that receives the rows in order.
    /// - Throws: The errors of `write`, of the reader and of body files. The rows before an error have been written.
    func convert(
        _ file: Input, progress: (_ bytesRead: Int) -> Void, write: (TableText) throws(HARError) -> Void
    ) throws(HARError) {
        let reader = try file.reader(sizes)
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
                    size < Self.blockCount * Self.blockSize, let entry = try reader.nextEntry()
                {
                    if count == 0 { archive.pageTitles = pageTitles(of: reader.log, in: file) }
                    if blocks.last?.isFull ?? true { blocks.append(Block(first: count)) }
                    let byteCount = entry.fields.byteRange?.count ?? 0
                    blocks[blocks.count - 1].entries.append(entry)
                    blocks[blocks.count - 1].size += byteCount
                    size += byteCount
                    count += 1
                }
            } catch {
                failure = error
            }
            let last = conversion
            let empty = Rows(text: TableText(columns: columns, format: format))
            conversion =
                blocks.isEmpty
                ? nil
                : Conversion { [archive, blocks] in Self.rows(of: blocks, in: archive, selectedBy: filter, empty) }
            if let last { try Self.write(last, with: write) }
            if blocks.isEmpty { break }
            progress(reader.bytesRead)
        }
        if let conversion { try Self.write(conversion, with: write) }
        if let failure { throw failure }
    }

    /// Writes the rows of a conversion up to the first error.
    private static func write(
        _ conversion: Conversion, with write: (TableText) throws(HARError) -> Void
    ) throws(HARError) {
        for rows in conversion.wait() {
            try write(rows.text)
            if let failure = rows.failure { throw failure }
        }
    }

    /// Returns the titles of the pages by ID.
    ///
    /// Tools write the pages before the entries. If they follow, only a file can be read twice.
    private func pageTitles(of log: HAR.Log, in file: Input) -> [String: String] {
        var pages = log.pages
        if pages == nil, !file.isStream, columns.contains(.pageTitle) { pages = try? file.archive(sizes).log.pages }
        return Dictionary((pages ?? []).map { ($0.id, $0.title) }) { first, _ in first }
    }

    /// Converts blocks at the same time.
    private static func rows(
        of blocks: [Block], in archive: TableRow.Archive, selectedBy filter: HAREntryFilter?, _ empty: Rows
    ) -> [Rows] {
        let results = Mutex([Rows](repeating: empty, count: blocks.count))
        DispatchQueue.concurrentPerform(iterations: blocks.count) { number in
            var rows = empty
            do throws(HARError) {
                for (offset, entry) in blocks[number].entries.enumerated() {
                    let index = blocks[number].first + offset
                    guard try filter?.selects(HAREntryFacts(of: entry), at: index) ?? true else { continue }
                    try rows.text.append(TableRow(entry, at: index, of: archive))
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
