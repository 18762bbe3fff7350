import Dispatch
import Foundation
import HTTPArchive
import Synchronization

/// Records the exchanges of an interceptor.
///
/// Entries are made and written in a queue of their own: nobody who waits for an answer waits for that.
final class Recorder: Sendable {
    /// Stands for an exchange that is not over yet, wherever it is.
    private final class Ticket: Sendable {
        private let group: DispatchGroup
        private let isOver = Atomic(false)

        init(_ group: DispatchGroup) {
            self.group = group
            group.enter()
        }

        deinit { end() }

        /// Says that the exchange is over, whoever still holds what records it.
        func end() {
            if !isOver.exchange(true, ordering: .sequentiallyConsistent) { group.leave() }
        }
    }

    private struct State {
        var output: RecordingOutput

        /// `nil` as long as nothing is recorded.
        var maker: EntryBuilder?

        var failures: [HARError] = []

        /// Those who wait until all exchanges are recorded.
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    /// How many failures are kept.
    private static let failureLimit = 10

    /// The archive that is recorded.
    let archive: URL

    /// The archive that is played: another one where that is in a bundle.
    private let playedArchive: URL

    /// Whether there was nothing to replay when the recorder was made, but for what the process itself had recorded.
    private let startsEmpty: Bool

    /// Finds the reason that the archive cannot be recorded.
    private let findRefusal: @Sendable () -> HARError?

    /// The reason, once it was requested; the inner value is nil if there is no reason.
    ///
    /// It has a lock of its own, so that no request waits for an entry to be written.
    private let refusal = Mutex<HARError??>(nil)

    private let settings: RecordingConfiguration
    private let page: HAR.Page?
    private let queue: BackgroundQueue
    private let waiting = DispatchGroup()
    private let lastNumber = Atomic(0)
    private let isStopped = Atomic(false)
    private let state: Mutex<State>

    /// Prepares to record.
    ///
    /// - Parameters:
    ///   - archive: The archive, which need not be there.
    ///   - output: Where entries are written.
    ///   - played: The archive that is played; nil, the default, for the same one.
    ///   - page: What groups them; `nil` for none.
    ///   - settings: What is recorded of an exchange.
    ///   - startsEmpty: Whether there is nothing to replay; by default, whether the archive does not exist.
    ///   - findRefusal: Finds the reason that the archive cannot be recorded, when something is to be recorded first; nil,
    ///     the default, if the permissions of the archive decide that.
    init(
        into archive: URL, output: sending RecordingOutput, playing played: URL? = nil, page: HAR.Page?,
        settings: RecordingConfiguration,
        startsEmpty: Bool? = nil, findRefusal: (@Sendable () -> HARError?)? = nil
    ) {
        self.archive = archive
        playedArchive = played ?? archive
        self.page = page
        self.settings = settings
        self.findRefusal = findRefusal ?? { ArchivePermissions.refusal(ofRecordingInto: archive) }
        let isEmpty = startsEmpty ?? !FileManager.default.fileExists(atPath: archive.path)
        self.startsEmpty = isEmpty || RecordedArchives.shared.place(of: archive).isRecorded
        queue = BackgroundQueue(label: "Recorder \(archive.lastPathComponent)")
        state = Mutex(State(output: output))
    }

    /// What a mode comes to for this archive.
    func effective(_ mode: ReplayMode) -> ReplayMode { mode == .once ? (startsEmpty ? .new : .replay) : mode }

    /// Returns the entry that was played, if it is to be recorded again because it is older than an age.
    ///
    /// If the archive cannot be recorded, the old response is replayed, and the report has the reason.
    func oldEntry(_ played: ReplayedResponse, age: Duration) -> EntryIdentity? {
        guard let identity = played.identity, played.archive == playedArchive.path else { return nil }
        let start = HAR.date(identity.startedDateTime)
        if let start, start.addingTimeInterval(age / .seconds(1)) > Date() { return nil }
        return refuse() == nil ? identity : nil
    }

    /// Returns the reason that nothing can be recorded, or nil if there is none.
    ///
    /// The report has it from then on.
    func refuse() -> HARError? {
        refusal.withLock { known in
            if let known { return known }
            let found = findRefusal()
            known = .some(found)
            if let found { state.withLock { Self.note(found, in: &$0) } }
            return found
        }
    }

    /// Creates the receiver of an exchange that is to be recorded.
    ///
    /// - Parameter replacement: The entries that the exchange replaces.
    /// - Returns: The receiver.
    func receiver(replacing replacement: Replacement) -> ExchangeReceiver {
        let ticket = Ticket(waiting)
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        // What is in the queue is recorded in any case, however long that takes.
        return ExchangeReceiver(in: queue, end: { ticket.end() }) { [self] exchange in
            record(exchange, number: number, replacing: replacement)
        }
    }

    private func record(_ exchange: CapturedExchange, number: Int, replacing replacement: Replacement) {
        // What was cancelled because the interceptor was stopped is neither an answer nor a failure; what failed before is.
        if exchange.isCancelled, isStopped.load(ordering: .sequentiallyConsistent) { return }
        // An old answer is better than none.
        if case .entry = replacement, exchange.error != nil { return }
        state.withLock { state in
            do throws(HARError) {
                try state.output.begin()
                if state.maker == nil { state.maker = try makeMaker() }
                guard let entry = try state.maker?.entry(for: exchange, page: page?.id) else { return }
                try state.output.append(entry, number: number, replacing: replacement)
            } catch {
                Self.note(error, in: &state)
            }
        }
    }

    private func makeMaker() throws(HARError) -> EntryBuilder {
        let redactor = try settings.redaction.map { secrets throws(HARError) in try HARRedactor(secrets) }
        return EntryBuilder(settings: settings, folder: archive.deletingLastPathComponent(), redactor: redactor)
    }

    private static func note(_ failure: HARError, in state: inout State) {
        if state.failures.count < failureLimit { state.failures.append(failure) }
    }

    // MARK: - The end

    /// Has exchanges that break off from now on not be recorded: the interceptor is being stopped.
    func stop() { isStopped.store(true, ordering: .sequentiallyConsistent) }

    /// Ends the recording, once the exchanges that ended are recorded.
    ///
    /// - Parameters:
    ///   - isKept: Whether what was recorded takes its place in the archive; else the archive stays as it was.
    ///   - limit: How long exchanges are waited for that still run.
    ///   - turnLimit: How long an archive is waited for that somebody else writes to; 10 s by default.
    /// - Returns: What was recorded.
    func finish(
        keeping isKept: Bool, within limit: Duration, turnLimit: Duration = .seconds(10)
    ) async -> RecordingReport {
        if await !isSettled(within: limit) { noteUnsettled() }
        let end = DispatchTime.now() + turnLimit / .seconds(1)
        return await withCheckedContinuation { continuation in
            queue.async { [self] in
                finish(keeping: isKept, until: end) { continuation.resume(returning: $0) }
            }
        }
    }

    /// Ends the recording as ``finish(keeping:within:turnLimit:)`` does, and keeps the thread until then.
    func finishAndWait(within limit: Duration, turnLimit: Duration = .seconds(10)) -> RecordingReport? {
        if waiting.wait(timeout: .now() + limit / .seconds(1)) == .timedOut { noteUnsettled() }
        let end = DispatchTime.now() + turnLimit / .seconds(1)
        let isOver = DispatchSemaphore(value: 0)
        let report = Mutex<RecordingReport?>(nil)
        queue.async { [self] in
            finish(keeping: true, until: end) { made in
                report.withLock { $0 = made }
                isOver.signal()
            }
        }
        isOver.wait()
        return report.withLock { $0 }
    }

    /// Takes note of exchanges that take too long.
    private func noteUnsettled() {
        let reason = "Requests that still ran when the recording ended are not recorded."
        let error = HARError(.incompleteRecording, reason, at: .init(file: archive.path))
        state.withLock { Self.note(error, in: &$0) }
    }

    /// Waits until all exchanges are recorded, which keeps no thread; `false` when that takes too long.
    private func isSettled(within limit: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting.append(continuation) }
            queue.notify(waiting) { [self] in tellWaiting(true) }
            queue.async(after: limit) { [weak self] in self?.tellWaiting(false) }
        }
    }

    private func tellWaiting(_ isSettled: Bool) {
        let continuations = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in continuations { continuation.resume(returning: isSettled) }
    }

    /// Ends the recording now, or when it is its turn: those who write to the archive only at their end do so shortly.
    private func finish(
        keeping isKept: Bool, until end: DispatchTime, _ report: @escaping @Sendable (RecordingReport) -> Void
    ) {
        let counts: RecordingOutput.Counts? = state.withLock { state in
            do throws(HARError) {
                if isKept { return try state.output.finish(page: page) }
                state.output.discard()
            } catch {
                if error.code == .fileInUse, .now() < end { return nil }
                Self.note(state.output.leave(after: error), in: &state)
            }
            return RecordingOutput.Counts()
        }
        guard let counts else {
            return queue.async(after: .milliseconds(20)) { [self] in
                finish(keeping: isKept, until: end, report)
            }
        }
        report(
            RecordingReport(
                archive: archive, recordedCount: counts.recorded, replacedCount: counts.replaced,
                failures: state.withLock { $0.failures }))
    }
}

extension CapturedExchange {
    /// Whether it broke off because somebody did not want it any more.
    fileprivate var isCancelled: Bool {
        (error as? URLError)?.code == .cancelled || (error as? RelayError)?.code == .interceptorGone
    }
}
