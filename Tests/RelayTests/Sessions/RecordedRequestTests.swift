import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Recorded requests, compared with the requests that a server received.
@Suite(.limited) struct RecordedRequestTests {
    private let recorded = RecordedExchanges()

    /// Returns the request line and the header fields that a server received.
    private func lines(_ request: LoopbackServer.Request) -> [String] {
        request.head.components(separatedBy: "\r\n").filter { !$0.isEmpty }
    }

    private func check(
        _ server: LoopbackServer, _ exchanges: [CapturedExchange], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(exchanges.count == server.requests.count, sourceLocation: sourceLocation)
        for (exchange, request) in zip(exchanges, server.requests) {
            let lines = lines(request)
            // Header fields that the library adds have no space after the colon.
            let fields = exchange.request.headers.map { "\($0.name):\($0.value)" }
            let received = lines.dropFirst().map { $0.replacing(/:\s*/, with: ":", maxReplacements: 1) }
            #expect(fields == received, sourceLocation: sourceLocation)
            #expect(lines.first?.hasPrefix("\(exchange.request.method) ") == true, sourceLocation: sourceLocation)
            #expect(exchange.request.body ?? Data() == request.body, sourceLocation: sourceLocation)
            #expect(exchange.wire.requestBodySize == request.body.count, sourceLocation: sourceLocation)
            #expect(exchange.wire.requestHeadersSize == request.head.utf8.count + 4, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: ["GET", "HEAD", "DELETE", "OPTIONS"])
    func `the recorded fields of a request without a body equal the fields that the server received`(method: String)
        async throws
    {
        let server = try LoopbackServer { _ in LoopbackServer.ok(method == "HEAD" ? "" : "live") }
        let request = URLRequest(
            server.url("/a%20b?c=d"), method: method,
            headers: ["X-Own": "1", "x-lower": "é", "Accept": "text/plain", "X-Empty": ""])
        _ = try await recorded.interceptor().session().data(for: request)
        try check(server, await recorded.first(1))
    }

    @Test(arguments: ["POST", "PUT", "PATCH"])
    func `the recorded fields of a request with a body equal the fields that the server received`(method: String)
        async throws
    {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        let request = URLRequest(server.url("/"), method: method, headers: ["X-Own": "1"], body: "a=b&c=d")
        _ = try await recorded.interceptor().session().data(for: request)
        try check(server, await recorded.first(1))
    }

    @Test func `an upload is recorded with its body`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        let body = Data(String(repeating: "x", count: 300_000).utf8)
        let request = URLRequest(server.url("/"), method: "PUT", headers: ["Content-Type": "text/plain"])
        _ = try await recorded.interceptor().session().upload(for: request, from: body)
        try check(server, await recorded.first(1))
    }

    @Test func `stored cookies and header fields from the configuration are recorded as sent`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live", headers: "Set-Cookie: a=1\r\n") }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Configured": "yes", "User-Agent": "own/1"]
        let session = recorded.interceptor().session(configuration: configuration)
        _ = try await session.text(server.url("/"))
        _ = try await session.text(server.url("/"))
        let exchanges = await recorded.first(2)
        try check(server, exchanges)
        #expect(exchanges[1].request.headers.values(named: "cookie") == ["a=1"])
    }
}
