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
    /// - Throws: `unwritableFile`; `fileInUse` when somebody else records into it; `unreadableFile`, `malformedJSON` or
    ///   `notAnArchive` when it is there and cannot be continued.
    public convenience init(recordingTo url: URL, configuration: Configuration = Configuration()) throws(HARError) {
        let writer = try HARWriter(appendingTo: url, configuration: configuration.recording.writer)
        self.init(
            name: url.lastPathComponent, archives: ArchiveLayers([], configuration: configuration), mode: .all,
            recorder: Recorder(
                into: url, output: .archive(writer, count: 0), page: nil, settings: configuration.recording),
            configuration: configuration)
    }

    /// Creates an interceptor that sends requests to the network, and records them in place of what an archive has.
    ///
    /// What was recorded gets into the archive when the recording ends. What the process itself recorded stays, so that
    /// several interceptors may record one archive.
    ///
    /// - Parameters:
    ///   - url: The archive, which need not be there, nor its folder.
    ///   - configuration: The settings.
    convenience init(recordingAnew url: URL, configuration: Configuration) {
        let draft = RecordingDraft(of: url, settings: configuration.recording)
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
