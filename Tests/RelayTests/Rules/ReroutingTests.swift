import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct ReroutingTests {
    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            LoopbackServer.ok(request.target, headers: "Set-Cookie: seen=\(request.target.count); Path=/\r\n")
        }
    }

    @Test func `requests are sent to another host, port, scheme and path, and responses have the original URL`()
        async throws
    {
        let server = try server()
        let interceptor = Interceptor.with(try .reroute("yourserver.invalid/foo", to: server.url("/bar")))
        let configuration = URLSessionConfiguration.ephemeral
        let session = interceptor.session(configuration: configuration)
        let (data, response) = try await session.data(from: URL("https://yourserver.invalid/foo/1?a=b"))
        #expect(String(decoding: data, as: UTF8.self) == "/bar/1?a=b")
        #expect(response.url == URL("https://yourserver.invalid/foo/1?a=b"))
        let cookies = configuration.httpCookieStorage?.cookies(for: URL("https://yourserver.invalid/"))
        #expect(cookies?.map(\.name) == ["seen"])
    }

    @Test func `requests to other URLs are not rerouted`() async throws {
        let server = try server()
        let interceptor = Interceptor(entries: [.entry("GET", "https://yourserver.invalid/food", text: "recorded")])
        interceptor.add(try .reroute("yourserver.invalid/foo", to: server.url("")))
        let session = interceptor.session()
        #expect(try await session.text("https://yourserver.invalid/food") == "recorded")
        #expect(try await session.text("https://yourserver.invalid/foo/x") == "/x")
        #expect(server.requests.count == 1)
    }

    @Test func `bodies are sent, delegates receive chunks, and overrides apply`() async throws {
        let server = try LoopbackServer { LoopbackServer.ok("\($0.head.prefix(4)) \($0.body.count)") }
        let interceptor = Interceptor.with(try .reroute("http://a.invalid", to: server.url("")))
        let request = URLRequest("http://a.invalid/", method: "POST", body: "four")
        let delegate = RecordingDelegate()
        let session = interceptor.session(delegate: delegate)
        #expect(await delegate.run(session.dataTask(with: request)) == nil)
        #expect(delegate.log.events == ["response 200", "data POST 4", "end"])
        interceptor.add(.override(.any, .replacing("POST", with: "GOT")))
        #expect(try await session.text(request) == "GOT 4")
    }

    @Test func `an invalid route is rejected`() {
        #expect(throws: RelayError.self) { try Rule.reroute("", to: "b") }
    }
}
