import ArgumentParser
import Foundation
import HTTPArchive

/// `har entries`: lists entries, one per line.
struct EntriesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entries",
        abstract: "List the entries of an archive, one per line.",
        discussion: """
            Each line shows the index of the entry, the method, the status, the media type, the size of the response \
            body in bytes, the time in milliseconds and the URL. A dash means unknown. On a terminal, long URLs are \
            shortened.

            Example: har entries page.har | grep image/

            With --json, prints an array with one object per line: index, method, status, type, size, time, \
            startedDateTime and url; null means unknown. With --ndjson, prints complete entries, including headers and \
            bodies. If the archive is damaged, the entries before the error are listed, and the exit status is 1.
            """)

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive; - for standard input.")
    var file: Input

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(help: "Print complete entries as JSON, one per line.")
    var ndjson = false

    func validate() throws {
        if json, ndjson { throw ValidationError("--json cannot be used with --ndjson") }
    }

    func run() throws {
        // Complete entries, and the readable entries of an archive that cannot be opened, are read in one pass.
        let archive = ndjson || file.isStream ? nil : try? file.archive(sizes)
        let reader = archive == nil ? try file.reader(sizes) : nil
        let output = StandardOutput()
        var listing = try Listing(to: output, as: ndjson ? .entries : json ? .objects : .lines)
        var failure: HARError?
        do throws(HARError) {
            if let archive { try list(archive, in: &listing) }
            if let reader { try list(reader, in: &listing, isQuiet: output.isTerminal) }
        } catch {
            // The entries before the error are listed first.
            failure = error
        }
        try listing.finish()
        try output.flush()
        if let failure { throw failure }
    }

    private func list(_ archive: HARArchive, in listing: inout Listing) throws(HARError) {
        let broken = archive.firstInvalidIndex()
        for index in 0..<(broken ?? archive.count) { try listing.add(HAREntryFacts(of: archive, at: index)) }
        if let broken { _ = try archive.entry(at: broken) }
    }

    private func list(_ reader: HARReader, in listing: inout Listing, isQuiet: Bool) throws(HARError) {
        let progress = ReadingProgress(of: reader.byteCount, isQuiet: isQuiet)
        defer { progress.clear() }
        while let entry = try reader.nextEntry() {
            try listing.add(HAREntryFacts(of: entry))
            progress.update(reader.bytesRead)
        }
    }
}

/// Writes the list of `har entries`.
struct Listing {
    /// The format of an entry.
    enum Form {
        /// One line of text.
        case lines

        /// An object in a JSON array, with the same values as a line.
        case objects

        /// The complete entry, as JSON on one line.
        case entries
    }

    private let output: StandardOutput
    private let form: Form
    private var list: JSONList?
    private let width = Terminal.width
    private var index = 0

    /// Creates a list and writes its start.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - form: The format of entries.
    /// - Throws: `unwritableFile`.
    init(to output: StandardOutput, as form: Form) throws(HARError) {
        self.output = output
        self.form = form
        list = form == .objects ? try JSONList(to: output) : nil
    }

    /// Writes the next entry.
    mutating func add(_ entry: HAREntryFacts) throws(HARError) {
        switch form {
        case .lines: try output.line(line(entry))
        case .objects:
            let object = try object(entry)
            try list?.append(object)
        case .entries:
            let text = JSONValue.object(try entry.entry.fields).data(layout: .compact)
            try output.write(json: text + Data("\n".utf8))
        }
        index += 1
    }

    /// Writes the end of the list.
    func finish() throws(HARError) { try list?.finish() }

    private func line(_ entry: HAREntryFacts) throws(HARError) -> String {
        var type = try entry.mediaType?.essence.printable ?? "-"
        // Spaces separate columns. Checking first is ten times as fast as a replacement that finds no space.
        if type.utf8.contains(UInt8(ascii: " ")) { type = type.replacing(" ", with: "_") }
        let typeWidth = width == nil ? 24 : 16
        let size = try entry.decodedBodySize
        var line = String(index).aligned(right: 5)
        for column in [
            (entry.method.isEmpty ? "-" : entry.method.printable).padded(to: 7),
            String(entry.status).aligned(right: 3),
            (width == nil ? type : type.truncated(to: typeWidth)).padded(to: typeWidth),
            (size.map(String.init) ?? "-").aligned(right: 9),
            (entry.time.map { $0.rounded(to: 0) } ?? "-").aligned(right: 7),
        ] {
            line += " "
            line += column
        }
        line += "  "
        let url = entry.url.printable
        line += width.map { url.shortened(to: max(20, $0 - line.count)) } ?? url
        return line
    }

    private func object(_ entry: HAREntryFacts) throws(HARError) -> JSONValue {
        [
            "index": .integer(index), "method": .text(entry.method), "status": .integer(entry.status),
            "type": .text(try entry.mediaType?.essence), "size": .integer(try entry.decodedBodySize),
            "time": .double(entry.time), "startedDateTime": .text(entry.startedDateTime), "url": .text(entry.url),
        ]
    }
}
