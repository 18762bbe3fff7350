import ArchiveInspection
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

/// A summary of an archive.
struct Summary {
    /// The folder with the archive's body files.
    let folder: HAR.BodyFolder

    private(set) var count = 0
    private(set) var hosts = Tally()
    private(set) var methods = Tally()
    private(set) var statuses = Tally()
    private(set) var types = Tally()

    /// The total size of all response bodies in bytes, without content codings.
    private(set) var bodyBytes = 0

    /// The total size of all response bodies as received, in bytes, or `nil` if no entry has this size.
    private(set) var receivedBytes: Int?

    /// The start times of the first and the last request, or `nil` if no entry has a start time.
    private(set) var started: ClosedRange<Date>?

    /// The end time of the last response, or `nil` if no entry has a start time.
    private(set) var ended: Date?

    /// The number of entries that were read, which is smaller than ``count`` if only some of them were.
    private(set) var readCount = 0

    /// The number of entries that replay as a failure, by failure text.
    private(set) var failures = Tally()

    /// The number of entries that cannot be replayed, by reason.
    private(set) var notReplayable = Tally()

    /// The error that stopped reading, or `nil` if all entries were counted.
    var error: HARError?

    /// Adds an entry.
    mutating func add(_ entry: HAR.Entry) {
        add(HAREntryFacts(of: entry))
        if let received = entry.response.bodySize { receivedBytes = (receivedBytes ?? 0).adding(clamping: received) }
        addReplayability(of: entry)
    }

    /// Adds the facts about an entry that are in the archive index.
    mutating func add(_ facts: HAREntryFacts) {
        count += 1
        // An entry that cannot be read is counted without its size and type.
        let size = (try? facts.decodedBodySize) ?? 0
        hosts.add(facts.host ?? "(none)", bytes: size)
        methods.add(facts.method.isEmpty ? "(none)" : facts.method)
        statuses.add(String(facts.status))
        types.add((try? facts.mediaType)?.essence ?? "(unknown)", bytes: size)
        bodyBytes = bodyBytes.adding(clamping: size)
        addTime(of: facts)
    }

    /// Adds the result of replaying an entry.
    mutating func addReplayability(of entry: HAR.Entry) {
        readCount += 1
        switch Replayability(of: entry, folder: folder) {
        case .response: break
        case .failure(let text): failures.add(text)
        case .notReplayable(let reason): notReplayable.add(reason)
        }
    }

    private mutating func addTime(of entry: HAREntryFacts) {
        guard let start = entry.startedDate else { return }
        let end = start.addingTimeInterval((EntryPhases.duration(entry.time) ?? 0) / 1000)
        started = started.map { min($0.lowerBound, start)...max($0.upperBound, start) } ?? start...start
        ended = ended.map { max($0, end) } ?? end
    }

    /// The number of read entries that replay as a response.
    var replayable: Int { readCount - failures.total - notReplayable.total }

    /// Whether all entries were read.
    var isComplete: Bool { readCount == count }

    /// The time from the first request to the last response, in seconds.
    var span: TimeInterval? {
        guard let started, let ended else { return nil }
        return ended.timeIntervalSince(started.lowerBound)
    }
}

extension Summary {
    /// The maximum number of rows in each section.
    ///
    /// `--json` has no maximum.
    private static let limit = 20

    /// Returns the summary as text.
    ///
    /// - Parameters:
    ///   - log: The log, without entries.
    ///   - file: The name of the archive.
    ///   - size: The size of the file in bytes, or `nil` if unknown.
    /// - Returns: The lines.
    func lines(of log: HAR.Log, file: String, size: Int?) -> [String] {
        let entries = count.of("entry", "entries")
        let facts: [(String, String?)] = [
            ("File", file.printable + (size.map { " (\($0.asBytes))" } ?? "")),
            ("Format", "HAR \(log.version)".printable),
            ("Creator", text(of: log.creator)),
            ("Browser", text(of: log.browser)),
            ("Started", times),
            ("Entries", String(count)),
            ("Damaged", error == nil ? nil : "the summary covers the \(entries) before the error"),
            ("Bodies", bodyBytes.asBytes + (receivedBytes.map { ", \($0.asBytes) transferred" } ?? "")),
        ]
        var lines = facts.compactMap { name, value in value.map { name.padded(to: 9) + $0 } }
        lines += section("Pages", pages(of: log))
        lines += section("Hosts", rows(of: hosts, hasBytes: true))
        lines += section("Methods", rows(of: methods))
        lines += section("Statuses", rows(of: statuses))
        lines += section("Types", rows(of: types, hasBytes: true))
        let whole = isComplete ? entries : "a sample of \(readCount) entries; --full checks all"
        let label = isComplete ? "" : ", in the sample"
        lines += ["", "Replayable: \(replayable) of \(whole)"]
        lines += section("Failing as recorded\(label): \(failures.total)", rows(of: failures))
        lines += section("Not replayable\(label): \(notReplayable.total)", rows(of: notReplayable))
        return lines
    }

    private func text(of program: HAR.Creator?) -> String? {
        program.map { "\($0.name) \($0.version)".printable.trimmingCharacters(in: .whitespaces) }
    }

    private var times: String? {
        guard let started, let span else { return nil }
        return "\(HAR.text(started.lowerBound)), \(span.asTime) to the last response"
    }

    private func section(_ title: String, _ rows: [String]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let more = rows.count - Self.limit
        return ["", title] + rows.prefix(Self.limit).map { "  " + $0 } + (more > 0 ? ["  … and \(more) more"] : [])
    }

    private func pages(of log: HAR.Log) -> [String] {
        (log.pages ?? []).map { page in
            let load = page.pageTimings.onLoad.map { ", loaded in \(($0 / 1000).asTime)" } ?? ""
            return (page.title.isEmpty ? page.id : page.title).printable(upTo: 90) + load
        }
    }

    private func rows(of tally: Tally, hasBytes: Bool = false) -> [String] {
        let rows = tally.rows
        let shown = rows.prefix(Self.limit)
        let countWidth = shown.map { String($0.count).count }.max() ?? 0
        let nameWidth = min(60, shown.map(\.name.columnCount).max() ?? 0)
        return rows.map { row in
            let count = String(row.count).aligned(right: countWidth)
            let name = row.name.printable
            return hasBytes && row.bytes > 0
                ? "\(count)  \(name.padded(to: nameWidth))  \(row.bytes.asBytes)" : "\(count)  \(name)"
        }
    }
}

extension Summary {
    /// Returns the summary as JSON.
    ///
    /// - Parameters:
    ///   - log: The log, without entries.
    ///   - file: The name of the archive.
    ///   - size: The size of the file in bytes, or `nil` if unknown.
    /// - Returns: An object.
    func json(of log: HAR.Log, file: String, size: Int?) -> JSONValue {
        var summary: JSONObject = [
            "file": .text(file),
            "bytes": .integer(size),
            "version": .text(log.version),
            "creator": json(of: log.creator),
            "browser": json(of: log.browser),
            "entries": .integer(count),
            "firstStart": .text(started.map { HAR.text($0.lowerBound) }),
            "lastStart": .text(started.map { HAR.text($0.upperBound) }),
            "seconds": .seconds(span),
            "pages": .array(
                (log.pages ?? []).map { page in
                    [
                        "id": .text(page.id), "title": .text(page.title),
                        "startedDateTime": .text(page.startedDateTime),
                        "onLoad": .double(page.pageTimings.onLoad),
                    ]
                }),
            "bodyBytes": .integer(bodyBytes),
            "receivedBytes": .integer(receivedBytes),
            "hosts": hosts.json("host", hasBytes: true),
            "methods": methods.json("method"),
            "statuses": .array(
                statuses.rows.map { ["status": .integer(Int($0.name)), "count": .integer($0.count)] }),
            "types": types.json("type", hasBytes: true),
            // Samples are only in the text.
            "replayable": .integer(isComplete ? replayable : nil),
            "failing": isComplete ? failures.json("failure") : .null,
            "notReplayable": isComplete ? notReplayable.json("reason") : .null,
        ]
        if let error { summary["error"] = .text(error.description) }
        return .object(summary)
    }

    private func json(of program: HAR.Creator?) -> JSONValue {
        program.map { ["name": .text($0.name), "version": .text($0.version)] } ?? .null
    }
}
