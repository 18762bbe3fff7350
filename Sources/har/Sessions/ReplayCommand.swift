import ArchiveInspection
import ArgumentParser
import CPlatform
import Foundation
import HTTPArchive
import Relay

/// `har replay`: replays an archive and compares the responses with the recorded responses.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay the requests of an archive and compare the responses with the recorded responses.",
        discussion: """
            Sends every request in the archive with URLSession and with the recorded method, header fields \
            and body. All responses come from the archive; nothing is sent to the network. The status, header fields \
            and body of each response are compared with the entry, and a line is printed for each response that \
            differs. With URLs, sends a GET request for each URL instead, and prints a line for each. Redirects are \
            compared but not followed, because the target is a separate entry. The exit status is 1 if a response \
            differs or a URL has no entry.

            Example: har replay page.har
            Example: har replay page.har https://example.com/
            Example: har filter --type json page.har - | har replay -

            With --json, prints one object: differences (index, method, url, differences), requests, answered, \
            different, failedAsRecorded (failure, count) and notReplayable (reason, count).
            """)

    @Argument(help: "The archive; - for standard input.")
    var file: Input

    @Argument(help: "The URLs to request; all entries by default.")
    var urls: [String] = []

    @OptionGroup var sizes: SizeOptions

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print a line for each request.")
    var verbose = false

    func validate() throws {
        if json, verbose { throw ValidationError("--json cannot be used with --verbose") }
        for url in urls {
            if let reason = HAR.Request(url: url).unsupportedReason {
                throw ValidationError("cannot request '\(url.printable)': \(reason)")
            }
        }
    }

    func run() async throws {
        // URLSession uses many threads, but they rarely allocate at the same time.
        memory_limit_pools(2)
        // One session reads the entries to send, and another one the responses.
        try file.makeSeekable()
        let replayer = try Replayer(archive: file, sizes)
        defer { replayer.stop() }
        var report = try ReplaySummary(isJSON: json, isVerbose: verbose || !urls.isEmpty)
        try await urls.isEmpty ? replayEntries(with: replayer, &report) : replayURLs(with: replayer, &report)
        try report.finish()
        if report.hasDifferences { throw ExitCode.failure }
    }

    private func replayEntries(with replayer: Replayer, _ report: inout ReplaySummary) async throws {
        let reader = try file.reader(sizes)
        let progress = ReadingProgress(of: reader.byteCount)
        report.output.progress = progress
        defer { progress.clear() }
        var requests = PendingRequests(with: replayer)
        var count = 0
        var failure: HARError?
        while true {
            let entry: HAR.Entry
            do throws(HARError) {
                guard let next = try reader.nextEntry() else { break }
                entry = next
            } catch {
                failure = error
                break
            }
            try await requests.send(entry, index: count, reportingTo: &report)
            count += 1
            progress.update(reader.bytesRead)
        }
        try await requests.finish(reportingTo: &report)
        if let failure { throw failure }
    }

    private func replayURLs(with replayer: Replayer, _ report: inout ReplaySummary) async throws {
        var recorded = try RecordedEntries(in: file, sizes, of: urls)
        for url in urls {
            if let (entry, index) = try recorded.next(for: url) {
                try report.add(await replayer.replay(entry, index: index), of: entry.request, index: index)
            } else {
                try report.add(await replayer.request(url), of: HAR.Request(url: url), index: nil)
            }
        }
    }
}

/// The recorded entries for the URLs to request.
struct RecordedEntries {
    private let archive: HARArchive
    private var indices: [RequestKey: ArraySlice<Int>]

    /// Finds the entries.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - sizes: The limits.
    ///   - urls: The URLs to request with GET.
    /// - Throws: An error if the archive cannot be read.
    init(in file: Input, _ sizes: SizeOptions, of urls: [String]) throws(HARError) {
        var full: [RequestKey: ArraySlice<Int>] = [:]
        var partial: [RequestKey: ArraySlice<Int>] = [:]
        let keys = Set(urls.map { RequestKey(method: "GET", url: $0) })
        archive = try file.archive(sizes)
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

    /// Returns the next entry for a URL, or nil if the URL has no entry.
    ///
    /// The last entry is returned repeatedly.
    mutating func next(for url: String) throws(HARError) -> (entry: HAR.Entry, index: Int)? {
        let key = RequestKey(method: "GET", url: url)
        guard let rest = indices[key], let index = rest.first else { return nil }
        if rest.count > 1 { indices[key] = rest.dropFirst() }
        return (try archive.entry(at: index), index)
    }
}

/// The requests of entries that are sent at the same time, in the order of the entries.
///
/// Requests with the same method and URL are sent one after another, because the entries are used in their order.
struct PendingRequests {
    private struct Pending {
        let entry: HAR.Entry
        let index: Int
        let key: RequestKey
        let size: Int
        let result: Task<Replayer.Result, Never>
    }

    /// The maximum number of requests.
    private static let countLimit = 12

    /// The maximum size of the entries in bytes, unless there is only one.
    private static let sizeLimit = 2_000_000

    private let replayer: Replayer
    private var pending: [Pending] = []

    /// Creates an empty list.
    ///
    /// - Parameter replayer: The replayer that sends the requests.
    init(with replayer: Replayer) { self.replayer = replayer }

    /// Sends the request of an entry when there are few enough requests.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - index: The index of the entry.
    ///   - report: The report that receives the results of earlier requests.
    /// - Throws: `unwritableFile`.
    mutating func send(_ entry: HAR.Entry, index: Int, reportingTo report: inout ReplaySummary) async throws {
        let size = entry.fields.byteRange?.count ?? 0
        while pending.count >= Self.countLimit
            || !pending.isEmpty && pending.reduce(size, { $0 + $1.size }) > Self.sizeLimit
        {
            try await finishFirst(reportingTo: &report)
        }
        let key = RequestKey(method: entry.request.method, url: entry.request.url)
        let earlier = pending.last { $0.key == key }?.result
        let result = Task { [replayer] in
            _ = await earlier?.value
            return await replayer.replay(entry, index: index)
        }
        pending.append(Pending(entry: entry, index: index, key: key, size: size, result: result))
    }

    /// Waits for all requests.
    ///
    /// - Parameter report: The report that receives the results.
    /// - Throws: `unwritableFile`.
    mutating func finish(reportingTo report: inout ReplaySummary) async throws {
        while !pending.isEmpty { try await finishFirst(reportingTo: &report) }
    }

    private mutating func finishFirst(reportingTo report: inout ReplaySummary) async throws {
        let first = pending.removeFirst()
        try report.add(await first.result.value, of: first.entry.request, index: first.index)
    }
}
