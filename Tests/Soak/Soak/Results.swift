import Foundation
import Synchronization

/// The results of a run, collected from all tasks.
final class Results: Sendable {
    struct Counts {
        /// The number of requests to the server.
        var sent = 0

        var replayed = 0
        var recorded = 0
        var canceled = 0
        var failed = 0
        var stopped = 0
        var entries = 0
        var archives = 0
        var lost = 0
        var wrong = 0
    }

    /// The maximum number of violations to print.
    private static let printedLimit = 20

    private let printed = Atomic(0)
    private let state = Mutex<(counts: Counts, figures: [ProcessFigures])>((Counts(), []))

    var counts: Counts { state.withLock(\.counts) }

    var figures: [ProcessFigures] { state.withLock(\.figures) }

    func add(_ figures: ProcessFigures) { state.withLock { $0.figures.append(figures) } }

    /// Counts a completed request.
    ///
    /// - Parameters:
    ///   - verdict: The verdict on the request.
    ///   - isReplay: Whether the request was not sent to the server.
    ///   - name: The description of the request.
    func add(_ verdict: Verdict, isReplay: Bool, of name: @autoclosure () -> String) {
        state.withLock { state in
            if !isReplay { state.counts.sent += 1 }
            switch verdict {
            case .received: if isReplay { state.counts.replayed += 1 } else { state.counts.recorded += 1 }
            case .failed: state.counts.failed += 1
            case .canceled: state.counts.canceled += 1
            case .stopped: state.counts.stopped += 1
            case .wrong: state.counts.wrong += 1
            }
        }
        if case .wrong(let found) = verdict { report("\(name()): wrong: \(found)") }
    }

    /// Counts the entries of an archive.
    func add(_ check: ArchiveCheck) {
        state.withLock { state in
            state.counts.archives += 1
            state.counts.entries += check.entryCount
            state.counts.lost += check.lost.count
            state.counts.wrong += check.wrong.count
        }
        for path in check.lost.prefix(5) { report("\(check.archive.path): lost: \(path)") }
        for difference in check.wrong.prefix(5) { report("\(check.archive.path): wrong: \(difference)") }
    }

    private func report(_ violation: String) {
        guard printed.add(1, ordering: .relaxed).newValue <= Self.printedLimit else { return }
        print("soak: \(violation)")
        fflush(nil)
    }
}
