public import Foundation

/// Writes an archive, part by part, without holding it.
///
/// ```swift
/// let writer = try HARWriter(to: url)
/// for entry in entries { try writer.append(entry) }
/// try writer.finish()
/// ```
///
/// Such a file appears when it is whole. An archive that is appended to is whole after each entry:
///
/// ```swift
/// let writer = try HARWriter(appendingTo: url)
/// try writer.append(entry)
/// ```
///
/// What was read and not changed is written as the bytes it was read from.
public final class HARWriter {
    private static let bufferSize = 1 << 18

    private enum Level: String {
        case start = "the start"
        case document = "the document"
        case log = "the log"
        case entries = "the entries"
        case end = "the end"
    }

    /// Where the text goes.
    private enum Target {
        case output(OutputFile)
        case archive(AppendedArchive)
    }

    /// `nil` when an archive that was appended to is left to others.
    private var target: Target?
    let layout: JSONLayout
    private var generator: JSONGenerator
    private var level = Level.start
    private var hasLog = false
    private var hasEntries = false

    /// Pages that are to stand behind the entries.
    private var pages: [JSONValue] = []

    /// The validator of entries that are copied.
    var validator: JSONValidator?

    /// Whether a field `pages` was written to the log.
    private var hasPages = false

    /// Starts a file, which gets its name when ``finish()`` is called.
    ///
    /// If a file has that name, it is replaced then, and its permissions are kept. A replaced file is on the disk when
    /// ``finish()`` returns; a new one is if ``Configuration/flushing`` is ``Flushing/eachEntryOnDisk``. Of a symbolic link,
    /// the file that it leads to is replaced. A pipe or a device is written to as it is.
    ///
    /// - Parameters:
    ///   - url: The file; its folder must exist.
    ///   - configuration: The settings; the default ones unless given.
    /// - Throws: `unwritableFile`.
    public convenience init(to url: URL, configuration: Configuration = Configuration()) throws(HARError) {
        try self.init(to: url, configuration: configuration, calls: FileSystemCalls())
    }

    /// Starts a file as ``init(to:configuration:)`` does, with system calls of tests.
    ///
    /// - Parameters:
    ///   - url: The file; its folder must exist.
    ///   - configuration: The settings.
    ///   - calls: The system calls.
    /// - Throws: `unwritableFile`.
    package init(to url: URL, configuration: Configuration, calls: FileSystemCalls) throws(HARError) {
        var settings = OutputFile.Settings()
        settings.isPrivate = configuration.isPrivate
        settings.replacesFile = configuration.replacesFile
        settings.isSynchronized = configuration.flushing.isSynchronized
        target = .output(try OutputFile(url: url, settings: settings, calls: calls))
        layout = configuration.layout
        generator = JSONGenerator(layout: layout)
    }

    /// Writes to an open file or pipe, such as standard output.
    ///
    /// - Parameters:
    ///   - handle: The file or pipe; it stays open.
    ///   - name: What errors call it; `standard output` by default.
    ///   - configuration: The settings; the default ones unless given.
    public init(
        handle: FileHandle, name: String = "standard output", configuration: Configuration = Configuration()
    ) {
        target = .output(OutputFile(handle: handle, name: name))
        layout = configuration.layout
        generator = JSONGenerator(layout: layout)
    }

    /// Continues an archive, which is a whole file after each append.
    ///
    /// What is there stays as it is, byte for byte. Where there is no file, or an empty one, an archive of HAR 1.2 made by
    /// Relay is begun. If the writing of the archive was broken off, by a kill or a full disk, what is not whole at its end is
    /// cut off first. An append costs the same however large the archive is; it writes the entry, and the brackets behind.
    ///
    /// Where more than brackets stands behind the entries, it is kept apart from them by blanks until ``finish()``.
    ///
    /// An append that throws has appended nothing, and lost nothing; the next one may succeed, when there is room again.
    /// Until the writer has finished or is gone, nobody else can append to the archive, in this process or another one.
    ///
    /// - Parameters:
    ///   - url: The file; its folder must exist.
    ///   - configuration: The settings; the default ones unless given.
    /// - Throws: `fileInUse` when somebody else is appending to it; `unwritableFile`; `notAnArchive`, `malformedJSON`,
    ///   `limitExceeded` or `unreadableFile` when it is no archive, or broken otherwise: it stays as it is then.
    /// - Complexity: O(*n*) in the size of the archive, which is read once.
    public convenience init(
        appendingTo url: URL, configuration: Configuration = Configuration()
    ) throws(HARError) {
        try self.init(appendingTo: url, configuration: configuration, calls: FileSystemCalls())
    }

    /// Continues an archive as ``init(appendingTo:configuration:)`` does, with system calls of tests.
    ///
    /// - Parameters:
    ///   - url: The file; its folder must exist.
    ///   - configuration: The settings.
    ///   - calls: The system calls.
    /// - Throws: As ``init(appendingTo:configuration:)`` does.
    package convenience init(
        appendingTo url: URL, configuration: Configuration, calls: FileSystemCalls
    ) throws(HARError) {
        let archive = try AppendedArchive(
            at: url, layout: configuration.layout, flushing: configuration.flushing, isPrivate: configuration.isPrivate,
            calls: calls)
        self.init(appendingTo: archive, layout: configuration.layout)
    }

    init(appendingTo archive: AppendedArchive, layout: JSONLayout) {
        target = .archive(archive)
        self.layout = layout
        generator = JSONGenerator(layout: layout)
        // Entries are indented as in the array, each with a comma in front.
        generator.beginObject()
        generator.name("log")
        generator.beginObject()
        generator.name("entries")
        generator.beginArray()
        generator.value(.null)
        _ = generator.take()
        hasLog = true
        hasEntries = true
        level = .entries
    }

    /// Writes an entry.
    ///
    /// If nothing was written before, a log of HAR 1.2 made by Relay begins.
    ///
    /// - Parameter entry: The entry.
    /// - Throws: `unwritableFile`; `invalidOrder` after the end of the entries.
    public func append(_ entry: HAR.Entry) throws(HARError) {
        try beginEntries()
        try write(.entry(entry))
    }

    /// Writes an entry as the text that it was read from.
    ///
    /// - Parameter text: The text of a valid entry; the layout is ``JSONLayout/unchanged``.
    /// - Throws: `unwritableFile`; `invalidOrder` after the end of the entries.
    func append(validated text: [UInt8]) throws(HARError) {
        try beginEntries()
        guard level == .entries else { throw misplaced(.beginEntries) }
        generator.beforeText()
        switch target {
        case .archive(let archive): try archive.append(generator.take() + text)
        case .output(let output):
            try flush(to: output)
            try output.write(text)
        case nil: break
        }
    }

    /// Writes a page of the log.
    ///
    /// Pages stand behind the entries. In an archive that is appended to, those that stand before the entries are moved
    /// there by the first such call.
    ///
    /// - Parameter page: The page.
    /// - Throws: `unwritableFile`; `notAnArchive` when the `pages` of an archive that is appended to are no array;
    ///   `invalidOrder` after the end of the log, and where its `pages` were written as a field.
    /// - Complexity: O(*n*) in the size of what stands behind the entries; once in the size of an archive that is appended
    ///   to, where its pages stand before the entries.
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

    /// Writes the next part of an archive, as ``HARReader/nextEvent()`` gives it.
    ///
    /// - Parameter event: The part.
    /// - Throws: `unwritableFile`; `invalidOrder` where an archive cannot have the part.
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
            if !pages.isEmpty { generator.member(Self.member(of: pages)) }
            generator.endObject()
            level = .document
        default: throw misplaced(event)
        }
        try deliver()
    }

    /// Passes generated text on: at once to an archive that is appended to, in large chunks to another file.
    private func deliver() throws(HARError) {
        switch target {
        case .archive(let archive): try archive.append(generator.take())
        case .output(let output): if generator.count >= Self.bufferSize { try flush(to: output) }
        case nil: break
        }
    }

    /// Writes what was collected to an archive that is appended to; nothing of another one.
    ///
    /// - Throws: `unwritableFile`.
    package func flush() throws(HARError) {
        if case .archive(let archive) = target { try archive.flush() }
    }

    private var isAppending: Bool { if case .archive = target { true } else { false } }

    /// Ends the archive and gives the file its name.
    ///
    /// What is still open is closed; an archive to which nothing was written has no entries. Of an archive that is appended
    /// to, what was collected is written, and others may append to it.
    ///
    /// - Throws: `unwritableFile`; `invalidOrder` when it has ended already.
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
            throw HARError(.invalidOrder, "The archive has ended already.")
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

    /// Begins whatever must be open before an entry.
    private func beginEntries() throws(HARError) {
        if !hasLog {
            try write(.beginLog)
            try write(.field(.init(name: "version", value: "1.2")))
            try write(.field(.init(name: "creator", value: .object(HAR.Creator.relay.fields))))
        }
        if !hasEntries { try write(.beginEntries) }
    }

    private func flush(to output: OutputFile) throws(HARError) {
        try generator.flush { bytes throws(HARError) in try output.write(bytes) }
    }

    private func misplaced(_ event: HAREvent) -> HARError {
        HARError(.invalidOrder, "An archive cannot have this part at \(level.rawValue): \(event.kind).")
    }
}

@available(*, unavailable)
extension HARWriter: Sendable {}
