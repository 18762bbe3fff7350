import ArgumentParser
import Foundation
import HTTPArchive

/// `har inspect`: summarizes an archive.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show a summary of an archive.",
        discussion: """
            Shows when and by which program the archive was created, the number of entries by host, method, status and \
            type, and the reasons why entries cannot be replayed.

            Example: har inspect page.har

            With --json, prints one object with the keys file, bytes, version, creator, browser, entries, firstStart, \
            lastStart, seconds, pages, bodyBytes, receivedBytes, hosts, methods, statuses, types, replayable, failing \
            and notReplayable; null means unknown.

            If the archive is damaged, the error is printed first, the summary covers the entries before the error, \
            and the exit status is 1. With --json, the object also has the key error.
            """)

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive; - for standard input.")
    var file: Input

    @Flag(help: "Print JSON instead of text.")
    var json = false

    func run() throws {
        let reader = try file.reader(sizes)
        let progress = ReadingProgress(of: reader.byteCount)
        var summary = Summary(folder: sizes.folder(of: file))
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
            try output.write(json: value.data(layout: .pretty))
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
