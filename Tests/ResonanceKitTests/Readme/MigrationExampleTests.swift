import Foundation
import HTTPArchive
import Relay
import ResonanceKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples of Docs/Migration/ResonanceKit.md.
@Suite struct MigrationExampleTests {
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

    @Test func `a session is made of a call`() async throws {
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
}
