public import Foundation

/// An archive on disk whose entries are read on demand.
///
/// Opening an archive parses its structure, in parallel if the file is large, and keeps a summary of each entry in
/// memory: the URL, and 48 bytes for other fields. JSON errors within an entry are reported when that entry is read. Other
/// JSON errors prevent the archive from being opened. If a write was interrupted, all complete entries are available, and
/// ``damage`` describes the problem. An archive can be used from several threads at once.
///
/// A file in gzip format is decompressed to a temporary file, which is deleted when the archive is deallocated.
///
/// A stored index avoids parsing the file:
///
/// ```swift
/// let archive = try HARArchive(contentsOf: url, index: .keep())
/// ```
public final class HARArchive: Sendable {
    package let file: InputFile
    package let indexed: ArchiveIndex
    let limits: JSONScanner.Limits

    /// The identity of the file when it was opened, or nil if it is not a regular file.
    let stamp: ArchiveStamp?

    /// The time at which the file was opened.
    let opened: Date

    /// The location of the archive.
    public let url: URL

    /// The folder that contains the archive and its body files.
    ///
    /// The reader's limits also apply to body files.
    package let bodyFolder: HAR.BodyFolder

    /// The error if the end of the file is missing because a write was interrupted, or nil if the archive is complete.
    ///
    /// All complete entries are available. Opening the file with ``HARWriter/init(appendingTo:configuration:)`` repairs
    /// it.
    public let damage: HARError?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings of the reader; default settings if omitted.
    ///   - index: The policy for using a stored index; ``IndexUse/never`` by default.
    ///   - progress: A closure that is called often during parsing, from any thread, with the number of bytes read so
    ///     far. The number may exceed the file's size if the file has to be read twice. Nil by default.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`.
    /// - Complexity: O(*n*) in the size of the file, or in the number of entries if a stored index is used.
    public convenience init(
        contentsOf url: URL, configuration: HARReader.Configuration = HARReader.Configuration(),
        index: IndexUse = .never, progress: (@Sendable (_ bytesRead: Int) -> Void)? = nil
    ) throws(HARError) {
        try self.init(
            contentsOf: url, named: nil, configuration: configuration, index: index, progress: progress)
    }

    /// Opens a file that has a different name in error messages, such as a copy of standard input.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - name: The name for error messages; the path by default.
    ///   - configuration: The settings of the reader; default settings if omitted.
    ///   - use: The policy for using a stored index.
    ///   - progress: A closure that is called often during parsing, with the number of bytes read so far; nil by default.
    ///   - opened: The time of opening, which tests can specify; now by default.
    /// - Throws: The same errors as ``init(contentsOf:configuration:index:progress:)``.
    package convenience init(
        contentsOf url: URL, named name: String? = nil,
        configuration: HARReader.Configuration = HARReader.Configuration(), index use: IndexUse,
        progress: (@Sendable (_ bytesRead: Int) -> Void)? = nil, at opened: Date = Date()
    ) throws(HARError) {
        var file = try InputFile(
            url: url, name: name, decompressedSizeLimit: configuration.maximumDecompressedSize)
        // The archive index of a decompressed copy cannot be stored.
        let isCompressed = file.isCompressed
        let use = isCompressed ? .never : use
        let stamp = isCompressed ? nil : file.stamp
        if isCompressed { file = try InputFile(decompressing: file) }
        let stored = use.location.flatMap { location in
            ArchiveIndex(stored: location.file(of: url), of: file, configuration: configuration)
        }
        let index: ArchiveIndex
        var damage: HARError?
        if let stored {
            index = stored
            use.location?.noteUse(of: url, at: opened)
        } else {
            let observed = progress.map { InputFile(file, progress: $0) } ?? file
            (index, damage) = try ArchiveIndex.ofWhole(observed, configuration: configuration)
        }
        self.init(
            file: file, at: url, index: index, configuration: configuration, stamp: stamp, opened: opened,
            damage: damage)
        if stored == nil, damage == nil, use.isWritten, let location = use.location { _ = try? keepIndex(in: location) }
    }

    package init(
        file: InputFile, at url: URL, index: ArchiveIndex, configuration: HARReader.Configuration,
        stamp: ArchiveStamp?, opened: Date, damage: HARError?
    ) {
        self.file = file
        self.url = url
        indexed = index
        limits = configuration.limits
        self.stamp = stamp
        self.opened = opened
        self.damage = damage
        bodyFolder = HAR.BodyFolder(ofArchive: url).limited(by: configuration)
    }

    /// The log, without its entries.
    public var log: HAR.Log { indexed.log }

    /// The number of entries.
    public var count: Int { indexed.table.count }

    /// Returns the summary of an entry, without reading the entry.
    ///
    /// - Parameter index: The index of the entry, which must be less than ``count``.
    /// - Returns: The summary.
    public func summary(at index: Int) -> HAREntrySummary { indexed.table[index] }

    /// Returns the indices of the entries that a filter selects.
    ///
    /// - Parameter filter: The filter.
    /// - Returns: The indices, in ascending order.
    /// - Throws: The errors of ``entry(at:)``, if the filter needs more than the summary of an entry.
    public func indices(selectedBy filter: HAREntryFilter) throws(HARError) -> [Int] {
        var indices: [Int] = []
        for index in 0..<count where try filter.selects(HAREntryFacts(of: self, at: index), at: index) {
            indices.append(index)
        }
        return indices
    }

    /// Reads one entry.
    ///
    /// - Parameter index: The index of the entry, which must be less than ``count``.
    /// - Returns: The entry.
    /// - Throws: `malformedJSON` if the entry is broken or the file was changed after it was opened; `unreadableFile`
    ///   if the file has become shorter.
    /// - Complexity: O(*n*) in the size of the entry.
    public func entry(at index: Int) throws(HARError) -> HAR.Entry {
        try entry(at: index, from: text(at: index))
    }

    /// Parses an entry whose text was already read.
    ///
    /// - Parameters:
    ///   - index: The index of the entry, which must be less than ``count``.
    ///   - text: The text, as returned by ``text(at:)``.
    /// - Returns: The entry.
    /// - Throws: The errors of ``entry(at:)``.
    package func entry(at index: Int, from text: [UInt8]) throws(HARError) -> HAR.Entry {
        do throws(HARError) {
            return try entry(at: index, parsing: text)
        } catch {
            throw try located(error)
        }
    }

    /// Parses the text of an entry.
    func entry(at index: Int, parsing text: [UInt8]) throws(HARError) -> HAR.Entry {
        let start = byteRange(at: index).lowerBound
        let source = try entrySource(at: index, of: text, from: start)
        guard let fields = source?.root.value.object else {
            throw HARError(
                .unreadableFile, "The file was changed after it was opened. Open it again.",
                at: .init(file: file.name, byteOffset: start))
        }
        return HAR.Entry(fields: fields)
    }

    private func entrySource(at index: Int, of text: [UInt8], from start: Int) throws(HARError) -> JSONSource? {
        if let source = JSONSource(container: text, at: start, limits: limits) { return source }
        let scanner = SingleEntryScanner(limits: limits, index: index)
        scanner.skip(start)
        try scanner.feed(text)
        try scanner.finish()
        return scanner.value
    }

    /// Adds the file name and the position in the file to an error in an entry.
    private func located(_ error: HARError) throws(HARError) -> HARError {
        var context = error.context
        context.file = file.name
        let named = HARError(error.code, error.message, at: context, underlying: error.underlying)
        guard error.code == .malformedJSON, let offset = context.byteOffset else { return named }
        return named.located(at: try file.position(at: offset))
    }
}

extension HARArchive {
    /// Calls a closure with the URL of each entry in a range, without creating strings.
    ///
    /// - Parameters:
    ///   - indices: The indices of the entries.
    ///   - body: A closure that receives the index of an entry and its URL in UTF-8, which is valid only during the
    ///     call.
    /// - Complexity: O(*n*) in the length of the URLs.
    package func forEachURL(in indices: Range<Int>, _ body: (_ index: Int, _ url: UnsafeRawBufferPointer) -> Void) {
        indexed.table.forEachURL(in: indices, body)
    }

    /// Returns the indices of entries sorted by the bytes of their URLs, without creating strings.
    ///
    /// Equal URLs are in the order of the archive.
    ///
    /// - Parameters:
    ///   - indices: The indices, in ascending order.
    ///   - isDescending: Whether the last URL is first.
    /// - Returns: The sorted indices.
    /// - Complexity: O(*n* log *n*).
    package func sortedByURL(_ indices: [UInt32], isDescending: Bool) -> [UInt32] {
        indexed.table.sortedByURL(indices, isDescending: isDescending)
    }

    /// Returns the range of an entry's text in the file, in bytes.
    ///
    /// - Parameter index: The index of the entry, which must be less than ``count``.
    /// - Returns: The range.
    package func byteRange(at index: Int) -> Range<Int> { indexed.table.byteRange(at: index) }

    /// Reads the JSON text of an entry as stored in the file.
    ///
    /// The text is not validated.
    ///
    /// - Parameter index: The index of the entry, which must be less than ``count``.
    /// - Returns: The text.
    /// - Throws: `unreadableFile`.
    package func text(at index: Int) throws(HARError) -> [UInt8] {
        try file.bytes(in: byteRange(at: index))
    }

    /// Whether the size and modification time of the file prove that it has not changed since it was opened.
    ///
    /// The value is false if the archive is not a regular file. It is also false if the file was changed just before it
    /// was opened, because its modification time might not reveal another change.
    package var isUnchanged: Bool {
        guard let stamp, stamp.isSettled(at: opened) else { return false }
        return (try? InputFile(url: url, waitsForWriter: false))?.stamp == stamp
    }

    /// A value that identifies the archive by its size and samples of its content, regardless of its path and
    /// modification time.
    ///
    /// A change in a large archive may go undetected if it preserves the archive's size. The value is nil if the
    /// archive is not a regular file or can no longer be read.
    package var fingerprint: String? { stamp.flatMap { try? file.fingerprintText(size: $0.size) } }

    /// Returns the ``fingerprint`` of a file.
    ///
    /// - Parameter url: The file.
    /// - Returns: The fingerprint, or nil if the file is not a regular file.
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
