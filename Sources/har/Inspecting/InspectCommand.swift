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

            Of an archive of more than 20 MB, only the archive index and a sample of 300 entries are read, unless --full \
            is given. The size of the transferred bodies is then unknown.

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

    @Flag(help: "Read all entries of a large archive.")
    var full = false

    /// The maximum size of an archive that is read completely, in bytes.
    private static let smallSize = 20_000_000

    /// The maximum number of entries in a sample.
    private static let sampleSize = 300

    func run() throws {
        if !full, !file.isStream, let size = file.url.fileSize, size > Self.smallSize,
            let archive = try? file.archive(sizes)
        {
            return try write(summary(of: archive), of: archive.log, size: size)
        }
        let reader = try file.reader(sizes)
        let progress = ReadingProgress(of: reader.byteCount)
        var summary = Summary(folder: sizes.folder(of: file))
        let result = Result { () throws(HARError) in
            while let entry = try reader.nextEntry() {
                summary.add(entry)
                progress.update(reader.bytesRead)
            }
        }
        progress.clear()
        if case .failure(let failure) = result {
            guard summary.count > 0 else { throw failure }
            StandardError.error(failure)
            summary.error = failure
        }
        try write(summary, of: reader.log, size: reader.byteCount)
        if summary.error != nil { throw ExitCode.failure }
    }

    /// Returns the summary of an archive from its index and a sample of its entries.
    private func summary(of archive: HARArchive) -> Summary {
        var summary = Summary(folder: sizes.folder(of: file))
        for index in 0..<archive.count { summary.add(HAREntryFacts(of: archive, at: index)) }
        let step = max(1, archive.count / Self.sampleSize)
        for index in stride(from: 0, to: archive.count, by: step).prefix(Self.sampleSize) {
            if let entry = try? archive.entry(at: index) { summary.addReplayability(of: entry) }
        }
        return summary
    }

    private func write(_ summary: Summary, of log: HAR.Log, size: Int?) throws {
        let output = StandardOutput()
        if json {
            let value = summary.json(of: log, file: file.name, size: size)
            try output.write(json: value.data(layout: .pretty))
            if summary.error != nil { try output.line() }
        } else {
            for line in summary.lines(of: log, file: file.name, size: size) { try output.line(line) }
        }
        try output.flush()
    }
}
