import RelayCore
import RelayURLSession
import HTTPArchive
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Answers requests from what was recorded, or records them.
public final class RecordingAndReplayingRequestProcessor: RequestProcessor, Sendable {
    private struct State {
        /// What replays, once it was asked for.
        var session: URLSession?

        var interception: ActiveInterception?
    }

    /// The header field of requests and answers that went this way.
    private static let mark = HeaderField(name: "X-RelayReplay", value: "true")

    private let folder: RecordingFolder
    private let isRecordingEnabled: Bool
    private let state = Mutex(State())

    /// Creates a processor that is not used yet.
    ///
    /// - Parameters:
    ///   - directoryPath: A file; recordings are in the folder `__RelayRecords__` beside it.
    ///   - sessionFolderName: The name of the folder in it.
    ///   - isRecordingEnabled: Whether recordings are made; `false` by default, which replays.
    ///   - layout: What the folder holds; one archive by default.
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

    /// Removes the folder with everything that was recorded.
    ///
    /// - Throws: What removing throws; a folder that is not there is no error.
    public func removeRecordingSessionFolder() throws {
        state.withLock { $0.session = nil }
        try folder.remove()
    }

    /// Ends the interception that this was made for; from then on requests go to the network.
    public func stop() { state.withLock { $0.interception.take() }?.end() }

    /// Takes the interception that ``stop()`` ends.
    func ends(with interception: ActiveInterception) { state.withLock { $0.interception = interception } }

    /// Answers a request: from the recording, or from the network, once that is recorded.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer, which has a header field `X-RelayReplay`.
    /// - Throws: ``RecordingAndReplayingRequestProcessorError``; an `HARError` where the answer cannot be recorded.
    public func process(request: URLRequest) async throws -> NetworkResponse {
        guard let url = request.url else {
            throw RecordingAndReplayingRequestProcessorError.invalidUrlInRequest(request)
        }
        var request = request
        request.setValue(Self.mark.value, forHTTPHeaderField: Self.mark.name)
        return try await isRecordingEnabled ? record(request, url) : replay(request, url)
    }

    private func record(_ request: URLRequest, _ url: URL) async throws -> NetworkResponse {
        let recorder = folder.recorder(of: request, configuration: .processing)
        let answer: Result<NetworkResponse, any Error>
        do {
            answer = .success(try await NetworkResponse(to: request, from: recorder.session(), adding: Self.mark))
        } catch {
            answer = .failure(RecordingAndReplayingRequestProcessorError.failedToPerformLiveRequest(url, error))
        }
        if let failure = await recorder.finishRecording()?.failures.first { throw failure }
        return try answer.get()
    }

    private func replay(_ request: URLRequest, _ url: URL) async throws -> NetworkResponse {
        do {
            guard let session = try session() else { throw noRecord(of: request) }
            return try await NetworkResponse(to: request, from: session, adding: Self.mark)
        } catch let error as RelayError where error.code == .noMatchingEntry {
            throw noRecord(of: request)
        } catch let error as RecordingAndReplayingRequestProcessorError {
            throw error
        } catch {
            throw RecordingAndReplayingRequestProcessorError.failedToReplay(url, error)
        }
    }

    private func noRecord(of request: URLRequest) -> RecordingAndReplayingRequestProcessorError {
        .noRecordFoundForRequest(request, folder.archive(of: request))
    }

    /// What replays the folder as it was when it was asked first; `nil` where nothing is recorded.
    private func session() throws -> URLSession? {
        try state.withLock { state in
            if state.session == nil { state.session = try folder.player()?.session() }
            return state.session
        }
    }
}
