import Dispatch
import Foundation
import HTTPArchive
import Synchronization

/// Records the exchanges of an interceptor.
///
/// Entries are created and written on a background queue. No thread waits for that: each value that other threads
/// read has a separate lock. While too many exchanges wait, new requests are delayed.
final class Recorder: Sendable {
    /// An exchange that has not ended yet, counted in a dispatch group.
    private final class Ticket: Sendable {
        private let group: DispatchGroup
        private let isOver = Atomic(false)

        init(_ group: DispatchGroup) {
            self.group = group
            group.enter()
        }

        deinit { end() }

        /// Marks the exchange as ended, even if other objects still retain its receiver.
        func end() {
            if !isOver.exchange(true, ordering: .sequentiallyConsistent) { group.leave() }
        }
    }

    /// The values that only jobs of the queue use.
    private struct Writing {
        var output: RecordingOutput

        /// The builder of entries, or nil before the first recorded exchange.
        var builder: EntryBuilder?
    }

    /// The maximum number of failures in the report.
    private static let failureLimit = 10

    /// The archive that entries are recorded into.
    let archive: URL

    /// The replayed archive, which differs from ``archive`` if it is in a bundle.
    private let playedArchive: URL

    /// Whether no entries could be replayed when the recorder was created, apart from entries recorded by this process.
    private let startsEmpty: Bool

    /// Returns the reason that the archive cannot be recorded, or nil.
    private let findRefusal: @Sendable () -> HARError?

    /// The cached result of ``findRefusal``; the outer value is nil before the first request.
    private let refusal = Mutex<HARError??>(nil)

    private let settings: RecordingConfiguration
    private let page: HAR.Page?
    private let queue: BackgroundQueue

    /// Whether exchanges that their callers canceled are not recorded.
    private let ignoresCancellation: Bool

    private let waiting = DispatchGroup()
    private let lastNumber = Atomic(0)
    private let isStopped = Atomic(false)
    private let failures = Mutex<[HARError]>([])

    /// Locked by jobs of the queue alone, so that nothing waits for the lock.
    private let writing: Mutex<Writing>

    /// Prepares a recording.
    ///
    /// - Parameters:
    ///   - archive: The archive, which need not exist.
    ///   - output: The destination of entries.
    ///   - played: The replayed archive; nil (the default) means `archive`.
    ///   - page: The page of the entries, or nil for no page.
    ///   - settings: The settings for recorded content.
    ///   - startsEmpty: Whether there is nothing to replay; by default, whether the archive does not exist.
    ///   - ignoresCancellation: Whether exchanges that their callers canceled are not recorded; `false` by default.
    ///   - limit: The load at which requests are delayed; ``BackgroundQueue/Load/limit`` by default.
    ///   - findRefusal: Returns the reason that the archive cannot be recorded, called before the first entry is
    ///     recorded; nil (the default) checks the permissions of the archive.
    init(
        into archive: URL, output: sending RecordingOutput, playing played: URL? = nil, page: HAR.Page?,
        settings: RecordingConfiguration,
        startsEmpty: Bool? = nil, ignoresCancellation: Bool = false, limit: BackgroundQueue.Load = .limit,
        findRefusal: (@Sendable () -> HARError?)? = nil
    ) {
        self.archive = archive
        playedArchive = played ?? archive
        self.page = page
        self.settings = settings
        self.findRefusal = findRefusal ?? { ArchivePermissions.refusal(ofRecordingInto: archive) }
        let isEmpty = startsEmpty ?? !FileManager.default.fileExists(atPath: archive.path)
        self.startsEmpty = isEmpty || RecordedArchives.shared.place(of: archive).isRecorded
        queue = BackgroundQueue(label: "Recorder \(archive.lastPathComponent)", limit: limit)
        self.ignoresCancellation = ignoresCancellation
        writing = Mutex(Writing(output: output))
    }

    /// Returns the mode to use, which replaces `once` with `new` or `replay` depending on the archive.
    func effective(_ mode: ReplayMode) -> ReplayMode { mode == .once ? (startsEmpty ? .new : .replay) : mode }

    /// Returns whether an entry is older than an age, so that its request must be recorded again.
    ///
    /// If the archive cannot be recorded, the old response is replayed and the report contains the reason.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - archive: The name of the archive that it is from.
    ///   - age: The age.
    /// - Returns: `true` if the entry is replaced by a new one.
    func replaces(_ entry: EntryIdentity, of archive: String, after age: Duration) -> Bool {
        guard archive == playedArchive.path else { return false }
        let start = HAR.date(entry.startedDateTime)
        if let start, start.addingTimeInterval(age / .seconds(1)) > Date() { return false }
        return refuse() == nil
    }

    /// Returns the reason that nothing can be recorded, or nil if recording is possible.
    ///
    /// The report contains the reason from then on.
    func refuse() -> HARError? {
        refusal.withLock { known in
            if let known { return known }
            let found = findRefusal()
            known = .some(found)
            if let found { note(found) }
            return found
        }
    }

    /// The exchanges that wait to be recorded.
    var load: BackgroundQueue.Load { queue.load }

    /// Whether so many exchanges wait that new requests must be delayed.
    var isFull: Bool { queue.isFull }

    /// Suspends the queue that decides on requests while too many exchanges wait.
    func delays(_ decisions: DispatchQueue) { queue.suspendsWhileFull(decisions) }

    /// Creates the receiver of an exchange that is to be recorded.
    ///
    /// - Parameter replacement: The entries that it replaces.
    /// - Returns: The receiver.
    func receiver(replacing replacement: Replacement) -> ExchangeReceiver {
        let ticket = Ticket(waiting)
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        // Queued exchanges are always recorded, however long that takes.
        return ExchangeReceiver(in: queue, end: { ticket.end() }) { [self] exchange in
            record(exchange, number: number, replacing: replacement)
        }
    }

    private func record(_ exchange: CapturedExchange, number: Int, replacing replacement: Replacement) {
        // An exchange canceled by stopping the interceptor is neither recorded nor reported; an earlier failure is.
        if exchange.isCancelled, ignoresCancellation || isStopped.load(ordering: .sequentiallyConsistent) { return }
        // An old response is better than no response.
        if case .entry = replacement, exchange.error != nil { return }
        writing.withLock { writing in
            do throws(HARError) {
                try writing.output.begin()
                if writing.builder == nil { writing.builder = try makeBuilder() }
                guard let entry = try writing.builder?.entry(for: exchange, page: page?.id) else { return }
                try writing.output.append(entry, number: number, replacing: replacement)
            } catch {
                note(error)
            }
        }
    }

    private func makeBuilder() throws(HARError) -> EntryBuilder {
        let redactor = try settings.redaction.map { secrets throws(HARError) in try HARRedactor(secrets) }
        return EntryBuilder(settings: settings, folder: archive.deletingLastPathComponent(), redactor: redactor)
    }

    private func note(_ failure: HARError) {
        failures.withLock { failures in
            if failures.count < Self.failureLimit { failures.append(failure) }
        }
    }

    /// Waits until all exchanges that have begun are recorded.
    ///
    /// - Returns: The failures since the last call.
    func settle() async -> [HARError] {
        await withCheckedContinuation { continuation in
            queue.notify(waiting) { continuation.resume() }
        }
        return failures.withLock { failures in
            defer { failures = [] }
            return failures
        }
    }

    // MARK: - The end

    /// Excludes exchanges canceled from now on, because the interceptor is being stopped.
    func stop() { isStopped.store(true, ordering: .sequentiallyConsistent) }

    /// Ends the recording after all ended exchanges are recorded.
    ///
    /// - Parameters:
    ///   - isKept: Whether the entries are moved into the archive. If `false`, the archive does not change.
    ///   - limit: The time limit for running exchanges.
    ///   - turnLimit: The time limit for a lock that another writer holds on the archive; 10 s by default.
    /// - Returns: The report of the recording.
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

    /// Ends the recording as ``finish(keeping:within:turnLimit:)`` does, and blocks the thread until then.
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

    /// Reports exchanges that did not end within the time limit.
    private func noteUnsettled() {
        let reason = "Requests that still ran when the recording ended are not recorded."
        let error = HARError(.incompleteRecording, reason, at: .init(file: archive.path))
        note(error)
    }

    /// Waits asynchronously until all exchanges are recorded, and returns `false` if the time limit is exceeded.
    private func isSettled(within limit: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let continuation = Mutex(Optional(continuation))
            let resume = { @Sendable isSettled in
                continuation.withLock { $0.take() }?.resume(returning: isSettled)
            }
            queue.notify(waiting) { resume(true) }
            queue.async(after: limit) { resume(false) }
        }
    }

    /// Ends the recording now, or retries soon if another writer holds the lock, which is usually brief.
    private func finish(
        keeping isKept: Bool, until end: DispatchTime, _ report: @escaping @Sendable (RecordingReport) -> Void
    ) {
        let counts: RecordingOutput.Counts? = writing.withLock { writing in
            do throws(HARError) {
                if isKept { return try writing.output.finish(page: page) }
                writing.output.discard()
            } catch {
                if error.code == .fileInUse, .now() < end { return nil }
                note(writing.output.leave(after: error))
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
                failures: failures.withLock { $0 }))
    }
}

extension CapturedExchange {
    /// Whether the exchange was canceled by its caller or by stopping the interceptor.
    fileprivate var isCancelled: Bool {
        (error as? URLError)?.code == .cancelled || (error as? RelayError)?.code == .interceptorGone
    }
}
