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
            url; what is unknown is null. With --ndjson, the entries themselves, whole, bodies and headers included.
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
        let reader = try file.reader()
        let output = StandardOutput()
        var list = json ? try JSONList(to: output) : nil
        let progress = ReadingProgress(of: reader, isQuiet: output.isTerminal)
        var index = 0
        var failure: HARError?
        while true {
            let next: HAR.Entry?
            do throws(HARError) {
                next = try reader.nextEntry()
            } catch {
                failure = error
                break
            }
            guard let entry = next else { break }
            if ndjson {
                try output.write(JSONValue.object(entry.fields).data(layout: .compact) + Data("\n".utf8))
            } else if list != nil {
                try list?.append(object(entry, index: index))
            } else {
                try output.line(line(entry, index: index))
            }
            index += 1
            progress.update()
        }
        progress.clear()
        try list?.finish()
        try output.flush()
        if let failure { throw failure }
    }

    private func line(_ entry: HAR.Entry, index: Int) -> String {
        let width = Terminal.width
        let type = entry.mediaType?.printable.replacing(" ", with: "_") ?? "-"
        let typeWidth = width == nil ? 24 : 16
        let columns = [
            String(index).aligned(right: 5),
            (entry.request.method.isEmpty ? "-" : entry.request.method.printable).padded(to: 7),
            String(entry.response.status).aligned(right: 3),
            (width == nil ? type : type.truncated(to: typeWidth)).padded(to: typeWidth),
            (entry.responseSize.map(String.init) ?? "-").aligned(right: 9),
            (entry.time.map { $0.rounded(to: 0) } ?? "-").aligned(right: 7),
        ]
        let facts = columns.joined(separator: " ") + "  "
        let url = entry.request.url.printable
        return facts + (width.map { url.shortened(to: max(20, $0 - facts.count)) } ?? url)
    }

    private func object(_ entry: HAR.Entry, index: Int) -> JSONValue {
        [
            "index": .integer(index), "method": .text(entry.request.method),
            "status": .integer(entry.response.status), "type": .text(entry.mediaType),
            "size": .integer(entry.responseSize), "time": .double(entry.time),
            "startedDateTime": .text(entry.startedDateTime), "url": .text(entry.request.url),
        ]
    }
}
