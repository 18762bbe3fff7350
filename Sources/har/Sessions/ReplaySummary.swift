import ArchiveInspection
import Foundation
import HTTPArchive
import Relay

/// Writes the differences and counts the results of a replay.
struct ReplaySummary {
    let output = StandardOutput()

    private var list: JSONList?
    private let isVerbose: Bool
    private var requestCount = 0
    private var answeredCount = 0
    private var differentCount = 0
    private var failures = Tally()
    private var notReplayable = Tally()

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - isJSON: Whether the report is JSON.
    ///   - isVerbose: Whether to write a line for each request, instead of only for differences.
    /// - Throws: `unwritableFile`.
    init(isJSON: Bool, isVerbose: Bool) throws {
        list = isJSON ? try JSONList(to: output, as: "differences") : nil
        self.isVerbose = isVerbose
    }

    /// Whether a response differs.
    var hasDifferences: Bool { differentCount > 0 }

    /// Counts a result and writes its line.
    ///
    /// - Parameters:
    ///   - result: The result of the request.
    ///   - request: The request.
    ///   - index: The index of the entry, or `nil` if the request has no entry.
    /// - Throws: `unwritableFile`.
    mutating func add(_ result: Replayer.Result, of request: HAR.Request, index: Int?) throws {
        requestCount += 1
        switch result {
        case .answered(let status, let size):
            answeredCount += 1
            try verboseLine("answered with \(status), \(size.of("byte", "bytes"))", request, index)
        case .different(let differences):
            differentCount += 1
            guard list != nil else {
                return try line("different: \(differences.joined(separator: "; "))", request, index)
            }
            try list?.append([
                "index": .integer(index), "method": .text(request.method), "url": .text(request.url),
                "differences": .array(differences.map { .text($0) }),
            ])
        case .failed(let text):
            failures.add(text)
            try verboseLine("failed as recorded: \(text)", request, index)
        case .notReplayable(let reason), .notSent(let reason):
            if case .notSent = result { requestCount -= 1 }
            notReplayable.add(reason)
            try verboseLine("not replayable: \(reason)", request, index)
        }
    }

    /// Writes the counts.
    func finish() throws {
        if let list {
            try list.finish([
                "requests": .integer(requestCount), "answered": .integer(answeredCount),
                "different": .integer(differentCount), "failedAsRecorded": failures.json("failure"),
                "notReplayable": notReplayable.json("reason"),
            ])
        } else {
            try output.line(
                """
                \(requestCount.of("request", "requests")): \(answeredCount) answered as recorded, \(differentCount) different, \
                \(failures.total) failed as recorded
                """)
            try section("Failed as recorded", failures)
            try section("Not replayable", notReplayable)
        }
        try output.flush()
    }

    private func section(_ title: String, _ tally: Tally) throws {
        guard tally.total > 0 else { return }
        try output.line("\(title): \(tally.total)")
        for row in tally.rows { try output.line("  \(row.count)  \(row.name.printable)") }
    }

    private func verboseLine(_ text: String, _ request: HAR.Request, _ index: Int?) throws {
        if isVerbose, list == nil { try line(text, request, index) }
    }

    private func line(_ text: String, _ request: HAR.Request, _ index: Int?) throws {
        let index = index.map(String.init) ?? "-"
        let lines = text.split(separator: "\n").map { String($0).printable }
        let request = "\(request.method) \(MessageText.url(request.url))".printable
        try output.line("\(index) \(request): \(lines.joined(separator: "\n"))")
    }
}
