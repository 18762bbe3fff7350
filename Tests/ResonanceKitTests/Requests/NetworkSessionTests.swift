import Foundation
import ResonanceKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct NetworkSessionTests {
    @Test(arguments: [HTTPMethod.get, .post, .put, .delete, .patch, .head])
    func `URLSession sends requests over the network`(method: HTTPMethod) async throws {
        let server = try LoopbackServer { request in
            request.head.hasPrefix("HEAD") ? LoopbackServer.ok("") : LoopbackServer.ok(#"{"value":7}"#)
        }
        let session = JSONSession(URLSession(configuration: .ephemeral), baseURL: server.url("/api/"))
        session.authToken = "Bearer t"
        struct Answer: Decodable { let value: Int? }
        let request = JSONRequest<Answer, Failure>(method: method, path: "people", session: session)
        let answer = try await request.perform(parameters: ["page": "2"])
        #expect(answer.value == (method == .head ? nil : 7))
        let sent = try #require(server.requests.first)
        #expect(sent.target == (method == .get ? "/api/people?page=2" : "/api/people"))
        #expect(sent.head.contains("Authorization: Bearer t"))
        #expect(sent.head.contains("Content-Type: application/json"))
        #expect(sent.head.contains("Accept: */*"))
        if ![.get, .head].contains(method) { #expect(sent.body == Data(#"{"page":"2"}"#.utf8)) }
    }

    @Test func `canceling a task cancels its request`() async throws {
        let requested = AsyncStream<Void>.makeStream()
        let isOver = DispatchSemaphore(value: 0)
        defer { isOver.signal() }
        let server = try LoopbackServer(inPieces: { _, _ in
            requested.continuation.yield()
            isOver.wait()
        })
        let session = JSONSession(URLSession(configuration: .ephemeral), baseURL: server.url("/"))
        let request = JSONRequest<Nothing, Failure>(method: .get, path: "x", session: session)
        let task = Task { try await request.perform() }
        for await _ in requested.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a network error is thrown`() async throws {
        let server = try LoopbackServer(inPieces: { _, _ in })
        let session = JSONSession(URLSession(configuration: .ephemeral), baseURL: server.url("/"))
        let request = JSONRequest<Nothing, Failure>(method: .get, path: "x", session: session)
        await #expect(throws: URLError.self) { try await request.perform() }
        await #expect(throws: URLError.self) { try await blocking { try request.perform().await() } }
    }
}
