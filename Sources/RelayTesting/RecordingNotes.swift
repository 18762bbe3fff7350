import Foundation
import HTTPArchive
import Relay
import Synchronization

/// The recordings of the process, which are summarized in one line per archive when the process exits.
final class RecordingNotes: Sendable {
    /// The recordings of the process.
    static let shared: RecordingNotes = {
        atexit { RecordingNotes.shared.write() }
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

    private func write() { StandardStreams.writeToStandardError(text) }
}

extension Interceptor {
    /// Ends the recording of a test, and discards the recording if the test has failed.
    ///
    /// - Parameter outcome: The outcome of the test.
    /// - Returns: The report, or nil if nothing could be recorded.
    func finishRecording(after outcome: TestOutcome) async -> RecordingReport? {
        let report = await finishRecording(discardingBecause: outcome.hasFailed ? "a test failed" : nil)
        if let report { RecordingNotes.shared.add(report) }
        return report
    }
}
