public import Foundation
public import HTTPArchive

extension Interceptor {
    /// Creates an interceptor that sends requests to the network, and records them into an archive.
    ///
    /// The archive is continued if it is there. Each exchange is in it as soon as it has ended, in a file that is a whole
    /// archive at any time and outlives the process. Secrets are taken out before, as ``Recording`` says.
    ///
    /// ```swift
    /// let interceptor = try Interceptor(recordingTo: URL(fileURLWithPath: "shop.har"))
    /// let names = try await interceptor.interceptEverySession { try await loadNames() }
    /// try await interceptor.finishRecording()
    /// ```
    ///
    /// - Parameters:
    ///   - url: The archive; the folder must exist.
    ///   - configuration: The settings; the default ones unless given.
    /// - Throws: `unwritableFile`, also for an archive or a folder that nobody has the permission to write; `fileInUse`
    ///   when somebody else records into it; `unreadableFile`, `malformedJSON` or `notAnArchive` when it is there and
    ///   cannot be continued.
    public convenience init(recordingTo url: URL, configuration: Configuration = Configuration()) throws(HARError) {
        if let refusal = ArchivePermissions.refusal(ofRecordingInto: url) { throw refusal }
        let writer = try HARWriter(appendingTo: url, configuration: configuration.recording.writer)
        self.init(
            name: url.lastPathComponent, archives: ArchiveLayers([], configuration: configuration), mode: .all,
            recorder: Recorder(
                into: url, output: .archive(writer, count: 0), page: nil, settings: configuration.recording),
            configuration: configuration)
    }

    /// Creates an interceptor that answers from entries in memory, and may record beside them.
    ///
    /// - Parameters:
    ///   - entries: The entries, in the order in which equal requests get them.
    ///   - name: What errors call them.
    ///   - folder: Where the files are in which entries have bodies; `nil` where they have none in files.
    ///   - failures: The errors that requests get in place of an entry's answer, by the entry's place.
    ///   - archive: Where what nothing answers is recorded, in a folder that need not exist; nowhere when `nil`.
    ///   - configuration: The settings.
    package convenience init(
        entries: [HAR.Entry], name: String, folder: URL?, failures: [Int: any Error], recordingInto archive: URL?,
        configuration: Configuration
    ) {
        let settings = configuration.recording
        let entries = ReplaySource(entries, name: name, folder: folder.map { HAR.BodyFolder($0) }, failures: failures)
        let recorder = archive.map { archive in
            let origin = RecordingPlan(settings: settings, matching: configuration.matching)
            let draft = RecordingDraft(of: archive, from: origin)
            return Recorder(into: archive, output: .draft(draft), page: nil, settings: settings)
        }
        self.init(
            name: name, archives: ArchiveLayers([entries], configuration: configuration),
            mode: recorder.map { _ in .new }, recorder: recorder, configuration: configuration)
    }

    /// Ends a recording as ``finishRecording(keeping:)`` does, and keeps the thread of the caller until then.
    ///
    /// This is for what ends by itself, as an object that goes out of use. It is not to be called in the queue of a delegate
    /// for which a request of the interceptor still waits.
    ///
    /// - Parameter entries: What the archive has before what was recorded, in place of what it has now; `nil`, the default,
    ///   to leave that.
    /// - Returns: Why exchanges were not recorded, or not in full; nothing for an interceptor that records nothing.
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
        // Where that fails, the writer says so.
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var settings = HARWriter.Configuration()
        // Entries that are there before are written as they are, with their secrets.
        settings.isPrivate = !entries.isEmpty || configuration.recording.redaction == nil
        let writer = try HARWriter(to: archive, configuration: settings)
        try writer.write(HAR.Log(creator: .relay, entries: entries)) {}
        try writer.finish()
    }

    /// Creates an interceptor that sends requests to the network, and records them in place of what an archive has.
    ///
    /// What was recorded gets into the archive when the recording ends. What the process itself recorded stays, so that
    /// several interceptors may record one archive.
    ///
    /// - Parameters:
    ///   - url: The archive, which need not be there, nor its folder.
    ///   - configuration: The settings.
    package convenience init(recordingAnew url: URL, configuration: Configuration) {
        let origin = RecordingPlan(settings: configuration.recording, matching: configuration.matching)
        let draft = RecordingDraft(of: url, from: origin)
        self.init(
            name: url.lastPathComponent, archives: ArchiveLayers([], configuration: configuration), mode: .all,
            recorder: Recorder(into: url, output: .draft(draft), page: nil, settings: configuration.recording),
            configuration: configuration)
    }

    /// Ends a recording: stops the interceptor, waits for what is being recorded, and gives it its place in the archive.
    ///
    /// Requests that still run end with an error, as ``stop()`` says, and are not recorded.
    ///
    /// What was recorded by ``ReplayMode`` stands in a file beside the archive until then, `NAME.har.1f3a.recording`, which
    /// is an archive itself. When somebody else writes to the archive, that is waited for, ten seconds at most. If what was
    /// recorded cannot get into the archive, it stays where it is, and the report names the file; so it does when the process
    /// is killed before. The next recording of the archive that succeeds removes such a file.
    ///
    /// - Parameter isKept: Whether what was recorded by a mode is kept; `true` by default, else the archive stays as it was.
    /// - Returns: What was recorded, and what could not be; `nil` for an interceptor that records nothing.
    @discardableResult
    public func finishRecording(keeping isKept: Bool = true) async -> RecordingReport? {
        stop()
        return await recorder?.finish(keeping: isKept, within: configuration.timeLimit)
    }
}
