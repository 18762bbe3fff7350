import Foundation
import HTTPArchive

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
