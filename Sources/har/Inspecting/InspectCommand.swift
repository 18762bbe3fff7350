import ArgumentParser
import Foundation
import HTTPArchive

/// `har inspect`: what an archive holds.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what an archive holds.",
        discussion: """
            Tells which program made the archive and when, counts its entries by host, method, status and type, and says \
            which of them cannot be replayed and why.

            Example: har inspect page.har

            With --json, one object with the keys file, bytes, version, creator, browser, entries, firstStart, \
            lastStart, seconds, pages, bodyBytes, receivedBytes, hosts, methods, statuses, types, replayable, failing \
            and notReplayable; what is unknown is null.

            Of a broken archive, the error comes first, and the figures cover the entries before it; with --json, the \
            object also has the key error. The exit status is 1.
            """)

    @Argument(help: "The archive; - for standard input.")
    var file: Input

    @Flag(help: "Write JSON, for machines.")
    var json = false

    func run() throws {
        let reader = try file.reader()
        let progress = ReadingProgress(of: reader.byteCount)
        var summary = Summary(folder: file.folder)
        var failure: HARError?
        do throws(HARError) {
            while let entry = try reader.nextEntry() {
                summary.add(entry)
                progress.update(reader.bytesRead)
            }
        } catch {
            failure = error
        }
        progress.clear()
        if let failure {
            guard summary.count > 0 else { throw failure }
            StandardError.error(failure)
            summary.error = failure
        }
        let output = StandardOutput()
        if json {
            let value = summary.json(of: reader.log, file: file.name, size: reader.byteCount)
            try output.write(value.data(layout: .pretty))
            if failure != nil { try output.line() }
        } else {
            for line in summary.lines(of: reader.log, file: file.name, size: reader.byteCount) {
                try output.line(line)
            }
        }
        try output.flush()
        if failure != nil { throw ExitCode.failure }
    }
}
