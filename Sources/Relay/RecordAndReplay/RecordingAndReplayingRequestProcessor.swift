import HTTPArchive
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A request processor that replays or records requests.
public final class RecordingAndReplayingRequestProcessor: RequestProcessor, Sendable {
    private struct State {
        /// The session that replays recordings, created on first use.
        var session: URLSession?

        /// The recording sessions, created on first use.
        var recording: ProcessingSessions?

        var interception: ActiveInterception?
    }

    /// The header field that marks processed requests and responses.
    private static let mark = HeaderField(name: "X-RelayReplay", value: "true")

    private let folder: RecordingFolder
    private let isRecordingEnabled: Bool
    private let state = Mutex(State())

    /// Creates a processor without starting an interception.
    ///
    /// - Parameters:
    ///   - directoryPath: The path of a file whose folder contains `__RelayRecords__`, the folder of all recordings.
    ///   - sessionFolderName: The name of the subfolder.
    ///   - isRecordingEnabled: Whether requests are recorded; `false` by default, which replays.
    ///   - layout: The layout of the folder; a single archive by default.
    public convenience init(
        directoryPath: String, sessionFolderName: String, isRecordingEnabled: Bool = false,
        layout: RecordingLayout = .archive
    ) {
        self.init(
            RecordingConfig(
                rootPath: directoryPath, subfolder: sessionFolderName, enableRecording: isRecordingEnabled,
                layout: layout))
    }

    init(_ config: RecordingConfig) {
        let url = URL(fileURLWithPath: config.rootPath).deletingLastPathComponent()
            .appendingPathComponent("__RelayRecords__", isDirectory: true)
            .appendingPathComponent(config.subfolder.replacingOccurrences(of: "()", with: ""), isDirectory: true)
        folder = RecordingFolder(url: url, layout: config.layout)
        isRecordingEnabled = config.enableRecording
    }

    // The system can still retain sessions, so releasing them does not close their archives.
    deinit { closeRecordings() }

    /// Removes the subfolder that contains the recordings of this processor.
    ///
    /// - Throws: Any error from removing the folder. A missing folder is not an error.
    public func removeRecordingSessionFolder() throws {
        state.withLock { $0.session = nil }
        closeRecordings()
        try folder.remove()
    }

    /// Ends the interception that uses this processor.
    ///
    /// Later requests are sent to the network.
    public func stop() {
        state.withLock { $0.interception.take() }?.end()
        closeRecordings()
    }

    /// Stores the interception that ``stop()`` ends.
    func ends(with interception: ActiveInterception) { state.withLock { $0.interception = interception } }

    /// Replays a request, or sends it to the network and records it.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, with an additional header field `X-RelayReplay`.
    /// - Throws: ``RecordingAndReplayingRequestProcessorError`` if the request has no URL or no recording, a network
    ///   error such as `URLError`, or `HARError` if the response cannot be recorded.
    public func process(request: URLRequest) async throws -> NetworkResponse {
        guard let url = request.url else {
            throw RecordingAndReplayingRequestProcessorError.invalidUrlInRequest(request)
        }
        var request = request
        request.setValue(Self.mark.value, forHTTPHeaderField: Self.mark.name)
        return try await isRecordingEnabled ? record(request) : replay(request, url)
    }

    private func record(_ request: URLRequest) async throws -> NetworkResponse {
        let archive = folder.archive(of: request)
        let sessions = recordingSessions()
        let session = sessions.take {
            ProcessingSession(recordingInto: RequestArchive(archive, keepingOpen: sessions.archives))
        }
        do {
            try session.target?.change(to: archive)
        } catch {
            sessions.giveBack(session)
            throw error
        }
        let response: Result<NetworkResponse, any Error>
        do {
            response = .success(try await NetworkResponse(to: request, from: session.session, adding: Self.mark))
        } catch {
            response = .failure(error)
        }
        if Task.isCancelled {
            // A canceled request may still be running, so its session is not reused.
            if let failure = await session.interceptor.finishRecording()?.failures.first { throw failure }
        } else {
            let failures = await session.interceptor.settleRecording()
            sessions.giveBack(session)
            if let failure = failures.first { throw failure }
        }
        return try response.get()
    }

    private func recordingSessions() -> ProcessingSessions {
        state.withLock { state in
            let sessions = state.recording ?? ProcessingSessions()
            state.recording = sessions
            return sessions
        }
    }

    /// Releases the recording sessions and closes their archives.
    private func closeRecordings() { state.withLock { $0.recording.take() }?.archives.close() }

    /// The number of sessions that were created for recording.
    var recordingSessionCount: Int { state.withLock { $0.recording }?.createdCount ?? 0 }

    private func replay(_ request: URLRequest, _ url: URL) async throws -> NetworkResponse {
        do {
            if let session = try session() {
                return try await NetworkResponse(to: request, from: session, adding: Self.mark)
            }
        } catch let error as URLError {
            // The recorded request failed.
            throw error
        } catch {
            guard (error as? RelayError)?.code == .noMatchingEntry else {
                throw RecordingAndReplayingRequestProcessorError.failedToReplay(url, error)
            }
        }
        throw RecordingAndReplayingRequestProcessorError.noRecordFoundForRequest(request, folder.archive(of: request))
    }

    /// Returns the session that replays the recordings, or nil if the folder contains no recordings.
    private func session() throws -> URLSession? {
        try state.withLock { state in
            if state.session == nil { state.session = try folder.player()?.session() }
            return state.session
        }
    }
}
