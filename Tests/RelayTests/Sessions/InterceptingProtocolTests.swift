import Foundation
import HTTPArchive
import Relay
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private let chosen = Interceptor.saying("chosen")

/// A protocol class that can be added to a configuration before its interceptor is created.
private final class ChoosingProtocol: InterceptingProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.path.hasPrefix("/chosen") == true }
    override var interceptor: Interceptor? { request.url?.path == "/chosen/none" ? nil : chosen }
}

@Suite(.limited) struct InterceptingProtocolTests {
    private let session: URLSession = {
        let configuration = URLSessionConfiguration.default
        configuration.protocolClasses = [ChoosingProtocol.self] + (configuration.protocolClasses ?? [])
        return URLSession(configuration: configuration)
    }()

    @Test func `a custom protocol class chooses its requests and their interceptor`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        #expect(try await session.text(server.url("/chosen")) == "chosen")
        #expect(try await session.text(server.url("/other")) == "live")
        let error = await #expect(throws: RelayError.self) { try await session.text(server.url("/chosen/none")) }
        #expect(error?.code == .interceptorGone)
    }

    @Test func `a rule can answer a request to a URL without a scheme, but the network cannot`() async throws {
        let interceptor = Interceptor.with(.passThrough(.any), .stub("a.example/items", .text("mine")))
        #expect(try await interceptor.session().text("a.example/items") == "mine")
        await #expect(throws: URLError.self) { try await interceptor.session().text("a.example/other") }
    }

    @Test func `a rule that passes requests through reports their results`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live", headers: "X-A: b\r\n") }
        let told = Log<(InterceptedRequest, Result<InterceptedResponse, any Error>)>()
        let interceptor = Interceptor.with(.passThrough(.any, telling: { told.append(($0, $1)) }))
        #expect(try await interceptor.session().text(server.url("/a")) == "live")
        await #expect(throws: URLError.self) { try await interceptor.session().text("http://a.invalid/") }
        try await wait(until: { told.events.count == 2 })
        let response = try told.events[0].1.get()
        #expect(told.events[0].0.url == server.url("/a"))
        #expect(response.status == 200)
        #expect(response.body == Data("live".utf8))
        #expect(response.headers.contains(HeaderField(name: "X-A", value: "b")))
        #expect(throws: URLError.self) { try told.events[1].1.get() }
    }
}
