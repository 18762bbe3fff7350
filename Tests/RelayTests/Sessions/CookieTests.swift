import Foundation
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct CookieTests {
    private let date = "Expires=Wed, 21 Oct 2037 07:28:00 GMT"

    /// An interceptor that sets one cookie in a redirect and two in the final response.
    ///
    /// The response bodies contain the cookies that the requests sent.
    private var interceptor: Interceptor {
        .responding { [date] request in
            let sent = request.headers.values(named: "cookie").joined()
            if request.url.hasSuffix("/start") {
                return request.reply(sent, status: 302, headers: ["Location": "/end", "Set-Cookie": "hop=1; \(date)"])
            }
            return request.reply(sent, headers: ["set-cookie": "a=1; \(date)", "Set-Cookie": "b=2; \(date)"])
        }
    }

    private func cookies(_ configuration: URLSessionConfiguration) -> [String] {
        (configuration.httpCookieStorage?.cookies ?? []).map { "\($0.name)=\($0.value)" }.sorted()
    }

    @Test func `cookies are stored and sent, including cookies from redirects`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        let session = interceptor.session(configuration: configuration)
        #expect(try await session.text("https://example.com/start") == "hop=1")
        #expect(cookies(configuration) == ["a=1", "b=2", "hop=1"])
        let sent = try await session.text("https://example.com/end")
        #expect(sent.split(separator: "; ").sorted() == ["a=1", "b=2", "hop=1"])
        #expect(try await session.text("https://other.example/end").isEmpty)
    }

    @Test(arguments: [URLSession.shared, URLSession(configuration: .default)])
    func `cookies from replayed responses are stored by the interceptor and sent in its scope`(
        session: URLSession
    ) async throws {
        let host = "\(UUID().uuidString.lowercased()).example"
        let (first, second) = (interceptor, interceptor)
        try await first.interceptEverySession {
            let redirected = try await session.text("https://\(host)/start")
            #expect(redirected == "hop=1")
            let sent = try await URLSession.shared.text("https://\(host)/end")
            #expect(sent.split(separator: "; ").sorted() == ["a=1", "b=2", "hop=1"])
            var request = URLRequest("https://\(host)/end", headers: ["Cookie": "a=own; c=3"])
            let merged = try await session.text(request)
            #expect(merged.split(separator: "; ").sorted() == ["a=own", "b=2", "c=3", "hop=1"])
            request.httpShouldHandleCookies = false
            let unhandled = try await session.text(request)
            #expect(unhandled == "a=own; c=3")
            let elsewhere = try await session.text("https://other.\(host)/end")
            #expect(elsewhere.isEmpty)
        }
        let other = try await second.interceptEverySession { try await session.text("https://\(host)/end") }
        #expect(other.isEmpty)
        #expect(HTTPCookieStorage.shared.cookies(for: URL("https://\(host)/")) ?? [] == [])
        #expect(HTTPCookieStorage.shared.cookies?.contains { $0.domain.contains(host) } != true)
    }

    @Test func `a live request in the scope sends replayed cookies, but other requests do not`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        let interceptor = Interceptor.with(
            .passThrough(.path(prefix: "/live")),
            .stub(.path(prefix: "/login"), .status(204, headers: [HeaderField(name: "Set-Cookie", value: "sid=1")])))
        try await interceptor.interceptEverySession {
            _ = try await URLSession.shared.data(from: URL(server.url("/login")))
            _ = try await URLSession.shared.data(from: URL(server.url("/live")))
        }
        _ = try await URLSession.shared.data(from: URL(server.url("/outside")))
        #expect(server.requests.map { $0.head.contains("sid=1") } == [true, false])
    }

    /// A server that sets a cookie with the value in the path of a log-in, and returns the cookies that it receives.
    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            let fields = request.head.matches(of: #/(?i)\ncookie: ([^\r\n]*)/#.matchingSemantics(.unicodeScalar))
            let cookies = fields.map { String($0.1) }.joined(separator: "; ")
            guard request.target.contains("login") else { return LoopbackServer.ok(cookies) }
            let value = request.target.split(separator: "/").last ?? ""
            let set = "Set-Cookie: color=\(value); Path=/\r\nSet-Cookie: seen=\(value); \(date); Path=/\r\n"
            guard request.target.hasPrefix("/redirecting") else { return LoopbackServer.ok(cookies, headers: set) }
            return "HTTP/1.1 302 Found\r\nLocation: /me\r\n\(set)Connection: close\r\nContent-Length: 0\r\n\r\n"
        }
    }

    @Test(arguments: ["/login/", "/redirecting/login/"], [URLSession.shared, URLSession(configuration: .default)])
    func `parallel recordings do not share cookies, and replay sends the same cookies`(
        path: String, session: URLSession
    ) async throws {
        let server = try server()
        @Sendable func run(_ interceptor: Interceptor, _ number: Int) async throws -> [String] {
            try await interceptor.interceptEverySession {
                let redirected = try await session.text(server.url("\(path)\(number)"))
                let after = try await session.text(server.url("/me"))
                return [redirected, after].map { $0.split(separator: "; ").sorted().joined(separator: "; ") }
            }
        }
        try await withThrowingTaskGroup { group in
            for number in 0..<12 {
                group.addTask {
                    let own = "color=\(number); seen=\(number)"
                    let expected = [path == "/login/" ? "" : own, own]
                    let recording = Interceptor(recordingInMemory: "\(number)")
                    let live = try await run(recording, number)
                    #expect(live == expected)
                    let entries = await recording.recordedEntries
                    #expect(entries.count == (path == "/login/" ? 2 : 3))
                    let replayed = try await run(Interceptor(entries: entries), number)
                    #expect(replayed == expected)
                }
            }
            try await group.waitForAll()
        }
        let shared = HTTPCookieStorage.shared.cookies(for: URL(server.url("/me"))) ?? []
        #expect(!shared.contains { ["color", "seen"].contains($0.name) })
    }

    @Test func `a recorded request sends shared cookies unless a recorded cookie has the same name`() async throws {
        let server = try server()
        let url = URL("http://localhost:\(server.port)/me")
        let cookies = ["color=before; Path=/", "other=2; Path=/"].flatMap {
            HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0], for: url)
        }
        HTTPCookieStorage.shared.setCookies(cookies, for: url, mainDocumentURL: nil)
        let own: [Substring] = ["color=1", "other=2", "seen=1"]
        for (path, expected) in [("/login/1", ["color=before", "other=2"]), ("/redirecting/login/1", own)] {
            let sent = try await Interceptor(recordingInMemory: "shared").interceptEverySession {
                let first = try await URLSession.shared.text("http://localhost:\(server.port)\(path)")
                let second = try await URLSession.shared.text(url.absoluteString)
                return [first, second].map { $0.split(separator: "; ").sorted() }
            }
            #expect(sent == [expected, own])
        }
        #expect(HTTPCookieStorage.shared.cookies(for: url)?.map(\.value).sorted() == ["2", "before"])
        for cookie in cookies { HTTPCookieStorage.shared.deleteCookie(cookie) }
    }

    @Test func `a replayed cookie replaces a shared cookie with the same name until the scope ends`() async throws {
        let host = "\(UUID().uuidString.lowercased()).example"
        let url = URL("https://\(host)/end")
        let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": "a=before; \(date)"], for: url)
        HTTPCookieStorage.shared.setCookies(cookies, for: url, mainDocumentURL: nil)
        try await interceptor.interceptEverySession {
            let before = try await URLSession.shared.text("https://\(host)/end")
            #expect(before == "a=before")
            let after = try await URLSession.shared.text("https://\(host)/end")
            #expect(after.split(separator: "; ").sorted() == ["a=1", "b=2"])
        }
        #expect(HTTPCookieStorage.shared.cookies(for: url)?.map(\.value) == ["before"])
        for cookie in cookies { HTTPCookieStorage.shared.deleteCookie(cookie) }
    }

    @Test func `no cookie is stored if the accept policy is never`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieAcceptPolicy = .never
        _ = try await interceptor.session(configuration: configuration).text("https://example.com/start")
        #expect(cookies(configuration).isEmpty)
    }

    @Test func `no cookie is stored for a request that disables cookies`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        var request = URLRequest("https://example.com/start")
        request.httpShouldHandleCookies = false
        #expect(try await interceptor.session(configuration: configuration).text(request).isEmpty)
        #expect(cookies(configuration).isEmpty)
    }

    @Test func `cookies are stored but not sent if the configuration disables setting them`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        #expect(try await interceptor.session(configuration: configuration).text("https://example.com/start").isEmpty)
        #expect(cookies(configuration) == ["a=1", "b=2", "hop=1"])
    }

    @Test func `only cookies of the main document's domain are accepted if the policy requires it`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieAcceptPolicy = .onlyFromMainDocumentDomain
        let session = interceptor.session(configuration: configuration)
        var request = URLRequest("https://tracker.example/end")
        request.mainDocumentURL = URL("https://example.com/")
        _ = try await session.text(request)
        #expect(cookies(configuration).isEmpty)
        request.url = URL("https://www.example.com/end")
        _ = try await session.text(request)
        #expect(cookies(configuration) == ["a=1", "b=2"])
    }

    @Test func `no cookie is stored without a cookie storage`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        #expect(try await interceptor.session(configuration: configuration).text("https://example.com/start").isEmpty)
    }
}
