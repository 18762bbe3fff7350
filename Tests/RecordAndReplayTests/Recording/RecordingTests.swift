import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct RecordingTests {
    private let records: Records
    private let server: LoopbackServer

    init() throws {
        records = try Records()
        server = try LoopbackServer.counting()
    }

    @discardableResult
    private func begin(
        _ folder: String = "posts()", recording: Bool = false, layout: RecordingLayout = .archive
    ) -> RecordingAndReplayingRequestProcessor {
        Relay.recordAndReplay(
            recordingRootFolder: records.file, recordingFolder: folder, isRecordingEnabled: recording,
            urlKeywords: [server.keyword, "example.invalid"], layout: layout)
    }

    @Test func `a recording is replayed without the network, even in the same test`() async throws {
        begin(recording: true)
        #expect(try await URLSession.shared.text(server.url("/a")) == "{\"count\": 1}")
        #expect(try await URLSession.shared.text(server.url("/b")) == "{\"count\": 2}")
        begin()
        #expect(try await URLSession.shared.text(server.url("/b")) == "{\"count\": 2}")
        #expect(try await URLSession.shared.text(server.url("/a")) == "{\"count\": 1}")
        #expect(server.requests.count == 2)
    }

    @Test func `each function records one archive, which is complete after each response`()
        async throws
    {
        begin(recording: true)
        for path in ["/a", "/b", "/c"] {
            _ = try await URLSession.shared.text(server.url(path))
            #expect(try records.entries(of: "posts").last?.request.url == server.url(path))
        }
        #expect(try records.names(in: "posts") == ["posts.har"])
        #expect(try records.entries(of: "posts").count == 3)
    }

    @Test func `a recording replaces the recording of an earlier run`() async throws {
        let entry =
            #"{"startedDateTime": "2020-01-01T00:00:00Z", "time": 0, "cache": {}, "timings": {}, "request": {"#
            + #""method": "GET", "url": "\#(server.url("/old"))"}, "response": {"status": 200, "content": {"text": "x"}}}"#
        try records.write(#"{"log": {"entries": [\#(entry)]}}"#, to: "posts.har", in: "posts")
        begin(recording: true)
        _ = try await URLSession.shared.text(server.url("/new"))
        #expect(try records.entries(of: "posts").map(\.request.url) == [server.url("/new")])
    }

    @Test func `each request can have its own file, whose name is derived from the request`() async throws {
        begin(recording: true, layout: .fileForEachRequest)
        _ = try await URLSession.shared.text(server.url("/posts?page=2"))
        _ = try await URLSession.shared.answer(request(server.url("/posts"), method: "POST", body: "x"))
        let names = try records.names(in: "posts")
        #expect(names.count == 2)
        #expect(names.first?.hasPrefix("GET-0.1-posts-page=2_") == true)
        #expect(names.last?.hasPrefix("POST-0.1-posts_") == true)
        begin(layout: .fileForEachRequest)
        #expect(try await URLSession.shared.text(server.url("/posts?page=2")) == "{\"count\": 1}")
        #expect(server.requests.count == 2)
    }

    @Test func `requests and responses are marked while recording and replaying`() async throws {
        for isRecording in [true, false] {
            begin(recording: isRecording)
            let answer = try await URLSession.shared.answer(request(server.url("/")))
            #expect(answer.head.value(forHTTPHeaderField: "X-RelayReplay") == "true")
            #expect(answer.head.value(forHTTPHeaderField: "Content-Type") == "application/json")
        }
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.head.lowercased().contains("x-relayreplay: true") == true)
    }

    @Test func `recording always uses the network`() async throws {
        begin(recording: true)
        #expect(try await URLSession.shared.text(server.url("/a")) == "{\"count\": 1}")
        #expect(try await URLSession.shared.text(server.url("/a")) == "{\"count\": 2}")
        begin(recording: true)
        #expect(try await URLSession.shared.text(server.url("/a")) == "{\"count\": 3}")
    }

    @Test func `a request without a recording fails, and the error lists the request, the file and similar entries`()
        async throws
    {
        begin(recording: true)
        _ = try await URLSession.shared.text(server.url("/a?page=1"))
        begin()
        let url = server.url("/a?page=2")
        do {
            _ = try await URLSession.shared.text(url)
            Issue.record("The request did not fail.")
        } catch let error as RecordingAndReplayingRequestProcessorError {
            guard case .noRecordFoundForRequest(let request, let file) = error else { throw error }
            #expect(request.url?.absoluteString == url)
            #expect(file.path == records.folder("posts").appendingPathComponent("posts.har").path)
            let text = error.localizedDescription
            for part in ["GET \(url)", file.path, "- page=1", "+ page=2"] { #expect(text.contains(part), "\(text)") }
        }
    }

    @Test func `nothing is replayed if nothing was recorded or the recording was removed`() async throws {
        begin(recording: true)
        _ = try await URLSession.shared.text(server.url("/a"))
        let processor = begin()
        #expect(try await URLSession.shared.text(server.url("/a")) == "{\"count\": 1}")
        try processor.removeRecordingSessionFolder()
        #expect(!FileManager.default.fileExists(atPath: records.folder("posts").path))
        await #expect(throws: RecordingAndReplayingRequestProcessorError.self) {
            try await URLSession.shared.text(server.url("/a"))
        }
        try processor.removeRecordingSessionFolder()
    }

    @Test func `a failed request throws its error, both while recording and while replaying`() async throws {
        let refusing = try RefusingPort()
        let url = refusing.url("/refused")
        for isRecording in [true, false] {
            let processor = begin(recording: isRecording)
            for _ in 1...2 {
                let error = await #expect(throws: URLError.self) { try await URLSession.shared.text(url) }
                #expect(error?.code == .cannotConnectToHost)
                let own = await #expect(throws: URLError.self) { try await processor.process(request: request(url)) }
                #expect(own?.code == .cannotConnectToHost)
            }
            processor.stop()
        }
        let live = await #expect(throws: URLError.self) {
            try await LiveRequestAndReplayRequestProcessor().process(request: request(url))
        }
        #expect(live?.code == .cannotConnectToHost)
    }

    @Test func `recording and replaying can start without an argument`() async throws {
        let folder = "recording and replaying can start without an argument"
        Relay.startRecordingAndReplaying().stop()
        let config = InterceptionConfig(urlKeywords: [server.keyword])
        Relay.startRecordingAndReplaying(
            interceptionConfig: config, rootPath: records.file, enableRecording: true)
        #expect(try await URLSession.shared.text(server.url("/a")) == "{\"count\": 1}")
        #expect(try records.entries(of: folder).count == 1)
        Relay.startRecordingAndReplaying(interceptionConfig: config, rootPath: records.file)
        #expect(try await URLSession.shared.text(server.url("/a")) == "{\"count\": 1}")
    }

    @Test func `replaying a recording that cannot be read fails`() async throws {
        try records.write("no archive", to: "posts.har", in: "posts")
        begin()
        do {
            _ = try await URLSession.shared.text(server.url("/a"))
            Issue.record("The request did not fail.")
        } catch let error as RecordingAndReplayingRequestProcessorError {
            guard case .failedToReplay(let url, _) = error else { throw error }
            #expect(url.absoluteString == server.url("/a"))
        }
    }

    @Test func `a request fails if its response cannot be recorded`() async throws {
        try Data().write(to: records.folder("posts").deletingLastPathComponent())
        begin(recording: true)
        let error = await #expect(throws: HARError.self) { try await URLSession.shared.text(server.url("/a")) }
        #expect(error?.code == .unwritableFile)
    }

    @Test func `the long form of the call is equivalent`() async throws {
        let place = RecordingConfig(rootPath: records.file, subfolder: "long", enableRecording: true)
        let interception = InterceptionConfig(urlKeywords: [server.keyword], jsonValueOverrides: [:])
        Relay.startRecordingAndReplaying(recordingConfig: place, interceptionConfig: interception)
        #expect(try await URLSession.shared.text(server.url("/a")) == "{\"count\": 1}")
        #expect(try records.names(in: "long") == ["long.har"])
    }

    @Test func `a processor can be used on its own`() async throws {
        let url = server.url("/a")
        for isRecording in [true, false] {
            let processor = RecordingAndReplayingRequestProcessor(
                directoryPath: records.file, sessionFolderName: "own()", isRecordingEnabled: isRecording)
            let answer = try await processor.process(request: request(url))
            #expect(answer.url.absoluteString == url)
            #expect(answer.httpURLResponse.statusCode == 200)
            #expect(String(decoding: answer.responseData, as: UTF8.self) == "{\"count\": 1}")
        }
        #expect(server.requests.count == 1)
    }
}
