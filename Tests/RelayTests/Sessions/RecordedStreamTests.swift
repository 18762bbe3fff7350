import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The times of the parts of event streams that a session receives from the network.
@Suite(.limited) struct RecordedStreamTests {
    private let recorded = RecordedExchanges()

    /// Records a response whose second half is sent when the delegate has received the first half.
    private func record(_ type: String) async throws -> CapturedExchange {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(inPieces: { _, send in
            send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n")
            gate.wait()
            send("b\r\ndata: two\n\n\r\n0\r\n\r\n")
        })
        let delegate = RecordingDelegate()
        let session = recorded.interceptor().session(configuration: .patient, delegate: delegate)
        async let end = delegate.run(session.dataTask(with: URL(server.url("/"))))
        try await wait { delegate.log.events.count >= 2 }
        gate.signal()
        #expect(await end == nil)
        return await recorded.one
    }

    @Test func `the times and sizes of a stream's chunks are recorded`() async throws {
        let exchange = try await record("text/event-stream")
        let chunks = try #require(exchange.customFields["_chunks"]?.array)
        let times = chunks.compactMap { $0["time"]?.double }
        #expect(times == times.sorted() && times.count == chunks.count)
        #expect(chunks.reduce(0) { $0 + ($1["size"]?.int ?? 0) } == 20)
        let timings = exchange.timings
        let start = [timings.blocked, timings.send, timings.wait].reduce(0) { $0 + ($1 ?? 0) }
        #expect(times.first ?? 0 > 0 && start >= 0)
        let entry = try exchange.entry()
        #expect(entry.bodyChunks.count == chunks.count)
        #expect(try entry.findings().isEmpty)
    }

    @Test func `a response that arrives at once has no times`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("text", headers: "Content-Type: text/plain\r\n") }
        _ = try await recorded.interceptor().session().text(server.url("/"))
        #expect(await recorded.one.customFields["_chunks"] == nil)
    }
}
