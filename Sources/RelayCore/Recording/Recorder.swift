import Dispatch
import Foundation
import HTTPArchive
import Synchronization

/// Records the exchanges of an interceptor.
///
/// Entries are created and written on a background queue. Other threads never wait for this work, because the state
/// that they read has separate locks. New requests are delayed while too many exchanges are queued.
final class Recorder: Sendable {
    /// An exchange in progress, which a dispatch group waits for.
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

    /// The state that is used by jobs on the queue.
    private struct Writing {
        var output: RecordingOutput

        /// The entry builder, or nil before the first recorded exchange.
        var builder: EntryBuilder?

        /// The entries that are not written yet, by the size of their work, so that small ones do not wait for large ones.
        var batches: [WorkSize: [RecordingOutput.NewEntry]] = [:]

        /// The report with the counts so far.
        var report: RecordingReport
    }

    /// The reason for discarding a failed exchange instead of replacing an entry.
    private static let failedReason = "the request failed, and the old entry was kept"

    /// The maximum number of failures in the report.
    private static let failureLimit = 10

    /// The archive in which entries are recorded.
    let archive: URL

    /// The replayed archive, which is different from ``archive`` if it is in a bundle.
    private let playedArchive: URL

    /// Whether, apart from entries recorded by this process, there was nothing to replay when the recorder was created.
    private let startsEmpty: Bool

    /// A closure that returns the reason why the archive cannot be recorded, or nil if it can.
    private let findRefusal: @Sendable () -> HARError?

    /// The result of ``findRefusal``.
    private let refusal = OnFirstUse<HARError?>()

    private let settings: RecordingConfiguration
    private let page: HAR.Page?
    private let queue: BackgroundQueue

    /// Whether to skip exchanges canceled by their callers.
    private let ignoresCancellation: Bool

    private let waiting = DispatchGroup()
    private let lastNumber = Atomic(0)
    private let isStopped = Atomic(false)
    private let failures = Mutex<[HARError]>([])

    /// The state of the recording.
    ///
    /// While exchanges are being recorded, only jobs on the queue lock it, so other threads never wait for the lock. Jobs
    /// of different sizes run at the same time.
    private let writing: Mutex<Writing>

    /// Prepares a recording.
    ///
    /// - Parameters:
    ///   - archive: The archive, which need not exist.
    ///   - output: The destination for entries.
    ///   - played: The replayed archive, or nil (the default) if it is `archive`.
    ///   - page: The page of the entries, or nil (the default) for no page.
    ///   - settings: The settings for recorded content.
    ///   - startsEmpty: Whether there is nothing to replay, or nil (the default) to check whether the archive is
    ///     missing.
    ///   - ignoresCancellation: Whether to skip exchanges canceled by their callers; `false` by default.
    ///   - limit: The load at which requests are delayed; ``BackgroundQueue/Load/limit`` by default.
    ///   - findRefusal: A closure that returns the reason why the archive cannot be recorded, or nil if it can. It is
    ///     called once, before the first entry is recorded. By default, the recorder checks the permissions of the
    ///     archive.
    init(
        into archive: URL, output: sending RecordingOutput, playing played: URL? = nil, page: HAR.Page? = nil,
        settings: RecordingConfiguration, startsEmpty: Bool? = nil, ignoresCancellation: Bool = false,
        limit: BackgroundQueue.Load = .limit, findRefusal: (@Sendable () -> HARError?)? = nil
    ) {
        self.archive = archive
        playedArchive = played ?? archive
        self.page = page
        self.settings = settings
        self.findRefusal = findRefusal ?? { ArchivePermissions.refusal(ofRecordingInto: archive) }
        let isEmpty = startsEmpty ?? !FileManager.default.fileExists(atPath: archive.path)
        self.startsEmpty = isEmpty || SharedArchive.at(archive).isRecorded
        queue = BackgroundQueue(label: "Recorder \(archive.lastPathComponent)", limit: limit)
        self.ignoresCancellation = ignoresCancellation
        writing = Mutex(Writing(output: output, report: RecordingReport(archive: archive)))
    }

    /// Returns the effective mode: `new` or `replay` for `once`, depending on the archive, and otherwise the given
    /// mode.
    func effective(_ mode: ReplayMode) -> ReplayMode { mode == .once ? (startsEmpty ? .new : .replay) : mode }

    /// Returns whether an entry exceeds a maximum age, so that its request must be recorded again.
    ///
    /// If the archive cannot be recorded, the entry is replayed and the report contains the reason.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - archive: The name of the archive that contains the entry.
    ///   - age: The maximum age.
    /// - Returns: `true` if the request must be recorded again to replace the entry.
    func replaces(_ entry: EntryIdentity, of archive: String, after age: Duration) -> Bool {
        guard archive == playedArchive.path else { return false }
        let start = HAR.date(entry.startedDateTime)
        if let start, start.addingTimeInterval(age / .seconds(1)) > Date() { return false }
        return refuse() == nil
    }

    /// Returns the reason why recording is impossible, or nil if it is possible.
    ///
    /// The reason is added to the report.
    func refuse() -> HARError? {
        refusal.value {
            let found = findRefusal()
            if let found { note(found) }
            return found
        }
    }

    /// The number and total size of exchanges waiting to be recorded.
    var load: BackgroundQueue.Load { queue.load }

    /// Whether new requests must be delayed because too many exchanges are waiting.
    var isFull: Bool { queue.isFull }

    /// Returns the number of small exchanges of a group, or of all groups, waiting to be recorded.
    func waitingCount(in group: Int?) -> Int { queue.smallCount(in: group) }

    /// Suspends the queue for decisions while too many exchanges are waiting.
    func delays(_ decisions: DispatchQueue) { queue.suspendsWhileFull(decisions) }

    /// Creates a receiver that records an exchange.
    ///
    /// - Parameter replacement: The entries that the exchange replaces.
    /// - Returns: The receiver.
    func receiver(replacing replacement: Replacement) -> ExchangeReceiver {
        let ticket = Ticket(waiting)
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        // The receiver retains the recorder, so that queued exchanges are always recorded.
        return ExchangeReceiver(
            queue: queue, end: { ticket.end() },
            receive: { [self] in record($0, number: number, replacing: replacement, as: $1, inflating: $2) },
            commit: { [self] in commit($0) })
    }

    /// Records an exchange, unless its compressed text is larger than a limit in bytes.
    ///
    /// - Returns: Whether nothing remains to be done.
    private func record(
        _ exchange: CapturedExchange, number: Int, replacing replacement: Replacement, as size: WorkSize,
        inflating limit: Int
    ) -> Bool {
        // Exchanges that were canceled because the interceptor was stopped are neither recorded nor reported. Exchanges
        // that failed earlier are recorded.
        if exchange.isCancelled, ignoresCancellation || isStopped.load(ordering: .sequentiallyConsistent) {
            return true
        }
        do throws(HARError) {
            // Keep the old entry rather than replace it with a failure.
            if case .entry = replacement, exchange.error != nil { return discard(because: Self.failedReason) }
            var exchange = exchange
            if let filter = try exchange.apply(settings.filters) { return discard(because: "filter '\(filter)'") }
            let builder = try writing.withLock { writing throws(HARError) in
                let builder = if let known = writing.builder { known } else { try makeBuilder() }
                writing.builder = builder
                return builder
            }
            guard try builder.isRecorded(exchange) else { return discard(because: "the conditions of the recording") }
            let layout = try writing.withLock { writing throws(HARError) in
                try writing.output.begin()
                return writing.output.layout
            }
            // This takes most of the time, and must not delay the entries on other queues.
            var count = 0
            let entry = try builder.entry(for: exchange, page: page?.id, counting: &count, inflating: limit)
            guard let entry else { return false }
            let text = layout.map { HARWriter.appendableText(of: entry, layout: $0) } ?? []
            writing.withLock { writing in
                writing.batches[size, default: []].append(
                    .init(entry: entry, text: text, number: number, replacement: replacement, placeholderCount: count))
            }
        } catch {
            note(error)
        }
        return true
    }

    /// Counts an exchange that is not recorded, and returns true.
    private func discard(because reason: String) -> Bool {
        writing.withLock { $0.report.discardedCounts[reason, default: 0] += 1 }
        return true
    }

    /// Writes the entries of the exchanges of a size since the last call.
    private func commit(_ size: WorkSize) {
        // The entries are released after the lock, because that can take long.
        _ = writing.withLock { writing in
            let batch = writing.batches.removeValue(forKey: size) ?? []
            if batch.count > 1, writing.output.writesTogether, (try? append(batch, to: &writing)) != nil {
                return batch
            }
            // If the disk is nearly full, single entries may still have room.
            for entry in batch {
                do throws(HARError) { try append([entry], to: &writing) } catch { note(error) }
            }
            return batch
        }
    }

    private func append(_ entries: [RecordingOutput.NewEntry], to writing: inout Writing) throws(HARError) {
        try writing.output.append(entries)
        writing.report.recordedCount += entries.count
        for entry in entries {
            writing.report.placeholderCount += entry.placeholderCount
            settings.entryHandler?(entry.entry)
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

    /// Waits until all exchanges that have started are recorded.
    ///
    /// - Returns: The failures since the last call.
    func settle() async -> [HARError] {
        await waitForExchanges()
        return failures.withLock { failures in
            defer { failures = [] }
            return failures
        }
    }

    /// Waits until all exchanges that have started are recorded, and returns the entries in memory.
    func entriesInMemory() async -> [HAR.Entry] {
        await waitForExchanges()
        return writing.withLock { writing in
            if case .memory(let entries) = writing.output { entries } else { [] }
        }
    }

    private func waitForExchanges() async {
        await withCheckedContinuation { continuation in queue.notify(waiting) { continuation.resume() } }
    }

    // MARK: - Ending the recording

    /// Excludes exchanges that are canceled after this call, because the interceptor is being stopped.
    func stop() { isStopped.store(true, ordering: .sequentiallyConsistent) }

    /// Ends the recording after all completed exchanges are recorded.
    ///
    /// - Parameters:
    ///   - reason: The reason for discarding the entries, or nil to keep them.
    ///   - limit: The time limit for running exchanges.
    ///   - turnLimit: The maximum time to wait while another writer has locked the archive; 10 seconds by default.
    /// - Returns: The report of the recording.
    func finish(
        discardingBecause reason: String?, within limit: Duration, turnLimit: Duration = .seconds(10)
    ) async -> RecordingReport {
        if await !isSettled(within: limit) { noteUnsettled() }
        let end = DispatchTime.now() + turnLimit / .seconds(1)
        return await withCheckedContinuation { continuation in
            queue.async { [self] in
                finish(discardingBecause: reason, until: end) { continuation.resume(returning: $0) }
            }
        }
    }

    /// Ends the recording like ``finish(discardingBecause:within:turnLimit:)``, but blocks the calling thread.
    func finishAndWait(within limit: Duration, turnLimit: Duration = .seconds(10)) -> RecordingReport? {
        if waiting.wait(timeout: .now() + limit / .seconds(1)) == .timedOut { noteUnsettled() }
        let end = DispatchTime.now() + turnLimit / .seconds(1)
        let isOver = DispatchSemaphore(value: 0)
        let report = Mutex<RecordingReport?>(nil)
        queue.async { [self] in
            finish(discardingBecause: nil, until: end) { made in
                report.withLock { $0 = made }
                isOver.signal()
            }
        }
        isOver.wait()
        return report.withLock { $0 }
    }

    /// Reports exchanges that did not end within the time limit.
    private func noteUnsettled() {
        let reason = """
            Requests that were still running when the recording ended were not recorded. Wait for all requests before \
            you end the recording, or raise `timeLimit` in the interceptor's configuration.
            """
        note(HARError(.incompleteRecording, reason, at: .init(file: archive.path)))
    }

    /// Waits asynchronously until all exchanges are recorded.
    ///
    /// Returns `false` if the time limit is exceeded.
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

    /// Ends the recording, or tries again after a short delay if another writer has locked the archive.
    ///
    /// Most writers hold the lock only briefly.
    private func finish(
        discardingBecause reason: String?, until end: DispatchTime,
        _ report: @escaping @Sendable (RecordingReport) -> Void
    ) {
        let made: RecordingReport? = writing.withLock { writing in
            var counts = RecordingOutput.Counts()
            do throws(HARError) {
                if reason == nil { counts = try writing.output.finish(page: page) } else { writing.output.discard() }
            } catch {
                if error.code == .fileInUse, .now() < end { return nil }
                note(writing.output.leave(after: error))
            }
            var made = writing.report
            if let reason, made.recordedCount > 0 { made.discardedCounts[reason, default: 0] += made.recordedCount }
            made.recordedCount = counts.recorded
            made.replacedCount = counts.replaced
            if counts.recorded == 0 { made.placeholderCount = 0 }
            made.failures = failures.withLock { $0 }
            return made
        }
        guard let made else {
            return queue.async(after: .milliseconds(20)) { [self] in
                finish(discardingBecause: reason, until: end, report)
            }
        }
        report(made)
    }
}

extension CapturedExchange {
    /// Whether the exchange was canceled by its caller or because the interceptor was stopped.
    fileprivate var isCancelled: Bool {
        (error as? URLError)?.code == .cancelled || (error as? RelayError)?.code == .interceptorGone
    }
}
