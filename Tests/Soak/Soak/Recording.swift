import Foundation
import FoundationNetworking
import HTTPArchive
import Relay
import Synchronization

/// A recorder and the outcomes of its requests.
final class Recording: Sendable {
    /// A kind of recorder.
    struct Kind: Sendable {
        /// The mode, or nil for `Interceptor(recordingTo:)`.
        let mode: ReplayMode?

        /// Whether the recording is finished while requests are running.
        let isAbrupt: Bool

        let redacts: Bool

        static let all = [
            Kind(mode: nil, isAbrupt: false, redacts: true), Kind(mode: .all, isAbrupt: false, redacts: true),
            Kind(mode: nil, isAbrupt: true, redacts: false), Kind(mode: .new, isAbrupt: true, redacts: true),
        ]
    }

    /// The work to do after a request.
    private enum Work { case nothing, finish, check }

    private struct State {
        var begun = 0
        var running = 0
        var isFinishing = false
        var report: RecordingReport?
        var isChecked = false
        var received: [Int: Bool] = [:]
    }

    let kind: Kind
    let session: URLSession
    let interceptor: Interceptor

    private let folder: URL
    private let limit: Int
    private let seed: UInt64
    private let state = Mutex(State())

    /// Starts a recording.
    ///
    /// - Parameters:
    ///   - number: The number of the recording, which determines its kind.
    ///   - folder: The folder of all recordings.
    ///   - limit: The number of requests after which the recording is finished.
    ///   - client: The delegate of the session.
    ///   - seed: The seed of the run.
    /// - Throws: An error if the archive cannot be created.
    init(_ number: Int, in folder: URL, limit: Int, client: Client, seed: UInt64) throws {
        kind = Kind.all[number % Kind.all.count]
        self.folder = folder.appendingPathComponent("recording-\(number)")
        self.limit = limit
        self.seed = seed
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        var configuration = Interceptor.Configuration()
        if !kind.redacts { configuration.recording.redaction = nil }
        interceptor =
            if let mode = kind.mode {
                try Interceptor.replaying(
                    "soak", configuration: configuration, mode: mode,
                    filePath: self.folder.appendingPathComponent("Soak.swift").path)
            } else {
                try Interceptor(
                    recordingTo: self.folder.appendingPathComponent("soak.har"), configuration: configuration)
            }
        let settings = URLSessionConfiguration.ephemeral
        settings.urlCache = nil
        settings.httpMaximumConnectionsPerHost = 40
        session = interceptor.session(configuration: settings, delegate: client)
    }

    /// Counts a request, or returns `false` if the recording has enough requests.
    func begin() -> Bool {
        state.withLock { state in
            guard state.begun < limit, !state.isFinishing else { return false }
            state.begun += 1
            state.running += 1
            return true
        }
    }

    /// Notes the end of a request, and then finishes or checks the recording if needed.
    ///
    /// - Parameters:
    ///   - number: The number of the request.
    ///   - isReceived: Whether the client received the complete response.
    /// - Returns: The result of the check, or nil if the recording is not checked yet.
    /// - Throws: An error if the archive cannot be read.
    func end(_ number: Int, isReceived: Bool) async throws -> ArchiveCheck? {
        try await perform(
            state.withLock { state in
                state.running -= 1
                state.received[number] = isReceived
                return work(&state)
            })
    }

    /// Finishes a recording with fewer requests than its limit.
    ///
    /// Call this after its last request.
    func finish() async throws -> ArchiveCheck? {
        try await perform(
            state.withLock { state in
                state.begun = limit
                return work(&state)
            })
    }

    private func work(_ state: inout State) -> Work {
        guard state.begun == limit, !state.isChecked else { return .nothing }
        if !state.isFinishing, kind.isAbrupt || state.running == 0 {
            state.isFinishing = true
            return .finish
        }
        guard state.running == 0, state.report != nil else { return .nothing }
        state.isChecked = true
        return .check
    }

    private func perform(_ work: Work) async throws -> ArchiveCheck? {
        switch work {
        case .nothing: return nil
        case .finish:
            let report = await interceptor.finishRecording()
            session.finishTasksAndInvalidate()
            return try await perform(
                state.withLock { state in
                    state.report = report
                    return self.work(&state)
                })
        case .check:
            let (report, received) = state.withLock { ($0.report, $0.received) }
            guard let report else { return nil }
            var check = ArchiveCheck(of: report.archive, received: received, seed: seed)
            try check.run()
            check.compare(with: report, in: folder)
            return check
        }
    }

    /// Removes the files.
    func remove() throws { try FileManager.default.removeItem(at: folder) }
}
