import ArgumentParser
import Foundation
import HTTPArchive
import Relay

/// `har replay`: requests answered by an archive.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Make the recorded requests again, answered by the archive, and compare the answers.",
        discussion: """
            Every request of the archive is made in its order, through URLSession, with the recorded method, header \
            fields and body; nothing reaches the network. Status, header fields and body of each answer are compared \
            with the entry, and what differs is a line. With URLs, a GET of each of them is made instead, and each is a \
            line. A redirect is compared like any answer, and not followed: its target is an entry of its own. The exit \
            status is 1 when an answer differs, or a URL has none.

            Example: har replay page.har
            Example: har replay page.har https://example.com/

            With --json, one object: differences (index, method, url, differences), asked, answered, different, \
            failedAsRecorded (failure, count) and notReplayable (reason, count).
            """)

    @Argument(help: "The archive.")
    var file: Input

    @Argument(help: "The URLs to get; all entries when there is none.")
    var urls: [String] = []

    @OptionGroup var bodyFiles: BodyFileOptions

    @Flag(help: "Write JSON, for machines.")
    var json = false

    @Flag(name: .shortAndLong, help: "Write a line for each request, not only for those that differ.")
    var verbose = false

    func validate() throws {
        if file.isStandardInput {
            throw ValidationError("The archive must be a file: it is read again for each answer.")
        }
        if json, verbose { throw ValidationError("Choose one of --json and --verbose.") }
        for url in urls {
            if let reason = HAR.Request(url: url).reasonNotToAsk {
                throw ValidationError("'\(url.printable)' cannot be asked for: \(reason).")
            }
        }
    }

    func run() async throws {
        let replayer = try Replayer(archive: file, folder: bodyFiles.folder(of: file))
        defer { replayer.stop() }
        var report = try ReplayReport(isJSON: json, isVerbose: verbose || !urls.isEmpty)
        try await urls.isEmpty ? replayEntries(with: replayer, &report) : replayURLs(with: replayer, &report)
        try report.finish()
        if report.hasDifferences { throw ExitCode.failure }
    }

    private func replayEntries(with replayer: Replayer, _ report: inout ReplayReport) async throws {
        let reader = try file.reader()
        let progress = ReadingProgress(of: reader.byteCount)
        report.output.progress = progress
        defer { progress.clear() }
        var index = 0
        while let entry = try reader.nextEntry() {
            try report.add(await replayer.replay(entry, index: index), of: entry.request, index: index)
            index += 1
            progress.update(reader.bytesRead)
        }
    }

    private func replayURLs(with replayer: Replayer, _ report: inout ReplayReport) async throws {
        var recordings = try Recordings(in: file, of: urls)
        for url in urls {
            if let (entry, index) = try recordings.next(for: url) {
                try report.add(await replayer.replay(entry, index: index), of: entry.request, index: index)
            } else {
                try report.add(await replayer.ask(url), of: HAR.Request(url: url), index: nil)
            }
        }
    }
}

/// The entries for URLs that somebody asks for.
struct Recordings {
    private let archive: HARArchive
    private var indices: [RequestKey: [Int]]
    private var turns: [RequestKey: Int] = [:]

    /// Looks for the entries.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - urls: The URLs that will be asked for, with GET.
    /// - Throws: What reading the archive throws.
    init(in file: Input, of urls: [String]) throws(HARError) {
        var full: [RequestKey: [Int]] = [:]
        var partial: [RequestKey: [Int]] = [:]
        let keys = Set(urls.map { RequestKey(method: "GET", url: $0) })
        archive = try file.archive()
        for index in 0..<archive.count {
            let summary = archive.summary(at: index)
            let key = RequestKey(method: summary.method, url: summary.url)
            guard keys.contains(key) else { continue }
            let entry = try archive.entry(at: index)
            let request = entry.request
            let isConditional = request.header("if-none-match") != nil || request.header("if-modified-since") != nil
            if isConditional || entry.response.status == 304 {
                partial[key, default: []].append(index)
            } else {
                full[key, default: []].append(index)
            }
        }
        indices = partial.merging(full) { $1 }
    }

    /// The next entry for a URL, the last one again when there is no more; `nil` when there is none.
    mutating func next(for url: String) throws(HARError) -> (entry: HAR.Entry, index: Int)? {
        let key = RequestKey(method: "GET", url: url)
        guard let list = indices[key], let last = list.last else { return nil }
        let turn = turns[key, default: 0]
        turns[key] = turn + 1
        let index = turn < list.count ? list[turn] : last
        return (try archive.entry(at: index), index)
    }
}
