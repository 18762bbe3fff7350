public import Foundation

/// An archive on disk whose entries are read when they are asked for.
///
/// Opening passes over the structure of the file, on all processors where it is large, and keeps a summary of each entry:
/// its URL, the text of its time, and 56 bytes. JSON that is broken within an entry is found when that entry is asked for;
/// broken otherwise, the archive cannot be opened. Of one whose writing was broken off, all entries are there that are
/// whole, and ``damage`` says so. The archive can be used from several threads at once.
///
/// An index that was kept spares the pass over the file:
///
/// ```swift
/// let archive = try HARArchive(contentsOf: url, index: .keep())
/// ```
public final class HARArchive: Sendable {
    let file: InputFile
    let indexed: ArchiveIndex
    let limits: JSONScanner.Limits

    /// What the file was when it was opened, and when that was; no stamp for what is no file.
    let stamp: ArchiveStamp?
    let opened: Date

    /// The file.
    public let url: URL

    /// What is wrong with the file when its end is missing, because its writing was broken off; else `nil`.
    ///
    /// All entries before that are there. Opening the file with ``HARWriter/init(appendingTo:configuration:)`` mends it.
    public let damage: HARError?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings of the reader; the default ones unless given.
    ///   - index: Whether an index that is kept in a file is used; never by default.
    ///   - progress: Is called often while the file is passed over, from any thread, with the number of bytes that were
    ///     read so far. It may go beyond the size of a file that has to be read twice. Nothing by default.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`.
    /// - Complexity: O(*n*) in the size of the file; with an index that is kept, O(*n*) in the number of entries.
    public convenience init(
        contentsOf url: URL, configuration: HARReader.Configuration = HARReader.Configuration(),
        index: IndexUse = .never, progress: (@Sendable (_ bytesRead: Int) -> Void)? = nil
    ) throws(HARError) {
        try self.init(
            contentsOf: url, configuration: configuration, index: index, progress: progress, at: Date())
    }

    /// Opens a file that errors give another name, such as a copy of standard input.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - name: The name for error messages.
    ///   - index: Whether an index that is kept in a file is used.
    ///   - progress: Is called often while the file is passed over, as for any other file.
    /// - Throws: As for any other file.
    package convenience init(
        contentsOf url: URL, named name: String, index: IndexUse,
        progress: @escaping @Sendable (_ bytesRead: Int) -> Void
    ) throws(HARError) {
        try self.init(contentsOf: url, named: name, index: index, progress: progress, at: Date())
    }

    /// Opens a file at a time that tests choose.
    convenience init(
        contentsOf url: URL, named name: String? = nil,
        configuration: HARReader.Configuration = HARReader.Configuration(), index use: IndexUse,
        progress: (@Sendable (Int) -> Void)? = nil, at opened: Date
    ) throws(HARError) {
        let file = try InputFile(url: url, name: name)
        let stamp = file.stamp
        let stored = use.location.flatMap { location in
            ArchiveIndex(stored: location.file(of: url), of: file, configuration: configuration)
        }
        let index: ArchiveIndex
        var damage: HARError?
        if let stored {
            index = stored
        } else {
            let observed = progress.map { InputFile(file, progress: $0) } ?? file
            (index, damage) = try ArchiveIndex.ofWhole(observed, configuration: configuration)
        }
        self.init(
            file: file, at: url, index: index, limits: configuration.limits, stamp: stamp, opened: opened,
            damage: damage)
        if stored == nil, damage == nil, use.isWritten, let location = use.location { _ = try? keepIndex(in: location) }
    }

    init(
        file: InputFile, at url: URL, index: ArchiveIndex, limits: JSONScanner.Limits, stamp: ArchiveStamp?,
        opened: Date, damage: HARError?
    ) {
        self.file = file
        self.url = url
        indexed = index
        self.limits = limits
        self.stamp = stamp
        self.opened = opened
        self.damage = damage
    }

    /// Everything but the entries.
    public var log: HAR.Log { indexed.log }

    /// The number of entries.
    public var count: Int { indexed.table.count }

    /// What is known of an entry without reading it.
    ///
    /// - Parameter index: The place of the entry in the file, counted from 0; it must be below ``count``.
    /// - Returns: The summary.
    public func summary(at index: Int) -> HAREntrySummary { indexed.table[index] }

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

    /// Reads one entry.
    ///
    /// - Parameter index: The place of the entry in the file, counted from 0; it must be below ``count``.
    /// - Returns: The entry.
    /// - Throws: `malformedJSON` when the entry is broken, or the file was changed since it was opened;
    ///   `unreadableFile` when it has become shorter.
    /// - Complexity: O(*n*) in the size of the entry.
    public func entry(at index: Int) throws(HARError) -> HAR.Entry {
        let range = indexed.table.byteRange(at: index)
        let scanner = SingleEntryScanner(limits: limits, index: index)
        scanner.skip(range.lowerBound)
        var parser = JSONParser(scanner: scanner)
        do throws(HARError) {
            try parser.feed(file.bytes(in: range))
            try parser.finish()
        } catch {
            throw try located(error)
        }
        guard let fields = scanner.value?.root.value.object else {
            throw HARError(
                .unreadableFile, "The file was changed since it was opened; open it again.",
                at: .init(file: file.name, byteOffset: range.lowerBound))
        }
        return HAR.Entry(fields: fields)
    }

    /// Adds the file and the position to an error in an entry.
    private func located(_ error: HARError) throws(HARError) -> HARError {
        var context = error.context
        context.file = file.name
        let named = HARError(error.code, error.message, at: context, underlying: error.underlying)
        guard error.code == .malformedJSON, let offset = context.byteOffset else { return named }
        return named.located(at: try file.position(at: offset))
    }
}

extension HARArchive {
    /// The folder of the archive, in which files may be as large as the reader's largest value.
    package var bodyFolder: HAR.BodyFolder {
        var folder = HAR.BodyFolder(ofArchive: url)
        folder.maximumFileSize = limits.valueSize
        return folder
    }
}

extension HARArchive {
    /// Whether the file is surely what it was when it was opened, by its size and time.
    ///
    /// It is not sure of what is no file, nor of one that was changed just before it was opened, for its time would not tell
    /// the next change.
    package var isUnchanged: Bool {
        guard let stamp, stamp.isSettled(at: opened) else { return false }
        return (try? InputFile(url: url, waitsForWriter: false))?.stamp == stamp
    }

    /// What tells the archive from others by its size and by samples of what it holds, wherever and when it was written.
    ///
    /// A change in the middle of a large archive that leaves its size as it was may not show.
    ///
    /// - Returns: `nil` for what is no file, or cannot be read any more.
    package var fingerprint: String? { stamp.flatMap { try? file.fingerprintText(size: $0.size) } }

    /// The ``fingerprint`` of a file.
    ///
    /// - Parameter url: The file.
    /// - Returns: `nil` for what is no file.
    /// - Throws: `unreadableFile`.
    package static func fingerprint(of url: URL) throws(HARError) -> String? {
        let file = try InputFile(url: url, waitsForWriter: false)
        guard let stamp = file.stamp else { return nil }
        return try file.fingerprintText(size: stamp.size)
    }
}

extension InputFile {
    fileprivate func fingerprintText(size: Int) throws(HARError) -> String {
        "\(size)-" + String(try fingerprint(size: size), radix: 16)
    }
}
