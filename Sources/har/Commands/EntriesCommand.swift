import ArgumentParser
import Foundation
import HTTPArchive

/// `har entries`: a line an entry.
struct EntriesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entries",
        abstract: "List the entries of an archive, one a line.",
        discussion: """
            Each line has the index of the entry, the method, the status, the media type, the size of the body in bytes, \
            the time in milliseconds and the URL; a dash stands for what is unknown. On a terminal long URLs are \
            shortened.

            Example: har entries page.har | grep image/

            With --json, an array with one object a line: index, method, status, type, size, time, startedDateTime and \
            url; what is unknown is null. Of a broken archive, the entries before the error are listed, and the exit \
            status is 1. With --ndjson, the entries themselves, whole, bodies and headers included.
            """)

    @Argument(help: "The archive; - for standard input.")
    var file: Input

    @Flag(help: "Write JSON, for machines.")
    var json = false

    @Flag(help: "Write each entry whole, as JSON on one line.")
    var ndjson = false

    func validate() throws {
        if json, ndjson { throw ValidationError("Choose one of --json and --ndjson.") }
    }

    func run() throws {
        // Entries that are written whole are read one after the other; so is what cannot be opened.
        let archive = ndjson || file.isStream ? nil : try? file.archive()
        let reader = archive == nil ? try file.reader() : nil
        let output = StandardOutput()
        var listing = try Listing(to: output, as: ndjson ? .entries : json ? .objects : .lines)
        var failure: HARError?
        do throws(HARError) {
            if let archive { try list(archive, in: &listing) }
            if let reader { try list(reader, in: &listing, isQuiet: output.isTerminal) }
        } catch {
            // The entries before the mistake are listed.
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
