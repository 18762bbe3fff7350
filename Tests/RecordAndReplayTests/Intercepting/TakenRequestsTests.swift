import Foundation
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct TakenRequestsTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer { _ in LoopbackServer.ok("{\"body\": \"live\"}") }
    }

    private func isTaken(_ url: String) async throws -> Bool {
        try await URLSession.shared.text(url).contains("changed")
    }

    @Test func `a request whose URL contains a keyword is intercepted, and others use the network`()
        async throws
    {
        let keywords = ["\(server.port)/posts", "\(server.port)/users?page="]
        Relay.interceptAndModify(urlKeywords: keywords, jsonValueOverrides: ["body": "changed"])
        #expect(try await isTaken(server.url("/posts/1")))
        #expect(try await isTaken(server.url("/users?page=2")))
        #expect(try await !isTaken(server.url("/users/1")))
        #expect(try await !isTaken(server.url("/Posts")))
    }

    @Test func `without keywords, every request is intercepted`() async throws {
        let (server, isTaken) = (server, isTaken)
        try await besideAnother {
            Relay.interceptAndModify(jsonValueOverrides: ["body": "changed"])
            let isTaken = try await isTaken(server.url("/users/1"))
            #expect(isTaken)
        }
    }

    @Test func `only http and https requests are intercepted`() async throws {
        try await besideAnother {
            Relay.interceptAndModify(jsonValueOverrides: ["body": "changed"])
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
            try Data("{\"body\": \"file\"}".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(Interceptor.current != nil)
            await #expect(throws: (any Error).self) { try await URLSession.shared.text("unknown://a/") }
        }
    }

    @Test func `a second call in a test replaces the first`() async throws {
        Relay.interceptAndModify(urlKeywords: [server.keyword], jsonValueOverrides: ["body": "changed"])
        #expect(try await isTaken(server.url("/")))
        Relay.interceptAndModify(urlKeywords: ["google.invalid"], jsonValueOverrides: ["body": "changed"])
        #expect(try await !isTaken(server.url("/")))
        Relay.interceptAndModify(urlKeywords: [server.keyword], jsonValueOverrides: ["body": "changed"])
        #expect(try await isTaken(server.url("/")))
    }

    @Test func `sessions of any kind are intercepted, whether created before or after the call`() async throws {
        let config = URLSessionConfiguration.ephemeral
        config.protocolClasses = [RelayURLProtocol.self]
        let named = URLSession(configuration: config)
        let before = [URLSession(configuration: .default), URLSession(configuration: .ephemeral), named, .shared]
        #expect(try await named.text(server.url("/")).contains("live"))
        Relay.interceptAndModify(urlKeywords: [server.keyword], jsonValueOverrides: ["body": "changed"])
        for session in before + [URLSession(configuration: .default), URLSession(configuration: config)] {
            #expect(try await session.text(server.url("/")).contains("changed"))
        }
        Relay.stop()
        #expect(try await named.text(server.url("/")).contains("live"))
    }
}
