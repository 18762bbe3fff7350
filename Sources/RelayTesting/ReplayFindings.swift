import Foundation
import HTTPArchive
import Relay
import Synchronization
import Testing

#if canImport(XCTest)
    import XCTest
#endif

/// The problems found after a replay.
struct ReplayFindings {
    /// A request that missed.
    struct Miss {
        let error: RelayError

        /// The number of misses of the request with the same error.
        var count: Int

        /// A remark if the request was made more than once.
        var remark: String? { count > 1 ? "This request was made \(count) times." : nil }
    }

    /// The maximum number of misses, changed bodies, and unused entries per archive to list.
    private static let limit = 10

    private(set) var misses: [Miss] = []

    /// The messages about further misses, unused entries and rules, changed bodies, and recording errors.
    private(set) var remarks: [String] = []

    /// The messages about damaged archives and changed bodies.
    ///
    /// A damaged archive is not a failure, because a test might need only its intact entries.
    private(set) var warnings: [String] = []

    /// Collects the problems from reports.
    ///
    /// - Parameters:
    ///   - report: The report of the replay.
    ///   - settings: The settings of the replay, which select the kinds of problems to report.
    ///   - unusedRules: The patterns of unused rules; none by default.
    ///   - recording: The report of the recording, which can contain failures; `nil` by default.
    ///   - outcome: The outcome of the test; `nil` by default. Misses that it already shows are not reported again.
    init(
        _ report: ReplayReport, _ settings: ReplaySettings, unusedRules: [String] = [],
        recording: RecordingReport? = nil, after outcome: TestOutcome? = nil
    ) {
        warnings = report.archives.compactMap(\.damage?.description)
        remarks += (recording?.failures ?? []).map(\.description)
        if settings.reportsMisses ?? true { find(report.misses, count: report.missCount, after: outcome) }
        let changes = report.changedBodies.prefix(Self.limit).map(\.description)
        if settings.reportsChangedBodies ?? false { remarks += changes } else { warnings += changes }
        if settings.reportsUnusedRules ?? false, !unusedRules.isEmpty {
            let lines = ["These rules matched no request:"] + unusedRules.map { "  \($0)" }
            remarks.append(lines.joined(separator: "\n"))
        }
        guard settings.reportsUnusedEntries ?? false else { return }
        for archive in report.archives where archive.usedCount < archive.entryCount { find(archive) }
    }

    private mutating func find(_ missed: [ReplayReport.MissedRequest], count: Int, after outcome: TestOutcome?) {
        var places: [String: Int] = [:]
        var left = count
        for miss in missed {
            let text = miss.error.description
            if outcome?.hasShown(text) == true {
                left -= 1
                continue
            }
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
        if left > 0 { remarks.append("\(left) more \(left == 1 ? "request" : "requests") did not match.") }
    }

    private mutating func find(_ archive: ReplayReport.ArchiveUse) {
        let count = archive.entryCount - archive.usedCount
        let entries = archive.entryCount == 1 ? "entry" : "entries"
        let verb = count == 1 ? "was" : "were"
        var lines = ["\(archive.name): \(count) of \(archive.entryCount) \(entries) \(verb) not used:"]
        let named = Array(archive.unused.prefix(Self.limit))
        lines += named.map { "  entry \($0.index)  \($0.method) \($0.url)" }
        if count > named.count { lines.append("  … and \(count - named.count) more") }
        remarks.append(lines.joined(separator: "\n"))
    }
}

extension ReplayFindings {
    #if Verifying
        /// Sends the requests of the used entries to the recorded servers if a verification is due, and adds the
        /// differences.
        ///
        /// - Parameters:
        ///   - interceptor: The interceptor.
        ///   - settings: The settings of the replay.
        ///   - environment: The environment variables.
        mutating func verify(
            _ interceptor: Interceptor, _ settings: ReplaySettings, in environment: [String: String]
        ) async {
            do {
                let name = "\(interceptor.name) \(Test.current.map { "\($0.id)" } ?? "")"
                let folder = UserFolder.caches.appendingPathComponent("relay/verified")
                guard let verification = try Verification.requested(settings.verification, in: environment),
                    !interceptor.usedEntries.allSatisfy(\.indices.isEmpty), verification.isDue(name, in: folder)
                else { return }
                let messages = try await UsedEntriesVerification(of: interceptor, environment: environment).messages
                if verification.reportsIssues { remarks += messages } else { warnings += messages }
            } catch {
                remarks.append("The recordings were not verified: \(error)")
            }
        }
    #else
        /// Adds a problem if the environment requests a verification, which needs a trait of the package.
        mutating func verify(_: Interceptor, _: ReplaySettings, in environment: [String: String]) async {
            if let message = VerificationRequest.missingTrait(in: environment) { remarks.append(message) }
        }
    #endif

    /// Records all problems as issues of the current test, and warnings as issues with the severity `warning`.
    ///
    /// Issues with a severity require Swift 6.3. With earlier versions, warnings are written to standard error.
    func record(at sourceLocation: SourceLocation) {
        for warning in warnings {
            #if compiler(>=6.3)
                Issue.record(Comment(rawValue: warning), severity: .warning, sourceLocation: sourceLocation)
            #else
                let line = "\(sourceLocation.fileID):\(sourceLocation.line): warning: \(warning)\n"
                StandardStreams.writeToStandardError(line)
            #endif
        }
        for miss in misses {
            Issue.record(
                miss.error, miss.remark.map { Comment(rawValue: $0) }, sourceLocation: sourceLocation)
        }
        for remark in remarks { Issue.record(Comment(rawValue: remark), sourceLocation: sourceLocation) }
    }

    #if canImport(XCTest)
        /// Records all problems as failures of the running test case.
        ///
        /// XCTest does not support warnings, so they are written to standard error in XCTest's message format.
        func recordFailures(file: StaticString, line: UInt) {
            for warning in warnings {
                StandardStreams.writeToStandardError("\(file):\(line): warning: \(warning)\n")
            }
            for miss in misses {
                let lines = [miss.error.description, miss.remark].compactMap { $0 }
                XCTFail(lines.joined(separator: "\n"), file: file, line: line)
            }
            for remark in remarks { XCTFail(remark, file: file, line: line) }
        }
    #endif
}

extension Interceptor {
    /// Ends the recording of a test, discards the recording if the test has failed, verifies the used entries if that is
    /// requested, and collects the problems.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the test.
    ///   - settings: The settings of the replay.
    /// - Returns: The problems.
    func findings(after outcome: TestOutcome, _ settings: ReplaySettings) async -> ReplayFindings {
        let recording = await finishRecording(discardingBecause: outcome.hasFailed ? "a test failed" : nil)
        if let recording { RecordingNotes.shared.add(recording) }
        let rules = unusedRules.filter { !settings.sharedRules.contains($0.id) }
        var findings = ReplayFindings(
            report, settings, unusedRules: rules.map(text), recording: recording, after: outcome)
        if recording == nil { await findings.verify(self, settings, in: ReplayMode.environment) }
        return findings
    }
}

/// The recordings of the process, which are summarized in one line per archive when the process exits.
final class RecordingNotes: Sendable {
    /// The recordings of the process.
    static let shared: RecordingNotes = {
        atexit { StandardStreams.writeToStandardError(RecordingNotes.shared.text) }
        return RecordingNotes()
    }()

    private let reports = Mutex<[String: RecordingReport]>([:])

    /// Adds a recording, unless its report is empty.
    func add(_ report: RecordingReport) {
        guard !report.isEmpty else { return }
        reports.withLock { $0[report.archive.path, default: RecordingReport(archive: report.archive)].add(report) }
    }

    /// The summary, with one line per archive, sorted by path.
    ///
    /// Failures are omitted because they are reported as issues of the tests.
    var text: String {
        let reports = reports.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
        return reports.map { "Relay: \($0.summary)\n" }.joined()
    }
}

/// Records failures of the running test from code that has no access to a trait or test case.
package enum TestFailure {
    /// Records an error as an issue of the current Swift Testing test, at the location of the test, or as a failure of
    /// the running XCTest test case.
    ///
    /// If no test is running, the error is ignored.
    ///
    /// - Parameter error: The error.
    package static func record(_ error: any Error) {
        if let test = Test.current {
            Issue.record(error, sourceLocation: test.sourceLocation)
            return
        }
        #if canImport(XCTest)
            XCTFail("\(error)")
        #endif
    }
}
