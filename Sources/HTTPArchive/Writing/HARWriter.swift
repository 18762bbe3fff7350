public import Foundation

/// Writes an archive, part by part, without holding it.
///
/// ```swift
/// let writer = try HARWriter(to: url)
/// for entry in entries { try writer.append(entry) }
/// try writer.finish()
/// ```
///
/// What was read and not changed is written as the bytes it was read from.
public final class HARWriter {
    private static let bufferSize = 1 << 18

    private enum Place: String {
        case start = "the start"
        case document = "the document"
        case log = "the log"
        case entries = "the entries"
        case end = "the end"
    }

    private let output: OutputFile
    private let layout: JSONLayout
    private var generator: JSONGenerator
    private var place = Place.start
    private var hasLog = false
    private var hasEntries = false

    /// Starts a file, which takes the place of one that is there once ``finish()`` is called.
    ///
    /// - Parameters:
    ///   - url: The file; its folder must exist.
    ///   - configuration: The settings; the default ones unless given.
    /// - Throws: `unwritableFile`.
    public init(to url: URL, configuration: Configuration = Configuration()) throws(HARError) {
        output = try OutputFile(url: url)
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
        output = OutputFile(handle: handle, name: name)
        layout = configuration.layout
        generator = JSONGenerator(layout: layout)
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

    /// Copies an entry of another archive.
    ///
    /// Where the layout is unchanged, its bytes are copied as they stand there, without looking into them. If nothing was
    /// written before, a log of HAR 1.2 made by Relay begins.
    ///
    /// - Parameters:
    ///   - index: The place of the entry in the other archive, counted from 0; it must be below the archive's count.
    ///   - archive: The other archive.
    /// - Throws: `unwritableFile`; `invalidOrder` after the end of the entries; `unreadableFile` when the other file has
    ///   become shorter, and as ``HARArchive/entry(at:)`` does where the layout is another one.
    public func append(entryAt index: Int, of archive: HARArchive) throws(HARError) {
        guard layout == .unchanged else { return try append(archive.entry(at: index)) }
        try beginEntries()
        guard place == .entries else { throw misplaced(.beginEntries) }
        let text = try archive.text(at: index)
        generator.beforeText()
        try flush()
        try output.write(text)
    }

    /// Writes the next part of an archive, as ``HARReader/nextEvent()`` gives it.
    ///
    /// - Parameter event: The part.
    /// - Throws: `unwritableFile`; `invalidOrder` where an archive cannot have the part.
    public func write(_ event: HAREvent) throws(HARError) {
        switch (event, place) {
        case (.beginLog, .start), (.beginLog, .document):
            guard !hasLog else { throw misplaced(event) }
            beginDocument()
            generator.name("log")
            generator.beginObject()
            hasLog = true
            place = .log
        case (.beginEntries, .log):
            guard !hasEntries else { throw misplaced(event) }
            generator.name("entries")
            generator.beginArray()
            hasEntries = true
            place = .entries
        case (.entry(let entry), .entries): generator.object(entry.fields)
        case (.stray(let value), .entries): generator.value(value)
        case (.field(let member), .start):
            beginDocument()
            generator.member(member)
        case (.field(let member), .document), (.field(let member), .log): generator.member(member)
        case (.endEntries, .entries):
            generator.endArray()
            place = .log
        case (.endLog, .log):
            generator.endObject()
            place = .document
        default: throw misplaced(event)
        }
        if generator.count >= Self.bufferSize { try flush() }
    }

    /// Ends the archive and gives the file its name.
    ///
    /// What is still open is closed; an archive to which nothing was written has no entries.
    ///
    /// - Throws: `unwritableFile`; `invalidOrder` when it has ended already.
    public func finish() throws(HARError) {
        if !hasLog { try beginEntries() }
        if place == .entries { try write(.endEntries) }
        if place == .log { try write(.endLog) }
        guard place == .document else {
            throw HARError(.invalidOrder, "The archive has ended already.")
        }
        generator.endObject()
        place = .end
        try flush()
        try output.finish()
    }

    private func beginDocument() {
        guard place == .start else { return }
        generator.beginObject()
        place = .document
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

    private func flush() throws(HARError) {
        try generator.flush { bytes throws(HARError) in try output.write(bytes) }
    }

    private func misplaced(_ event: HAREvent) -> HARError {
        HARError(.invalidOrder, "An archive cannot have this part at \(place.rawValue): \(event.kind).")
    }
}

@available(*, unavailable)
extension HARWriter: Sendable {}

extension HARWriter {
    /// Settings of a writer.
    public struct Configuration: Sendable, Hashable {
        /// How the text is laid out; by default, what was read keeps its text.
        public var layout = JSONLayout.unchanged

        /// Creates the default settings.
        public init() {}
    }
}
