import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(XCTest)
    import XCTest
#endif

/// The problems found after a replay.
struct ReplayFindings {
    /// The kinds of problems to report.
    struct Kinds: Sendable {
        let misses: Bool
        let unusedEntries: Bool
    }

    /// A request that missed.
    struct Miss {
        let error: RelayError

        /// The number of times the request was made with the same explanation.
        var count: Int

        /// A remark if the request was made more than once.
        var remark: String? { count > 1 ? "This request was made \(count) times." : nil }
    }

    /// The maximum number of misses, and of unused entries of each archive, that are listed.
    private static let limit = 10

    private(set) var misses: [Miss] = []

    /// The number of further misses, the unused entries, and the errors of recording.
    private(set) var remarks: [String] = []

    /// The damaged archives.
    ///
    /// They are not failures: a test may need only entries that are intact.
    private(set) var warnings: [HARError] = []

    /// Collects the problems in reports.
    ///
    /// - Parameters:
    ///   - report: The report of the replay.
    ///   - kinds: The kinds of problems to report.
    ///   - recording: The report of the recording, whose failures are problems; `nil` by default.
    init(_ report: ReplayReport, _ kinds: Kinds, recording: RecordingReport? = nil) {
        warnings = report.archives.compactMap(\.damage)
        remarks += (recording?.failures ?? []).map(\.description)
        if kinds.misses { find(report.misses, count: report.missCount) }
        guard kinds.unusedEntries else { return }
        for archive in report.archives where archive.usedCount < archive.entryCount { find(archive) }
    }

    private mutating func find(_ missed: [ReplayReport.MissedRequest], count: Int) {
        var places: [String: Int] = [:]
        var left = count
        for miss in missed {
            let text = miss.error.description
            if let place = places[text] {
                misses[place].count += 1
            } else if misses.count < Self.limit {
                places[text] = misses.count
                misses.append(Miss(error: miss.error, count: 1))
            } else {
                continue
            }
            left -= 1
        }
        if left > 0 { remarks.append("\(left) more \(left == 1 ? "request" : "requests") missed.") }
    }

    private mutating func find(_ archive: ReplayReport.ArchiveUse) {
        let count = archive.entryCount - archive.usedCount
        var lines = ["\(archive.name): \(count) of \(archive.entryCount) entries were not used:"]
        let named = Array(archive.unused.prefix(Self.limit))
        lines += named.map { "  entry \($0.index)  \($0.method) \($0.url)" }
        if count > named.count { lines.append("  … and \(count - named.count) more") }
        remarks.append(lines.joined(separator: "\n"))
    }
}

extension ReplayFindings {
    /// Records all problems as issues of the current test, and warnings as issues of severity `warning`.
    func record(at sourceLocation: SourceLocation) {
        for warning in warnings {
            Issue.record(Comment(rawValue: warning.description), severity: .warning, sourceLocation: sourceLocation)
        }
        for miss in misses {
            Issue.record(
                miss.error, miss.remark.map { Comment(rawValue: $0) }, sourceLocation: sourceLocation)
        }
        for remark in remarks { Issue.record(Comment(rawValue: remark), sourceLocation: sourceLocation) }
    }

    #if canImport(XCTest)
        /// Records all problems as failures of the running test case, if any.
        ///
        /// XCTest has no warnings, so they are written to its log in its format of messages.
        func recordFailures(file: StaticString, line: UInt) {
            for warning in warnings {
                FileHandle.standardError.write(Data("\(file):\(line): warning: \(warning.description)\n".utf8))
            }
            for miss in misses {
                let lines = [miss.error.description, miss.remark].compactMap { $0 }
                XCTFail(lines.joined(separator: "\n"), file: file, line: line)
            }
            for remark in remarks { XCTFail(remark, file: file, line: line) }
        }
    #endif
}
