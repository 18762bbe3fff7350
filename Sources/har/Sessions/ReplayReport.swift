import Foundation
import HTTPArchive

/// Writes what differs as it is found, and counts.
struct ReplayReport {
    /// Where it goes.
    let output = StandardOutput()

    private var list: JSONList?
    private let isVerbose: Bool
    private var asked = 0
    private var answered = 0
    private var different = 0
    private var failures = Tally()
    private var notReplayable = Tally()

    /// Begins a report.
    ///
    /// - Parameters:
    ///   - isJSON: Whether it is for machines.
    ///   - isVerbose: Whether requests are told that were answered as recorded.
    /// - Throws: What standard output throws.
    init(isJSON: Bool, isVerbose: Bool) throws {
        list = isJSON ? try JSONList(to: output, as: "differences") : nil
        self.isVerbose = isVerbose
    }

    /// Whether something differs.
    var hasDifferences: Bool { different > 0 }

    /// Counts a result, and writes what is to be told of it.
    ///
    /// - Parameters:
    ///   - result: What came of the request.
    ///   - request: The request.
    ///   - index: The place of its entry; `nil` when no entry has it.
    /// - Throws: What standard output throws.
    mutating func add(_ result: Replayer.Result, of request: HAR.Request, index: Int?) throws {
        asked += 1
        switch result {
        case .answered(let status, let size):
            answered += 1
            try tell("answered with \(status), \(size.of("byte", "bytes"))", request, index)
        case .different(let differences):
            different += 1
            guard list != nil else {
                return try line("different: \(differences.joined(separator: "; "))", request, index)
            }
            try list?.append([
                "index": .integer(index), "method": .text(request.method), "url": .text(request.url),
                "differences": .array(differences.map { .text($0) }),
            ])
        case .failed(let text):
            failures.add(text)
            try tell("failed as recorded: \(text)", request, index)
        case .notReplayable(let reason):
            notReplayable.add(reason)
            try tell("not replayable: \(reason)", request, index)
        case .notAsked(let reason):
            asked -= 1
            notReplayable.add(reason)
            try tell("not replayable: \(reason)", request, index)
        }
    }

    /// Writes the numbers.
    func finish() throws {
        if let list {
            try list.finish([
                "asked": .integer(asked), "answered": .integer(answered), "different": .integer(different),
                "failedAsRecorded": failures.json("failure"), "notReplayable": notReplayable.json("reason"),
            ])
        } else {
            try output.line(
                """
                \(asked.of("request", "requests")): \(answered) answered as recorded, \(different) different, \
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

    private func tell(_ text: String, _ request: HAR.Request, _ index: Int?) throws {
        if isVerbose, list == nil { try line(text, request, index) }
    }

    private func line(_ text: String, _ request: HAR.Request, _ index: Int?) throws {
        let place = index.map(String.init) ?? "-"
        let lines = text.split(separator: "\n").map { String($0).printable }
        try output.line("\(place) \("\(request.method) \(request.url)".printable): \(lines.joined(separator: "\n"))")
    }
}
