import Foundation
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The lifetime of the interception that a call begins, and the requests that it applies to.
@Suite(.limited) struct CallScopeTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer { _ in LoopbackServer.ok("{\"id\": \"live\"}") }
    }

    /// Begins an interception that replaces the ID in the server's responses with a name.
    private static func begin(_ name: String, for server: LoopbackServer) {
        Relay.interceptAndModify(urlKeywords: [server.keyword], jsonValueOverrides: ["id": name])
    }

    @Test func `calls in concurrent tasks are independent`() async throws {
        let server = server
        try await besideAnother {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<50 {
                    group.addTask {
                        Self.begin("\(index)", for: server)
                        for _ in 0..<5 {
                            await Task.yield()
                            let text = try await URLSession.shared.text(server.url("/"))
                            #expect(text == "{\"id\": \"\(index)\"}")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `a call also affects code outside its task until the task ends`() async {
        // In a separate process, the call creates the only active interceptor.
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer { _ in LoopbackServer.ok("{\"id\": \"live\"}") }
            @Sendable func answerElsewhere() async throws -> String {
                try await Task.detached { try await URLSession.shared.text(server.url("/")) }.value
            }
            let during = try await Task {
                Relay.interceptAndModify(urlKeywords: [server.keyword], jsonValueOverrides: ["id": "taken"])
                return try await answerElsewhere()
            }.value
            #expect(during == "{\"id\": \"taken\"}")
            let after = try await answerElsewhere()
            #expect(after == "{\"id\": \"live\"}")
        }
    }

    @Test func `stopping the returned processor ends the interception`() async throws {
        let records = try Records()
        let processor = Relay.recordAndReplay(recordingRootFolder: records.file, urlKeywords: [server.keyword])
        await #expect(throws: RecordingAndReplayingRequestProcessorError.self) {
            try await URLSession.shared.text(server.url("/"))
        }
        processor.stop()
        #expect(try await URLSession.shared.text(server.url("/")).contains("live"))
    }

    @Test func `an interception without recording can be ended`() async throws {
        let interception = Relay.interceptAndModify(urlKeywords: [server.keyword], jsonValueOverrides: ["id": "x"])
        #expect(try await URLSession.shared.text(server.url("/")).contains("x"))
        interception.end()
        #expect(try await URLSession.shared.text(server.url("/")).contains("live"))
    }

    @Test func `stopping ends only the interception of the current task`() async throws {
        Self.begin("here", for: server)
        await Task.detached { Relay.stop() }.value
        #expect(try await URLSession.shared.text(server.url("/")).contains("here"))
        Relay.stop()
        #expect(try await URLSession.shared.text(server.url("/")).contains("live"))
    }

    @Test func `an operation's interception applies to all of its tasks, even if others are active`() async throws {
        let records = try Records()
        let server = server
        try await besideAnother {
            for isRecording in [true, false] {
                let place = RecordingConfig(
                    rootPath: records.file, subfolder: "operation()", enableRecording: isRecording)
                let interception = InterceptionConfig(urlKeywords: [server.keyword])
                let texts = try await Relay.recordingAndReplaying(
                    recordingConfig: place, interceptionConfig: interception
                ) {
                    async let child = URLSession.shared.text(server.url("/child"))
                    let task = Task { try await URLSession.shared.text(server.url("/task")) }
                    return try await [child, task.value]
                }
                #expect(texts == ["{\"id\": \"live\"}", "{\"id\": \"live\"}"])
            }
        }
        #expect(server.requests.count == 2)
    }
}
