import Foundation
import HTTPArchive
import Relay
import ResonanceKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct MockServingTests {
    private let mocks: MocksFolder
    private let server: JSONMockServer

    init() throws {
        mocks = try MocksFolder(["Api/People.json": "[\(JSONMockServerTests.mock(7))]"])
        server = try JSONMockServer(baseURL: mocks.url)
    }

    private func request(_ path: String = "api/people") -> JSONRequest<Value, Failure> {
        JSONRequest(method: .get, path: path, session: JSONSession(JSONMockServerSession(mockServer: server)))
    }

    @Test func `overrides change responses`() async throws {
        let rule = Rule.override("mocktest.com/api/*", try .json(at: "/value", 8))
        server.interceptor.add(rule)
        #expect(try await request().perform().value == 8)
        server.interceptor.remove(rule)
        #expect(try await request().perform().value == 7)
    }

    @Test func `rules can delay responses and simulate failures`() async throws {
        server.interceptor.add(.override(.any, .delay(.milliseconds(1))))
        #expect(try await request().perform().value == 7)
        server.interceptor.add(.stub(.path(prefix: "api"), .failure(.timedOut)))
        await #expect {
            try await request().perform()
        } throws: {
            ($0 as? URLError)?.code == .timedOut
        }
    }

    @Test func `stubs and the network answer requests without a mock`() async throws {
        let live = try LoopbackServer { _ in LoopbackServer.ok(#"{"value":9}"#) }
        server.interceptor.add(
            .stub("mocktest.com/stub", try .json(["value": 8])),
            try .reroute("https://mocktest.com/live", to: live.url("/x")))
        #expect(try await request("stub").perform().value == 8)
        #expect(try await request("live").perform().value == 9)
        #expect(try await request().perform().value == 7)
    }

    @Test func `a miss lists the request and the mocks, and is included in the report`() async throws {
        let error = await #expect(throws: JSONMockServer.MockErrors.self) {
            try await request().perform(method: .delete)
        }
        #expect(error == .loadFailure)
        #expect(error?.description.contains("No entry matches DELETE https://mocktest.com/api/people") == true)
        #expect(error?.description.contains("GET http://localhost/api/people") == true)
        #expect(server.interceptor.report.misses.count == 1)
    }

    @Test func `a miss for an unknown path lists the mocks with similar paths`() async throws {
        let error = await #expect(throws: JSONMockServer.MockErrors.self) { try await request("api/peopel").perform() }
        #expect(error?.description.contains("GET http://localhost/api/people") == true)
        #expect(error?.description.contains("+ /api/peopel") == true)
    }

    @Test func `the interceptor's settings apply`() async throws {
        var configuration = Interceptor.Configuration()
        configuration.unmatchedRequests = .passThrough
        let live = try LoopbackServer { _ in LoopbackServer.ok(#"{"value":9}"#) }
        let server = try JSONMockServer(baseURL: mocks.url, configuration: configuration)
        let session = JSONSession(JSONMockServerSession(mockServer: server), baseURL: live.url("/"))
        func value(_ path: String) async throws -> Int {
            try await JSONRequest<Value, Failure>(method: .get, path: path, session: session).perform().value
        }
        #expect(try await value("api/people") == 7)
        #expect(try await value("api/others") == 9)
    }

    @Test func `an archive can be used instead of the folder of mocks`() async throws {
        let archive = mocks.url.appendingPathComponent("people.har")
        let entry = HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00.000Z",
            request: HAR.Request(method: "GET", url: "https://mocktest.com/api/people?page=2"),
            response: HAR.Response(
                status: 200, statusText: "OK",
                content: HAR.Content(size: 11, mimeType: "application/json", text: #"{"value":2}"#)))
        try HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: [entry]).write(to: archive)
        let sessions: [any NetworkSession] = [
            JSONMockServerSession(mockServer: try JSONMockServer(archive: archive)),
            try Interceptor(archive: archive).session(),
        ]
        for session in sessions {
            let request = JSONRequest<Value, Failure>(method: .get, path: "api/people", session: JSONSession(session))
            #expect(try await request.perform(parameters: ["page": "2"]).value == 2)
            await #expect(throws: (any Error).self) { try await request.perform() }
        }
    }

    @Test func `intercepted sessions in other code also use the mocks`() async throws {
        let session = JSONSession(URLSession(configuration: .ephemeral), baseURL: "https://mocktest.com")
        let value = try await server.interceptor.interceptEverySession {
            try await JSONRequest<Value, Failure>(method: .get, path: "api/people", session: session).perform().value
        }
        #expect(value == 7)
    }

    @Test func `many concurrent blocking calls are answered`() async throws {
        let request = request()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await blocking { try request.perform().await().value } } }
            for try await value in group { #expect(value == 7) }
        }
    }
}
