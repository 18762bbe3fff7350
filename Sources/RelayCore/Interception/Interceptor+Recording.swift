public import Foundation
public import HTTPArchive

extension Interceptor {
    /// Creates an interceptor that sends requests to the network and records them in an archive.
    ///
    /// If the archive exists, new entries are appended to it. Each exchange is written when it ends. The file is always
    /// a complete archive, even if the process crashes. Secrets are redacted before writing; see <doc:Recording>.
    ///
    /// ```swift
    /// let interceptor = try Interceptor(recordingTo: URL(fileURLWithPath: "shop.har"))
    /// let names = try await interceptor.interceptEverySession { try await loadNames() }
    /// try await interceptor.finishRecording()
    /// ```
    ///
    /// - Parameters:
    ///   - url: The archive. Its folder must exist.
    ///   - configuration: The settings; defaults if omitted.
    /// - Throws: `unwritableFile`, for example if permissions forbid writing the archive or its folder; `fileInUse` if
    ///   another recording is writing to the archive; `unreadableFile`, `malformedJSON` or `notAnArchive` if entries
    ///   cannot be appended to the existing file.
    public convenience init(recordingTo url: URL, configuration: Configuration = Configuration()) throws(HARError) {
        try self.init(recordingTo: url, replaying: [], configuration: configuration)
    }

    /// Creates an interceptor that responds from archives, and records all other requests in an archive.
    ///
    /// - Parameters:
    ///   - url: The archive to append to, which can be one of `archives`.
    ///   - archives: The archives to respond from, in order of precedence; without any, every request is
    ///     recorded.
    ///   - configuration: The settings.
    /// - Throws: The errors of ``init(recordingTo:configuration:)``.
    package convenience init(
        recordingTo url: URL, replaying archives: [HARArchive], configuration: Configuration
    ) throws(HARError) {
        if let refusal = ArchivePermissions.refusal(ofRecordingInto: url) { throw refusal }
        SharedArchive.at(url).close()
        let settings = configuration.recording.writer(reading: configuration.reader)
        let writer = try HARWriter(appendingTo: url, configuration: settings)
        self.init(
            name: url.lastPathComponent,
            archives: ArchiveLayers(archives.map { ReplaySource(of: $0) }, configuration: configuration),
            mode: archives.isEmpty ? .all : .new,
            recorder: Recorder(into: url, output: .archive(writer, count: 0), settings: configuration.recording),
            configuration: configuration)
    }

    /// Creates an interceptor that responds from entries in memory and optionally records other requests.
    ///
    /// - Parameters:
    ///   - entries: The entries. Repeated requests use them in this order.
    ///   - name: The name of the entries in error messages.
    ///   - folder: The folder that contains the body files of the entries, or nil if no bodies are in files.
    ///   - failures: Errors to deliver in place of recorded responses, by entry index.
    ///   - archive: The archive in which to record requests that match no entry, or nil for no recording. The folder of
    ///     the archive need not exist.
    ///   - configuration: The settings.
    package convenience init(
        entries: [HAR.Entry], name: String, folder: URL?, failures: [Int: any Error], recordingInto archive: URL?,
        configuration: Configuration
    ) {
        let settings = configuration.recording
        let bodies = folder.map { HAR.BodyFolder($0).limited(by: configuration.reader) }
        let entries = ReplaySource(entries, name: name, folder: bodies, failures: failures)
        let recorder = archive.map { archive in
            let origin = RecordingPlan(
                settings: settings, reader: configuration.reader, matching: configuration.matching)
            let draft = RecordingDraft(of: archive, from: origin)
            return Recorder(into: archive, output: .draft(draft), settings: settings)
        }
        self.init(
            name: name, archives: ArchiveLayers([entries], configuration: configuration),
            mode: recorder.map { _ in .new }, recorder: recorder, configuration: configuration)
    }

    /// Ends a recording like ``finishRecording(keeping:)``, but blocks the calling thread instead of suspending the
    /// task.
    ///
    /// Use this method in code that cannot suspend, such as a `deinit`. Do not call it on a delegate queue that a
    /// pending request needs.
    ///
    /// - Parameter entries: The entries that replace the contents of the archive before the recorded entries are added,
    ///   or nil (the default) to keep the contents.
    /// - Returns: The reasons why exchanges were not recorded or are incomplete; empty if the interceptor does not
    ///   record.
    @discardableResult
    package func finishRecordingAndWait(after entries: [HAR.Entry]? = nil) -> [HARError] {
        stop()
        guard let recorder else { return [] }
        var failures: [HARError] = []
        do throws(HARError) {
            if let entries {
                if let refusal = recorder.refuse() { throw refusal }
                try write(entries, to: recorder.archive)
            }
        } catch {
            failures.append(error)
        }
        return failures + (recorder.finishAndWait(within: configuration.timeLimit)?.failures ?? [])
    }

    private func write(_ entries: [HAR.Entry], to archive: URL) throws(HARError) {
        let folder = archive.deletingLastPathComponent()
        // If the folder cannot be created, the writer throws an error.
        try? FileSystemCalls.current.createFolders(folder)
        var settings = HARWriter.Configuration()
        // The given entries are written unchanged, with their secrets.
        settings.isPrivate = !entries.isEmpty || configuration.recording.redaction == nil
        let writer = try HARWriter(to: archive, configuration: settings)
        try writer.write(HAR.Log(creator: .relay, entries: entries)) {}
        try writer.finish()
    }

    /// Creates an interceptor that sends one request at a time to the network and records it immediately.
    ///
    /// New entries replace the entries recorded by earlier processes. Entries recorded by this process are kept, so
    /// several interceptors can record into one archive. Canceled requests are not recorded.
    ///
    /// - Parameters:
    ///   - target: The archive for each request. The archive and its folder need not exist.
    ///   - configuration: The settings.
    package convenience init(recordingRequestsInto target: RequestArchive, configuration: Configuration) {
        let (archive, settings) = (target.archive, configuration.recording)
        self.init(
            name: archive.lastPathComponent, mode: .all,
            recorder: Recorder(
                into: archive, output: .requests(target, settings.writer(reading: configuration.reader)),
                settings: settings, startsEmpty: true,
                ignoresCancellation: true,
                // The permissions of each archive are checked before its request.
                findRefusal: { nil }),
            configuration: configuration)
    }

    /// Waits until all requests and their redirects are recorded.
    ///
    /// - Returns: The reasons why exchanges were not recorded or are incomplete.
    package func settleRecording() async -> [HARError] { await recorder?.settle() ?? [] }

    /// Ends a recording: stops the interceptor, waits for pending entries, and moves all recorded entries into the
    /// archive.
    ///
    /// As with ``stop()``, running requests end with an error. They are not recorded.
    ///
    /// Until the recording ends, entries recorded in a ``ReplayMode`` are stored in a file next to the archive, such as
    /// `NAME.har.1f3a.recording`. This file is also a valid archive. If another writer has locked the archive, this
    /// method waits for up to ten seconds. If the entries cannot be moved into the archive, the file is kept and the
    /// report contains its path. The file is also kept if the process is killed. The next successful recording of the
    /// archive removes it.
    ///
    /// - Parameter isKept: Whether to keep entries recorded in a ``ReplayMode``; `true` by default. If `false`, the
    ///   archive is not changed.
    /// - Returns: The report of the recording, or nil if the interceptor does not record.
    @discardableResult
    public func finishRecording(keeping isKept: Bool = true) async -> RecordingReport? {
        await finishRecording(discardingBecause: isKept ? nil : "the recording was not kept")
    }

    /// Ends a recording like ``finishRecording(keeping:)``, with a reason for discarding the entries.
    ///
    /// - Parameter reason: The reason for discarding the entries, or nil to keep them.
    /// - Returns: The report of the recording, or nil if the interceptor does not record.
    package func finishRecording(discardingBecause reason: String?) async -> RecordingReport? {
        stop()
        return await recorder?.finish(discardingBecause: reason, within: configuration.timeLimit)
    }

    /// Creates an interceptor that sends requests to the network and records them in memory.
    ///
    /// ```swift
    /// let interceptor = Interceptor(recordingInMemory: "shop")
    /// _ = try await interceptor.interceptEverySession { try await loadNames() }
    /// let entries = await interceptor.recordedEntries
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the interceptor in messages.
    ///   - configuration: The settings; defaults if omitted. Bodies of any size are embedded in the entries, unless the
    ///     settings exclude bodies.
    public convenience init(recordingInMemory name: String, configuration: Configuration = Configuration()) {
        var settings = configuration.recording
        if settings.bodies == .attach { settings.bodies = .embed }
        settings.largestEmbeddedBody = .max
        let path = PercentEncoding.encoded(name, keeping: .unreserved)
        let archive = URL(string: "memory:\(path)") ?? URL(fileURLWithPath: name)
        self.init(
            name: name, mode: .all,
            recorder: Recorder(
                into: archive, output: .memory([]), settings: settings, startsEmpty: true, findRefusal: { nil }),
            configuration: configuration)
    }

    /// The entries recorded so far by an interceptor created with ``init(recordingInMemory:configuration:)``.
    ///
    /// The entries are in the order in which their exchanges ended. The array is empty for all other interceptors.
    /// Reading this property waits for pending requests.
    public var recordedEntries: [HAR.Entry] { get async { await recorder?.entriesInMemory() ?? [] } }
}
