import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(XCTest)
    import XCTest
#endif

/// What is not right with a replay that is over.
struct ReplayFindings {
    /// What is to be found.
    struct Kinds: Sendable {
        let misses: Bool
        let unusedEntries: Bool
    }

    /// A request that nothing answered.
    struct Miss {
        let error: HARError

        /// How many times it came, with the same explanation.
        var count: Int

        /// How many times it came, where that was more than once.
        var remark: String? { count > 1 ? "This request came \(count) times." : nil }
    }

    /// The number of misses, and of unused entries of an archive, that are named.
    private static let limit = 10

    private(set) var misses: [Miss] = []

    /// Says how many further misses there are, which entries were not used, or what was not recorded.
    private(set) var remarks: [String] = []

    /// Says which archives are damaged, which is no failure: a test whose entries are all there has what it needs.
    private(set) var warnings: [HARError] = []

    /// Finds what reports tell.
    ///
    /// - Parameters:
    ///   - report: What was replayed.
    ///   - kinds: What is to be found.
    ///   - recording: What was recorded, whose failures are findings; `nil` (the default) for nothing.
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
    /// Records everything as issues of the current test, warnings as such.
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
        /// Records everything as failures of the test case that runs; nothing where none does.
        ///
        /// XCTest knows no issues that are no failures: warnings are lines of its log, in the form of its own.
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
