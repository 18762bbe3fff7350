import Foundation
import HTTPArchive
import Testing

@testable import Relay
@testable import RelayCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests of recording many requests with one processor, which opens archives once and saves each response immediately.
@Suite(.limited) struct RecordingOnceTests {
    private let records: Records
    private let server: LoopbackServer

    init() throws {
        records = try Records()
        server = try LoopbackServer.counting()
    }

    private func processor(_ layout: RecordingLayout = .archive) -> RecordingAndReplayingRequestProcessor {
        RecordingAndReplayingRequestProcessor(
            directoryPath: records.file, sessionFolderName: "posts()", isRecordingEnabled: true, layout: layout)
    }

    private var archive: URL { records.folder("posts").appendingPathComponent("posts.har") }

    private func openCount(of file: URL) -> Int { SharedArchive.at(file).openCount }

    private func entry(_ path: String) -> String {
        #"{"startedDateTime": "2020-01-01T00:00:00Z", "time": 0, "cache": {}, "timings": {}, "request": {"#
            + #""method": "GET", "url": "\#(server.url(path))"}, "response": {"status": 200, "content": {"text": "x"}}}"#
    }

    @Test func `all requests share one session and one open archive`() async throws {
        let processor = processor()
        for number in 0..<40 {
            _ = try await processor.process(request: request(server.url("/\(number)")))
            #expect(try records.entries(of: "posts").count == number + 1)
        }
        #expect(openCount(of: archive) == 1)
        #expect(processor.recordingSessionCount == 1)
        #expect(try records.names(in: "posts") == ["posts.har"])
    }

    @Test func `with one archive per request, each archive is opened once, and repeated requests are appended`()
        async throws
    {
        let processor = processor(.fileForEachRequest)
        for number in 0..<20 {
            _ = try await processor.process(request: request(server.url("/\(number)")))
            #expect(try records.names(in: "posts").count == number + 1)
        }
        for _ in 0..<3 { _ = try await processor.process(request: request(server.url("/19"))) }
        #expect(processor.recordingSessionCount == 1)
        let files = try records.names(in: "posts").map { records.folder("posts").appendingPathComponent($0) }
        #expect(files.count == 20)
        #expect(files.map(openCount) == Array(repeating: 1, count: 20))
        #expect(try files.map { try HARArchive(contentsOf: $0).count }.sorted() == Array(repeating: 1, count: 19) + [4])
    }

    @Test func `the first response replaces recordings of earlier runs, and recordings of this run are kept`()
        async throws
    {
        try records.write(#"{"log": {"entries": [\#(entry("/a")),\#(entry("/b"))]}}"#, to: "posts.har", in: "posts")
        _ = try await processor().process(request: request(server.url("/1")))
        #expect(try records.entries(of: "posts").map(\.request.url) == [server.url("/1")])
        let processor = processor()
        for number in 2...4 { _ = try await processor.process(request: request(server.url("/\(number)"))) }
        #expect(try records.entries(of: "posts").map(\.request.url) == (1...4).map { server.url("/\($0)") })
    }

    @Test(arguments: [RecordingLayout.archive, .fileForEachRequest])
    func `processors record into one folder in parallel`(layout: RecordingLayout) async throws {
        let processors = (0..<4).map { _ in processor(layout) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask { [server] in
                    let url = server.url("/\(number % 20)")
                    let response = try await processors[number % 4].process(request: request(url))
                    #expect(response.url.absoluteString == url)
                }
            }
            try await group.waitForAll()
        }
        let files = try records.names(in: "posts").map { records.folder("posts").appendingPathComponent($0) }
        #expect(files.count == (layout == .archive ? 1 : 20))
        #expect(try files.reduce(0) { try $0 + HARArchive(contentsOf: $1).count } == 40)
    }

    @Test func `recording continues after the processor or another program has removed the folder`() async throws {
        let processor = processor()
        _ = try await processor.process(request: request(server.url("/1")))
        try processor.removeRecordingSessionFolder()
        _ = try await processor.process(request: request(server.url("/2")))
        #expect(try records.entries(of: "posts").map(\.request.url) == [server.url("/2")])
        try FileManager.default.removeItem(at: records.folder("posts"))
        for number in 3...4 { _ = try await processor.process(request: request(server.url("/\(number)"))) }
        #expect(try records.entries(of: "posts").map(\.request.url) == [server.url("/3"), server.url("/4")])
    }

    @Test func `other writers can append to an archive after its processor was stopped or deallocated`() async throws {
        for isStopped in [true, false] {
            var processor: RecordingAndReplayingRequestProcessor? = processor()
            _ = try await processor?.process(request: request(server.url("/1")))
            if isStopped { processor?.stop() } else { processor = nil }
            try HARWriter(appendingTo: archive).finish()
            withExtendedLifetime(processor) {}
        }
    }

    @Test func `an interceptor in the same process can record into the archive of a processor`() async throws {
        let processor = processor()
        _ = try await processor.process(request: request(server.url("/1")))
        let interceptor = try Interceptor(recordingTo: archive)
        _ = try await interceptor.session().text(server.url("/2"))
        await interceptor.finishRecording()
        _ = try await processor.process(request: request(server.url("/3")))
        #expect(try records.entries(of: "posts").map(\.request.url) == (1...3).map { server.url("/\($0)") })
    }

    @Test func `a canceled request is not recorded, and a failed one does not affect others`() async throws {
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        let silent = try LoopbackServer(inPieces: { _, _ in gate.wait() })
        let refusing = try RefusingPort()
        let processor = processor()
        let call = Task { try await processor.process(request: request(silent.url("/"))) }
        while silent.requests.isEmpty { await Task.yield() }
        call.cancel()
        _ = await #expect(throws: URLError.self) { try await call.value }
        _ = await #expect(throws: URLError.self) {
            try await processor.process(request: request(refusing.url("/")))
        }
        _ = try await processor.process(request: request(server.url("/1")))
        #expect(try records.entries(of: "posts").map(\.request.url).suffix(1) == [server.url("/1")])
        #expect(try records.entries(of: "posts").allSatisfy { !$0.request.url.hasPrefix(silent.url("")) })
    }

    @Test(arguments: [true, false])
    func `the redirects of a request share cookies, but separate requests do not`(isRecording: Bool) async throws {
        let server = try LoopbackServer { request in
            switch request.target {
            case "/login":
                "HTTP/1.1 302 Found\r\nLocation: /home\r\nSet-Cookie: hop=1; Path=/\r\nContent-Length: 0\r\n\r\n"
            default: LoopbackServer.ok(request.head.lowercased().contains("hop=1") ? "known" : "unknown")
            }
        }
        let processor: any RequestProcessor =
            isRecording ? processor() : LiveRequestAndReplayRequestProcessor()
        var texts: [String] = []
        for path in ["/login", "/home"] {
            let response = try await processor.process(request: request(server.url(path)))
            texts.append(String(decoding: response.responseData, as: UTF8.self))
        }
        #expect(texts == ["known", "unknown"])
    }
}
