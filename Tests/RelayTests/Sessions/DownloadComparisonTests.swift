import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Compares downloads from a server with downloads that are being recorded, and with replayed ones.
@Suite(.limited) struct DownloadComparisonTests {
    /// The results that a program can observe.
    private struct Outcome: Equatable {
        var calls: [String]
        var fileExists: Bool
        var errorCode: Int?
        var status: Int?
        var fields: [String: String]?
        var taskError: Int?
        var received: Int64
        var expected: Int64
        var completed: Int64
        var isCompleted: Bool
        var name: String?

        init(of task: URLSessionDownloadTask, from delegate: DownloadDelegate, _ error: (any Error)?) {
            calls = delegate.log.events
            fileExists = delegate.files.events.allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
            name = delegate.files.events.first?.pathExtension
            errorCode = error.map { ($0 as NSError).code }
            taskError = task.error.map { ($0 as NSError).code }
            let head = task.response as? HTTPURLResponse
            status = head?.statusCode
            // Replayed responses have no transfer coding.
            fields = (head?.allHeaderFields as? [String: String])?.filter { $0.key != "Transfer-Encoding" }
            received = task.countOfBytesReceived
            expected = task.countOfBytesExpectedToReceive
            completed = task.progress.completedUnitCount
            isCompleted = task.state == .completed
            for file in delegate.files.events { try? FileManager.default.removeItem(at: file) }
        }
    }

    private static let responses = [
        "/sized": LoopbackServer.ok("body", headers: "ETag: \"x\"\r\nContent-Type: text/plain\r\n"),
        "/chunked": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
        "/missing": "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnope",
        "/nothing": "HTTP/1.1 204 No Content\r\n\r\n",
        "/empty": LoopbackServer.ok(""),
        "/redirect": "HTTP/1.1 302 Found\r\nLocation: /sized\r\nContent-Length: 5\r\n\r\nmoved",
        "/cut": "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody",
    ]

    private func outcome(_ url: String, in configuration: URLSessionConfiguration) async throws -> Outcome {
        let delegate = DownloadDelegate()
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        let task = session.downloadTask(with: URL(url))
        let error = await delegate.run(task)
        // The state changes after the last call of the delegate.
        try await wait { task.state == .completed }
        return Outcome(of: task, from: delegate, error)
    }

    private func configuration(with interceptor: Interceptor) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        interceptor.install(in: configuration)
        return configuration
    }

    @Test(arguments: ["/sized", "/chunked", "/missing", "/nothing", "/empty", "/redirect", "/cut"])
    func `a delegate observes the same download live, recorded and replayed`(path: String) async throws {
        let server = try LoopbackServer { Self.responses[$0.target] ?? "" }
        let archives = try TemporaryArchives()
        let archive = archives.folder.appendingPathComponent("downloads.har")
        var live = try await outcome(server.url(path), in: .ephemeral)
        let recorder = try Interceptor(recordingTo: archive, configuration: .patient)
        var recorded = try await outcome(server.url(path), in: configuration(with: recorder))
        _ = await recorder.finishRecording()
        let count = server.requests.count
        let player = try Interceptor(archive: archive, configuration: .patient)
        var replayed = try await outcome(server.url(path), in: configuration(with: player))
        #expect(server.requests.count == count)
        // FoundationNetworking updates the progress later, sometimes after the task has ended, with the values 0 or 1.
        live.completed = live.received
        if live.errorCode != nil {
            // Errors have the codes that data tasks have.
            #expect(recorded.errorCode != nil && replayed.errorCode != nil)
            for outcome in [\Outcome.errorCode, \.taskError] {
                recorded[keyPath: outcome] = live[keyPath: outcome]
                replayed[keyPath: outcome] = live[keyPath: outcome]
            }
        }
        #expect(recorded == live)
        #expect(replayed == live)
    }

    @Test(arguments: ["/sized", "/chunked", "/missing", "/nothing", "/empty", "/redirect"])
    func `completion handlers and awaiting callers receive the same file live and replayed`(path: String) async throws {
        let server = try LoopbackServer { Self.responses[$0.target] ?? "" }
        let recording = Interceptor(recordingInMemory: "test", configuration: .patient)
        var outcomes: [[String]] = []
        for session in [URLSession(configuration: .ephemeral), recording.session()] {
            outcomes.append([
                try await session.downloadedText(server.url(path)), await handled(server.url(path), in: session),
            ])
        }
        #expect(outcomes[0] == outcomes[1])
    }

    private func handled(_ url: String, in session: URLSession) async -> String {
        await withCheckedContinuation { continuation in
            session.downloadTask(with: URLRequest(url)) { file, response, error in
                let text = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
                let status = (response as? HTTPURLResponse)?.statusCode
                continuation.resume(
                    returning: "\(String(describing: text)) \(String(describing: status)) \(error == nil)")
                if let file { try? FileManager.default.removeItem(at: file) }
            }
            .resume()
        }
    }

    @Test func `canceling produces no resume data, live and replayed`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(inPieces: { _, _ in gate.wait() })
        defer { gate.signal() }
        let never = AsyncStream.makeStream(of: Void.self)
        let waiting = Interceptor.with(
            .stub(.any) { _ in
                for await _ in never.stream {}
                return .status(200)
            })
        for configuration in [URLSessionConfiguration.patient, configuration(with: waiting)] {
            let delegate = DownloadDelegate()
            let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            let task = session.downloadTask(with: URL(server.url("/")))
            let data = Log<Data?>()
            async let end = delegate.run(task)
            try await wait { task.state == .running }
            task.cancel { data.append($0) }
            let error = await end as? URLError
            #expect(error?.code == .cancelled)
            #expect(data.events == [nil])
            #expect(delegate.log.events == ["end"])
        }
    }
}
