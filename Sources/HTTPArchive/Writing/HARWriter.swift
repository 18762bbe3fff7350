public import Foundation

/// Writes an archive incrementally, without keeping it in memory.
///
/// ```swift
/// let writer = try HARWriter(to: url)
/// for entry in entries { try writer.append(entry) }
/// try writer.finish()
/// ```
///
/// The file appears at its path only when it is complete. Entries can also be appended to an existing archive, which is
/// valid after each entry:
///
/// ```swift
/// let writer = try HARWriter(appendingTo: url)
/// try writer.append(entry)
/// ```
///
/// Values that were read from an archive and not changed are written with their original bytes.
public final class HARWriter {
    private static let bufferSize = 1 << 18

    private enum Level: String {
        case start = "at the start of the archive"
        case document = "outside the log"
        case log = "inside the log"
        case entries = "inside the list of entries"
        case end = "after the end of the archive"
    }

    /// The destination of the text.
    private enum Target {
        case output(OutputFile)
        case archive(AppendedArchive)
    }

    /// The destination, or nil once appending has ended and other writers may open the archive.
    private var target: Target?
    package let layout: JSONLayout
    private var generator: JSONGenerator
    private var level = Level.start
    private var hasLog = false
    private var hasEntries = false

    /// The folder with the body files to which the archive can refer, or nil if it can refer to none.
    let folder: URL?

    /// A closure that receives the error if a body file of a copied entry cannot be read.
    ///
    /// The copy then refers to the file. By default, the error is ignored.
    package var unreadBodyHandler: (HARError) -> Void = { _ in }

    /// The pages to write after the entries.
    private var pages: [JSONValue] = []

    /// The validator for copied entries.
    var validator: JSONValidator?

    /// Whether a `pages` field has been written to the log.
    private var hasPages = false

    /// Creates a file, which appears at its path when ``finish()`` is called.
    ///
    /// If a file exists at the path, ``finish()`` replaces it, preserves its permissions, and flushes the new file to
    /// the disk. If no file exists, the new file is flushed only if ``Configuration/flushing`` is
    /// ``Flushing/eachEntryOnDisk``. If the path is a symbolic link, the target of the link is replaced. Pipes and
    /// devices are written to directly. A file whose name ends with `.gz` is compressed in gzip format.
    ///
    /// - Parameters:
    ///   - url: The file. Its folder must exist.
    ///   - configuration: The settings; default settings if omitted.
    /// - Throws: `unwritableFile`.
    public init(to url: URL, configuration: Configuration = Configuration()) throws(HARError) {
        var settings = OutputFile.Settings()
        settings.isPrivate = configuration.isPrivate
        settings.replacesFile = configuration.replacesFile
        settings.isSynchronized = configuration.flushing.isSynchronized
        settings.compression = .byName
        let output = try OutputFile(url: url, settings: settings)
        target = .output(output)
        folder = output.folder
        layout = configuration.layout
        generator = JSONGenerator(layout: layout)
    }

    /// Creates a writer for an output file.
    package init(to output: OutputFile) {
        target = .output(output)
        folder = output.folder
        layout = .unchanged
        generator = JSONGenerator(layout: layout)
    }

    /// Creates a writer for an open file or pipe, such as standard output.
    ///
    /// - Parameters:
    ///   - handle: The file or pipe; the writer does not close it.
    ///   - name: The name for error messages; `standard output` by default.
    ///   - configuration: The settings; default settings if omitted.
    public init(
        handle: FileHandle, name: String = "standard output", configuration: Configuration = Configuration()
    ) {
        target = .output(OutputFile(handle: handle, name: name))
        folder = nil
        layout = configuration.layout
        generator = JSONGenerator(layout: layout)
    }

    /// Opens an archive for appending.
    ///
    /// The file is a valid archive after each append.
    ///
    /// Existing content is preserved byte for byte. If the file is missing or empty, a new HAR 1.2 archive with Relay
    /// as its creator is written. If an earlier write was interrupted, for example because the process was killed or
    /// the disk was full, the incomplete end is removed first. The cost of an append does not depend on the size of the
    /// archive, because only the entry and the closing brackets are written.
    ///
    /// If fields follow the entries, spaces separate these fields from the entries until ``finish()`` is called.
    ///
    /// An append that throws an error leaves the archive unchanged and loses no data. A later append may succeed, for
    /// example when the disk has free space again. Until the writer has finished or is deallocated, no other writer in
    /// any process can append to the archive.
    ///
    /// - Parameters:
    ///   - url: The file. Its folder must exist.
    ///   - configuration: The settings; default settings if omitted.
    /// - Throws: `fileInUse` if another writer is appending to the archive; `unwritableFile`; `notAnArchive`,
    ///   `malformedJSON`, `limitExceeded` or `unreadableFile` if the file is not an archive or has other damage. The
    ///   file is then unchanged.
    /// - Complexity: O(*n*), where *n* is the size of the archive, which is read once.
    public convenience init(
        appendingTo url: URL, configuration: Configuration = Configuration()
    ) throws(HARError) {
        let archive = try AppendedArchive(
            at: url, layout: configuration.layout, flushing: configuration.flushing, isPrivate: configuration.isPrivate,
            configuration: configuration.reader)
        self.init(appendingTo: archive, in: url.deletingLastPathComponent(), layout: configuration.layout)
    }

    init(appendingTo archive: AppendedArchive, in folder: URL?, layout: JSONLayout) {
        target = .archive(archive)
        self.folder = folder
        self.layout = layout
        generator = Self.generator(ofEntriesIn: layout)
        hasLog = true
        hasEntries = true
        level = .entries
    }

    /// Returns a generator that indents entries like elements of the array, and writes a comma before each.
    private static func generator(ofEntriesIn layout: JSONLayout) -> JSONGenerator {
        // The document, `log` and `entries`.
        JSONGenerator(elementsIn: layout, depth: 3)
    }

    /// Writes an entry.
    ///
    /// If nothing has been written yet, this method starts a HAR 1.2 log with Relay as its creator.
    ///
    /// - Parameter entry: The entry.
    /// - Throws: `unwritableFile`; `invalidOrder` after the end of the entries.
    public func append(_ entry: HAR.Entry) throws(HARError) {
        try beginEntries()
        try write(.entry(entry))
    }

    /// Returns the text of an entry for ``append(appendable:)``.
    ///
    /// Creating the text takes most of the time, and several threads can do it at the same time.
    package static func appendableText(of entry: HAR.Entry, layout: JSONLayout) -> [UInt8] {
        var generator = generator(ofEntriesIn: layout)
        generator.object(entry.fields)
        return generator.take()
    }

    /// Appends entries to an archive that was opened for appending, in a single step.
    ///
    /// - Parameter text: The texts of the entries, one after another, created by ``appendableText(of:layout:)``. If an
    ///   error is thrown, none of the entries is appended.
    /// - Throws: `unwritableFile`; `invalidOrder` after the end of the entries, or for another writer.
    package func append(appendable text: [UInt8]) throws(HARError) {
        guard level == .entries, case .archive(let archive) = target else { throw misplaced(.beginEntries) }
        try archive.append(text)
    }

    /// Writes the source text of an entry.
    ///
    /// - Parameter text: The text of a valid entry. The layout must be ``JSONLayout/unchanged``.
    /// - Throws: `unwritableFile`; `invalidOrder` after the end of the entries.
    package func append(validated text: [UInt8]) throws(HARError) {
        try beginEntries()
        guard level == .entries else { throw misplaced(.beginEntries) }
        generator.beforeText()
        switch target {
        case .archive(let archive): try archive.append(generator.take() + text)
        case .output(let output):
            try flush(to: output)
            if output.isTerminal { try output.write(Self.escaping(text)) } else { try output.write(text) }
        case nil: break
        }
    }

    /// Writes a page of the log.
    ///
    /// Pages are written after the entries. If an archive opened for appending has pages before its entries, the first
    /// call also moves these pages.
    ///
    /// - Parameter page: The page.
    /// - Throws: `unwritableFile`; `notAnArchive` if `pages` is not an array in an archive opened for appending;
    ///   `invalidOrder` after the end of the log, or if `pages` has been written as a field.
    /// - Complexity: O(*n*), where *n* is the size of the text after the entries. If an archive opened for appending
    ///   has pages before its entries, the first call takes time linear in the size of the archive.
    public func append(_ page: HAR.Page) throws(HARError) {
        guard level != .end, !hasPages, level != .document || !hasLog else {
            throw misplaced(.field(Self.member(of: [])))
        }
        switch target {
        case .archive(let archive): try archive.append(page)
        case .output, nil: pages.append(.object(page.fields))
        }
    }

    private static func member(of pages: [JSONValue]) -> JSONObject.Member {
        .init(name: "pages", value: .array(pages))
    }

    /// Writes the next event of an archive, as returned by ``HARReader/nextEvent()``.
    ///
    /// - Parameter event: The event.
    /// - Throws: `unwritableFile`; `invalidOrder` if the event is not allowed at this point.
    public func write(_ event: HAREvent) throws(HARError) {
        switch (event, level) {
        case (.beginLog, .start), (.beginLog, .document):
            guard !hasLog else { throw misplaced(event) }
            beginDocument()
            generator.name("log")
            generator.beginObject()
            hasLog = true
            level = .log
        case (.beginEntries, .log):
            guard !hasEntries else { throw misplaced(event) }
            generator.name("entries")
            generator.beginArray()
            hasEntries = true
            level = .entries
        case (.endEntries, .entries) where isAppending: throw misplaced(event)
        case (.entry(let entry), .entries): generator.object(entry.fields)
        case (.unexpectedValue(let value), .entries): generator.value(value)
        case (.field(let member), .start):
            beginDocument()
            generator.member(member)
        case (.field(let member), .document): generator.member(member)
        case (.field(let member), .log):
            guard member.name != "pages" || pages.isEmpty else { throw misplaced(event) }
            hasPages = hasPages || member.name == "pages"
            generator.member(member)
        case (.endEntries, .entries):
            generator.endArray()
            level = .log
        case (.endLog, .log):
            if !hasEntries { generator.member(JSONObject.Member(name: "entries", value: [])) }
            if !pages.isEmpty { generator.member(Self.member(of: pages)) }
            generator.endObject()
            level = .document
        default: throw misplaced(event)
        }
        try deliver()
    }

    /// Writes generated text to its destination: immediately when appending, in large chunks otherwise.
    private func deliver() throws(HARError) {
        switch target {
        case .archive(let archive): try archive.append(generator.take())
        case .output(let output): if generator.count >= Self.bufferSize { try flush(to: output) }
        case nil: break
        }
    }

    /// Writes buffered entries to an archive that was opened for appending.
    ///
    /// This method has no effect on other writers.
    ///
    /// - Throws: `unwritableFile`.
    package func flush() throws(HARError) {
        if case .archive(let archive) = target { try archive.flush() }
    }

    /// Whether entries can be appended: the path still refers to the opened archive, and no other program has changed
    /// its size.
    package var isCurrent: Bool {
        if case .archive(let archive) = target { archive.isCurrent } else { false }
    }

    private var isAppending: Bool { if case .archive = target { true } else { false } }

    /// Completes the archive.
    ///
    /// Open arrays and objects are closed, and the file appears at its path. If nothing was written, the archive has no
    /// entries. When appending, buffered entries are written, and other writers may open the archive afterward.
    ///
    /// - Throws: `unwritableFile`; `invalidOrder` if the archive has already ended.
    public func finish() throws(HARError) {
        if case .archive(let archive) = target, level == .entries {
            try archive.finish()
            target = nil
            level = .end
            return
        }
        if !hasLog { try beginEntries() }
        if level == .entries { try write(.endEntries) }
        if level == .log { try write(.endLog) }
        guard level == .document else {
            throw HARError(.invalidOrder, "The archive has already ended. Call finish() only once.")
        }
        generator.endObject()
        level = .end
        if case .output(let output) = target {
            try flush(to: output)
            try output.finish()
        }
    }

    private func beginDocument() {
        guard level == .start else { return }
        generator.beginObject()
        level = .document
    }

    /// Opens the objects and the array that enclose entries, unless they are already open.
    private func beginEntries() throws(HARError) {
        if !hasLog {
            try write(.beginLog)
            try write(.field(.init(name: "version", value: "1.2")))
            try write(.field(.init(name: "creator", value: .object(HAR.Creator.relay.fields))))
        }
        if !hasEntries { try write(.beginEntries) }
    }

    private func flush(to output: OutputFile) throws(HARError) {
        try generator.flush { bytes throws(HARError) in
            if output.isTerminal { try output.write(Self.escaping(bytes)) } else { try output.write(bytes) }
        }
    }

    /// Returns the text of complete values with control characters escaped, for output to a terminal.
    private static func escaping(_ bytes: some Collection<UInt8>) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).escapingControls.utf8)
    }

    private func misplaced(_ event: HAREvent) -> HARError {
        HARError(
            .invalidOrder,
            "Cannot write \(event.kind) \(level.rawValue)\(isAppending ? " of an appended archive" : ""). "
                + (isAppending
                    ? "Append entries and pages only, and call finish() at the end."
                    : "Write one log with one list of entries, in the order of the events that HARReader returns."))
    }
}

@available(*, unavailable)
extension HARWriter: Sendable {}
