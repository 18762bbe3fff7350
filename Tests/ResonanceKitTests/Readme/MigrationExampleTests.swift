import Foundation
import HTTPArchive
import Relay
import ResonanceKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples from Docs/Migration/ResonanceKit.md.
@Suite(.limited) struct MigrationExampleTests {
    struct Patient: NetworkSession {
        func loadData(request: URLRequest) throws -> CoFuture<(data: Data, response: URLResponse)> {
            CoFuture {
                var request = request
                request.timeoutInterval = 600
                return try await URLSession.shared.data(for: request)
            }
        }
    }

    private struct Count: Decodable { let count: Int }

    @Test func `a custom session can use an asynchronous call`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok(#"{"count":82}"#) }
        let session = JSONSession(Patient(), baseURL: server.url("/"))
        let request = JSONRequest<Count, Failure>(method: .get, path: "people", session: session)
        #expect(try await request.perform().count == 82)
    }

    @Test func `rules work with mocks`() async throws {
        let folder = try MocksFolder(["Api/People.json": peopleMock])
        let mocks = folder.url
        let session = JSONSession(baseURL: "https://mocktest.com")
        let server = try JSONMockServer(baseURL: mocks)
        server.interceptor.add(
            .override("mocktest.com/api/people", try .json(at: "/count", 83), .delay(.milliseconds(100))),
            .stub("mocktest.com/api/planets", .status(503)))
        session.urlSession = JSONMockServerSession(mockServer: server)

        let people = JSONRequest<Count, Failure>(method: .get, path: "api/people", session: session)
        #expect(try await people.perform().count == 83)
        let planets = JSONRequest<Count, Failure>(method: .get, path: "api/planets", session: session)
        await #expect(throws: RESTRequestError.self) { try await planets.perform() }
    }

    @Test func `an archive can replace the folder of mocks`() async throws {
        let folder = try MocksFolder([:])
        let har = folder.url.appendingPathComponent("people.har")
        let entry = HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00.000Z",
            request: HAR.Request(method: "GET", url: "https://mocktest.com/api/people?page=2&search=sky"),
            response: HAR.Response(
                status: 200, statusText: "OK",
                content: HAR.Content(size: 12, mimeType: "application/json", text: #"{"count":82}"#)))
        try HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: [entry]).write(to: har)
        let session = JSONSession(baseURL: "https://mocktest.com")
        session.urlSession = JSONMockServerSession(mockServer: try JSONMockServer(archive: har))

        let request = JSONRequest<Count, Failure>(method: .get, path: "api/people", session: session)
        let (filter, page) = ("sky", 2)
        let people = try await request.perform(parameters: ["search": filter, "page": String(page)])
        #expect(people.count == 82)
    }
}
