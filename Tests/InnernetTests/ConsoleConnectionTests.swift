import Foundation
import Testing

@testable import Innernet

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests of the connection to the console on this machine, which ignores proxies and redirects.
@Suite(.limited) struct ConsoleConnectionTests {
    private func connection(to server: LoopbackServer, timeLimit: Duration = .seconds(3600)) -> ConsoleConnection {
        ConsoleConnection(port: Int(server.port), timeLimit: timeLimit)
    }

    @Test func `the connection does not follow redirects`() async throws {
        let other = try LoopbackServer { _ in LoopbackServer.ok("other") }
        let server = try LoopbackServer { _ in "HTTP/1.1 302 Found\r\nLocation: \(other.url("/"))\r\n\r\n" }
        let (body, response) = try await connection(to: server).response(to: "GET", "/intercept")
        #expect(response.statusCode == 302)
        #expect(body.isEmpty)
        #expect(other.requests.isEmpty)
    }

    @Test func `the connection ignores proxies`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try LoopbackServer { _ in LoopbackServer.ok("proxy") }
            for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] { setenv(name, proxy.url(""), 1) }
            let server = try LoopbackServer { _ in LoopbackServer.ok("console") }
            let connection = ConsoleConnection(port: Int(server.port), timeLimit: .seconds(3600))
            let (body, _) = try await connection.response(to: "GET", "/intercept")
            #expect(String(decoding: body, as: UTF8.self) == "console")
            #expect(proxy.requests.isEmpty)
        }
    }

    @Test func `a response that is too large is rejected, even if it is endless`() async throws {
        let server = try LoopbackServer(inPieces: { _, send in
            send("HTTP/1.1 200 OK\r\n\r\n")
            for _ in 0..<1_000 { send(String(repeating: "x", count: 1 << 16)) }
        })
        var connection = connection(to: server)
        connection.maximumSize = 1 << 20
        await #expect(throws: URLError(.dataLengthExceedsMaximum)) {
            try await connection.response(to: "GET", "/intercept")
        }
    }

    @Test func `a request to a console that does not respond fails after the time limit`() async throws {
        let isOver = DispatchSemaphore(value: 0)
        defer { isOver.signal() }
        let server = try LoopbackServer(inPieces: { _, _ in isOver.wait() })
        await #expect(throws: URLError(.timedOut)) {
            try await connection(to: server, timeLimit: .milliseconds(50)).response(to: "GET", "/intercept")
        }
    }

    @Test func `a request to a port without a listener fails`() async throws {
        let refusing = try RefusingPort()
        await #expect(throws: URLError.self) {
            try await ConsoleConnection(port: Int(refusing.port), timeLimit: .seconds(3600)).response(to: "GET", "/")
        }
        await #expect(throws: URLError(.cannotConnectToHost)) {
            try await ConsoleConnection(port: 70_000, timeLimit: .seconds(3600)).response(to: "GET", "/")
        }
    }

    @Test(arguments: ["", "nonsense", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"])
    func `an incomplete response is rejected`(text: String) async throws {
        let server = try LoopbackServer { _ in text }
        await #expect(throws: URLError(.badServerResponse)) {
            try await connection(to: server).response(to: "GET", "/")
        }
    }
}
