import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Redirects while recording, compared with redirects in a session without an interceptor.
@Suite(.limited) struct RecordedRedirectTests {
    private let recorded = RecordedExchanges()

    /// Returns a server that redirects `/1` to `/2` and `/2` to `/3`, and describes any other request in its response.
    private func server(_ status: Int, location: String? = nil) throws -> LoopbackServer {
        try LoopbackServer { request in
            let number = Int(request.target.dropFirst().prefix { $0.isNumber }) ?? 9
            guard number < 3 else {
                return LoopbackServer.ok("\(request.head.prefix { $0 != " " }) \(request.target)")
            }
            let next = location ?? "/\(number + 1)?from=\(number)"
            // Without `close`, libcurl can send a body on a connection that is being closed, and cannot send it again.
            return "HTTP/1.1 \(status) Moved\r\nLocation: \(next)\r\nSet-Cookie: c\(number)=1; Path=/\r\n"
                + "Connection: close\r\nContent-Length: 4\r\n\r\nmove"
        }
    }

    private struct Seen: Equatable {
        var calls: [String] = []
        var url: String?
        var cookies: [String] = []
    }

    private func seen(
        _ request: URLRequest, by make: (RecordingDelegate) -> URLSession,
        redirect: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 }
    ) async -> Seen {
        let delegate = RecordingDelegate(redirect: redirect)
        let session = make(delegate)
        let task = session.dataTask(with: request)
        let error = await delegate.run(task)
        #expect(error == nil)
        return Seen(
            calls: delegate.log.events, url: (task.response as? HTTPURLResponse)?.url?.path(),
            cookies: session.configuration.httpCookieStorage?.cookies?.map { "\($0.name)=\($0.value)" }.sorted() ?? [])
    }

    @Test(arguments: [301, 302, 303, 307, 308], ["GET", "POST"])
    func `a delegate receives the same calls as in a live session`(status: Int, method: String) async throws {
        let server = try server(status)
        let request = URLRequest(server.url("/1"), method: method)
        let live = await seen(request) { URLSession(configuration: .ephemeral, delegate: $0, delegateQueue: nil) }
        let recording = await seen(request) { recorded.interceptor().session(delegate: $0) }
        #expect(recording == live)
        #expect(recording.calls.contains("response 200"))
        // On a busy machine, a redirect can be received after the response that it leads to.
        let exchanges = await recorded.first(3).sorted { $0.request.url < $1.request.url }
        #expect(exchanges.map { $0.head?.status } == [status, status, 200])
        #expect(exchanges.map { URL(text: $0.request.url)?.path() } == ["/1", "/2", "/3"])
        #expect(exchanges.map(\.body.data) == [Data("move".utf8), Data("move".utf8), exchanges[2].body.data])
        #expect(exchanges.allSatisfy { $0.error == nil })
        #expect(recording.cookies == ["c1=1", "c2=1"])
    }

    @Test func `an awaited call receives the final response, and each request sends the cookies set by earlier ones`()
        async throws
    {
        let server = try server(302)
        let session = recorded.interceptor().session()
        let (data, response) = try await session.data(for: URLRequest(server.url("/1")))
        #expect(String(decoding: data, as: UTF8.self) == "GET /3?from=2")
        #expect(response.url?.absoluteString == server.url("/3?from=2"))
        let cookies = await recorded.first(3).map { $0.request.headers.values(named: "cookie") }
        #expect(cookies.map { $0.map { $0.split(separator: "; ").sorted() } } == [[], [["c1=1"]], [["c1=1", "c2=1"]]])
    }

    @Test func `a redirect that the delegate refuses is delivered as the response`() async throws {
        let server = try server(302)
        let request = URLRequest(server.url("/1"))
        let live = await seen(
            request, by: { URLSession(configuration: .ephemeral, delegate: $0, delegateQueue: nil) },
            redirect: { _ in nil })
        let recording = await seen(
            request, by: { recorded.interceptor().session(delegate: $0) }, redirect: { _ in nil })
        #expect(recording == live)
        #expect(await recorded.one.head?.status == 302)
    }

    @Test func `a body is sent again if the method stays the same, but not if it becomes GET`() async throws {
        for (status, expected) in [(302, ["a=b", "", ""]), (307, ["a=b", "a=b", "a=b"])] {
            let server = try server(status)
            let own = RecordedExchanges()
            _ = try await own.interceptor().session().data(
                for: URLRequest(server.url("/1"), method: "POST", body: "a=b"))
            #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == expected)
            #expect(
                await own.first(3).map { $0.request.body.map { String(decoding: $0, as: UTF8.self) } ?? "" } == expected
            )
        }
    }

    @Test func `the twenty-first redirect fails, and all twenty-one exchanges are recorded`() async throws {
        let server = try server(302, location: "/1")
        let session = recorded.interceptor().session()
        let error = await #expect(throws: URLError.self) { try await session.text(server.url("/1")) }
        #expect(error?.code == .httpTooManyRedirects)
        #expect(await recorded.first(21).count == 21)
        #expect(server.requests.count == 21)
    }

    @Test func `overrides change the final response, but the original responses are recorded`() async throws {
        let server = try server(302)
        let interceptor = recorded.interceptor(
            .override(.path(prefix: "/1"), .replacing("GET", with: "changed"), .status(418)))
        let (data, response) = try await interceptor.session().data(from: URL(server.url("/1")))
        #expect(String(decoding: data, as: UTF8.self) == "changed /3?from=2")
        #expect((response as? HTTPURLResponse)?.statusCode == 418)
        let exchanges = await recorded.first(3)
        #expect(exchanges.map { $0.head?.status } == [302, 302, 200])
        #expect(exchanges[2].body.data == Data("GET /3?from=2".utf8))
    }

    @Test func `the target of a redirect is matched against the rules again`() async throws {
        let server = try server(302)
        let interceptor = recorded.interceptor(.stub(.path(prefix: "/2"), .text("stub")))
        #expect(try await interceptor.session().text(server.url("/1")) == "stub")
        #expect(await recorded.first(1).count == 1)
        #expect(server.requests.count == 1)
    }

    @Test func `a rerouted request is redirected within the original origin`() async throws {
        let server = try server(302)
        let interceptor = Interceptor(name: "test", configuration: .patient)
        let route = try Route(from: "http://shop.example", to: server.url(""))
        interceptor.add(.recording(.any, by: route) { [recorded] in recorded.append($0) })
        let (_, response) = try await interceptor.session().data(from: URL("http://shop.example/1"))
        #expect(response.url?.absoluteString == "http://shop.example/3?from=2")
        #expect(await recorded.first(3).map(\.request.url) == ["/1", "/2?from=1", "/3?from=2"].map(server.url))
    }
}
