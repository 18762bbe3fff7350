import Foundation
import FoundationNetworking
import Relay
import Synchronization

/// Requests to the server, which consecutive recorders record, or which are sent without Relay.
final class LiveLoad: Sendable {
    private struct State {
        var current: Recording?
        var count = 0

        /// The last checked recording, whose files still exist.
        var checked: (recording: Recording, check: ArchiveCheck)?
    }

    private let folder: URL
    private let server: Server
    private let seed: UInt64
    private let recordingSize: Int
    private let client = Client()
    private let plainSession: URLSession
    private let state = Mutex(State())

    /// Whether requests are sent without Relay.
    private let isPlain: Bool

    /// Prepares requests.
    ///
    /// - Parameters:
    ///   - folder: The folder of the recordings.
    ///   - server: The server.
    ///   - recordingSize: The number of requests per recorder.
    ///   - seed: The seed of the run.
    ///   - isPlain: Whether requests are sent without Relay.
    init(in folder: URL, server: Server, recordingSize: Int, seed: UInt64, isPlain: Bool) {
        self.folder = folder
        self.server = server
        self.recordingSize = recordingSize
        self.seed = seed
        self.isPlain = isPlain
        let plain = URLSessionConfiguration.ephemeral
        plain.urlCache = nil
        plain.httpMaximumConnectionsPerHost = 40
        plainSession = URLSession(configuration: plain, delegate: client, delegateQueue: nil)
    }

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - number: The number of the request.
    ///   - generator: The random generator for the request.
    /// - Returns: The verdict, and the check of a recording that ended with this request.
    /// - Throws: An error if a recording cannot be started, finished or checked.
    func run(_ number: Int, using generator: inout SeededNumbers) async throws -> (Verdict, ArchiveCheck?) {
        let plan = LivePlan(number: number, seed: seed)
        // Without Relay, FoundationNetworking crashes or hangs after a few hundred cancellations.
        let call = Call(try request(for: plan), isCanceled: !isPlain, using: &generator)
        let isInScope = generator.happens(0.5)
        let expectation =
            switch plan.course {
            case .whole, .chunked, .redirected: Expectation.message(plan.message)
            case .refused: Expectation.failure(.cannotConnectToHost)
            // FoundationNetworking has no error code for a connection closed in the middle of a body.
            case .closedInBody, .closedInChunks: Expectation.failure(.unknown)
            }
        if isPlain {
            return (call.verdict(on: await call.result(from: client, by: plainSession), expecting: expectation), nil)
        }
        let recording = try begin()
        let result =
            if isInScope {
                try await recording.interceptor.interceptEverySession {
                    await call.result(from: client, by: plainSession)
                }
            } else {
                await call.result(from: client, by: recording.session)
            }
        let verdict = call.verdict(on: result, expecting: expectation, mayBeStopped: recording.kind.isAbrupt)
        let isReceived = if case .received = verdict { true } else { false }
        let check = try await recording.end(number, isReceived: isReceived)
        if let check { try keep(check, of: recording) }
        return (verdict, check)
    }

    /// Finishes the last recording and returns its check, or nil if it was checked before.
    func finish() async throws -> ArchiveCheck? {
        guard let recording = state.withLock(\.current), let check = try await recording.finish() else { return nil }
        try keep(check, of: recording)
        return check
    }

    /// The check of the last archive, whose files still exist, or nil if nothing was recorded.
    var lastCheck: ArchiveCheck? { state.withLock { $0.checked?.check } }

    private func begin() throws -> Recording {
        try state.withLock { state in
            if let current = state.current, current.begin() { return current }
            let next = try Recording(state.count, in: folder, limit: recordingSize, client: client, seed: seed)
            state.count += 1
            state.current = next
            _ = next.begin()
            return next
        }
    }

    /// Keeps the files of a recording until another one is checked.
    private func keep(_ check: ArchiveCheck, of recording: Recording) throws {
        let previous = state.withLock { state in
            defer { state.checked = (recording, check) }
            return state.checked
        }
        try previous?.recording.remove()
    }

    private func request(for plan: LivePlan) throws -> URLRequest {
        let port = plan.course == .refused ? server.refusingPort : server.port
        guard let url = URL(string: "http://127.0.0.1:\(port)\(plan.path)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        if let body = plan.requestBody {
            request.httpMethod = "POST"
            request.httpBody = body
            request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        }
        return request
    }
}
