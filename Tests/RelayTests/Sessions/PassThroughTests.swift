import Foundation
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct PassThroughTests {
    private let interceptor = Interceptor.with(.passThrough(.any))

    @Test func `the request reaches the network, and its response is unchanged`() async throws {
        let server = try LoopbackServer {
            LoopbackServer.ok(String(decoding: $0.body, as: UTF8.self), headers: "X-L: 1\r\n")
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Configured": "yes"]
        let request = URLRequest(server.url("/a?b"), method: "PUT", headers: ["X-Own": "1"], body: "sent")
        let (data, response) = try await interceptor.session(configuration: configuration).data(for: request)
        #expect(data == Data("sent".utf8))
        #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-L") == "1")
        let head = try #require(server.requests.first?.head)
        #expect(head.hasPrefix("PUT /a?b HTTP/1.1\r\n"))
        #expect(head.contains("X-Own: 1\r\n") && head.contains("X-Configured: yes\r\n"))
        #expect(server.requests.count == 1)
    }

    @Test func `an upload is passed through`() async throws {
        let server = try LoopbackServer { LoopbackServer.ok("\($0.body.count)") }
        let body = Data(repeating: 120, count: 100_000)
        let (data, _) = try await interceptor.session().upload(
            for: URLRequest(server.url("/"), method: "POST"), from: body)
        #expect(data == Data("100000".utf8))
    }

    @Test func `a request that is passed through bypasses every scope and interceptor`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        let configuration = URLSessionConfiguration.default
        let other = Interceptor.saying("other")
        other.install(in: configuration)
        let session = interceptor.session(configuration: configuration)
        let text = try await other.interceptEverySession { try await session.text(server.url("/1")) }
        #expect(text == "live")
        let scoped = try await interceptor.interceptEverySession { try await URLSession.shared.text(server.url("/2")) }
        #expect(scoped == "live")
        #expect(server.requests.map(\.target) == ["/1", "/2"])
    }

    @Test func `a network error is delivered unchanged`() async throws {
        let server = try LoopbackServer { _ in "" }
        let error = await #expect(throws: URLError.self) {
            try await interceptor.session().text(URLRequest(server.url("/")))
        }
        #expect(error?.code != .cancelled)
    }

    @Test func `the delegate decides whether redirects are followed`() async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n" }
        let delegate = RecordingDelegate(redirect: { _ in nil })
        let session = interceptor.session(delegate: delegate)
        _ = await delegate.run(session.dataTask(with: URL(server.url("/"))))
        #expect(delegate.log.events == ["redirect 302 to /next", "response 302", "end"])
    }

    @Test func `a delegate receives the first bytes while the rest is pending`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(inPieces: { _, send in
            send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
            gate.wait()
            send("two")
        })
        let delegate = RecordingDelegate()
        let task = interceptor.session(configuration: .patient, delegate: delegate).dataTask(with: URL(server.url("/")))
        async let end = delegate.run(task)
        try await wait { delegate.log.events.contains("data one") }
        gate.signal()
        #expect(await end == nil)
        #expect(delegate.log.events == ["response 200", "data one", "data two", "end"])
    }

    @Test func `an awaited call in a session with a delegate receives all chunks`() async throws {
        let body = String(repeating: "0123456789", count: 100_000)
        let server = try LoopbackServer { _ in LoopbackServer.ok(body) }
        let session = interceptor.session(delegate: RecordingDelegate())
        #expect(try await session.text(server.url("/")) == body)
    }

    @Test func `canceling ends an active network request`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(inPieces: { _, _ in gate.wait() })
        let call = Task { [session = interceptor.session(configuration: .patient)] in
            try await session.text(server.url("/"))
        }
        try await wait { !server.requests.isEmpty }
        call.cancel()
        let error = await #expect(throws: URLError.self) { try await call.value }
        #expect(error?.code == .cancelled)
        gate.signal()
    }

    @Test func `canceling at any time is safe, including in sessions with a cache`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        let changing = Interceptor.with(.passThrough(.any), .override(.any, .replacing("live", with: "x")))
        let plain = URLSession(configuration: .default)
        let own = interceptor.session(delegate: RecordingDelegate())
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<400 {
                group.addTask {
                    let call = Task {
                        guard index.isMultiple(of: 2) else { return try await own.text(server.url("/")) }
                        return try await changing.interceptEverySession { try await plain.text(server.url("/")) }
                    }
                    for _ in 0..<index % 7 { await Task.yield() }
                    call.cancel()
                    _ = await call.result
                }
            }
        }
    }

    @Test func `overrides change responses from the network`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live", headers: "X-L: 1\r\n") }
        let interceptor = Interceptor.with(
            .passThrough(.any), .override(.any, .replacing("live", with: "changed"), .status(404)))
        let (data, response) = try await interceptor.session().data(from: URL(server.url("/")))
        let http = try #require(response as? HTTPURLResponse)
        #expect(data == Data("changed".utf8))
        #expect(http.statusCode == 404)
        #expect(http.value(forHTTPHeaderField: "x-l") == "1")
        #expect(http.value(forHTTPHeaderField: "content-length") == "7")
    }

    @Test func `only requests that match the pattern are passed through`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        let interceptor = Interceptor.with(.stub(.any, .text("stub")), .passThrough(.path(prefix: "/live")))
        let session = interceptor.session()
        #expect(try await session.text(server.url("/live")) == "live")
        #expect(try await session.text(server.url("/other")) == "stub")
        #expect(server.requests.map(\.target) == ["/live"])
    }
}
