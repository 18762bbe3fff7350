import Foundation
import HTTPArchive

/// Entries in a temporary file without a name, which are read as an archive while others are appended.
struct GrowingArchive: ~Copyable {
    private let url: URL
    private let file: FileHandle
    private var size = 0
    private var entries = EntrySegmentBuilder()

    /// The name of the file for errors.
    private static let name = "the exchanges"

    /// The maximum number of entries, after which the archive begins again.
    private static let limit = 200_000

    /// Creates an archive without entries.
    ///
    /// - Parameter url: The location of the archive, whose folder contains the body files of the entries.
    /// - Throws: `unwritableFile`.
    init(at url: URL) throws(HARError) {
        self.url = url
        let descriptor = withExtendedLifetime(try Spool.file(for: Self.name)) { dup($0.descriptor) }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// The number of entries.
    var count: Int { entries.count }

    /// The entries so far, as an archive that does not change.
    var archive: HARArchive {
        HARArchive(
            file: InputFile(handle: file, name: Self.name), at: url,
            index: entries.index(with: HAR.Log(creator: .relay), upTo: size),
            configuration: HARReader.Configuration(), stamp: nil, opened: Date(), damage: nil)
    }

    /// Appends an entry, unless it cannot be written.
    mutating func append(_ entry: HAR.Entry) {
        let text = JSONValue.object(entry.fields).data(layout: .compact)
        if count >= Self.limit { removeAll() }
        do {
            try file.seek(toOffset: UInt64(size))
            try file.write(contentsOf: text)
        } catch {
            return
        }
        entries.append(HAREntrySummary(of: entry, at: size..<size + text.count))
        size += text.count
    }

    /// Removes all entries, except from archives that were created before.
    mutating func removeAll() {
        // Another file cannot be created if the disk is full.
        if let empty = try? GrowingArchive(at: url) { self = empty }
    }
}
