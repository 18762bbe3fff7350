#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import HTTPArchive
    import Synchronization
    import Testing

    import Relay
    @testable import RelayCore
    @testable import RelayURLSession

    /// Requests that are passed through or recorded.
    @Suite(.limited) struct LiveRequestTests {
        private let recorded = RecordedExchanges()

        /// A running task in an interceptor's session, with a delegate that receives chunks.
        private struct Call {
            let task: URLSessionDataTask
            private let delegate = RecordingDelegate()
            private let end: Task<(any Error)?, Never>

            init(_ interceptor: Interceptor, _ url: String, configuration: URLSessionConfiguration = .patient) {
                let task = interceptor.session(configuration: configuration, delegate: delegate)
                    .dataTask(with: URL(url))
                self.task = task
                end = Task { [delegate] in await delegate.run(task) }
            }

            func waitForData() async throws {
                try await wait { events.filter { $0.hasPrefix("data ") }.map { $0.dropFirst(5) }.joined() == "one" }
            }

            var error: (any Error)? { get async { await end.value } }

            var events: [String] { delegate.log.events }
        }

        /// A delegate that answers challenges, refuses redirects, and does not receive bodies.
        private final class Deciding: NSObject, URLSessionTaskDelegate {
            private let credential: URLCredential?
            private let end = AsyncStream.makeStream(of: Void.self)

            init(credential: URLCredential? = nil) { self.credential = credential }

            func waitForEnd() async { for await _ in end.stream {} }

            func urlSession(
                _: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                completionHandler(credential == nil ? .performDefaultHandling : .useCredential, credential)
            }

            func urlSession(
                _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse,
                newRequest _: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
            ) {
                completionHandler(nil)
            }

            func urlSession(_: URLSession, task _: URLSessionTask, didCompleteWithError error: (any Error)?) {
                end.continuation.finish()
            }
        }

        /// Creates a server that sends only the start of its first response.
        ///
        /// It closes that connection when the gate opens, and answers all other requests immediately.
        private func slowServer(_ gate: DispatchSemaphore, start: String) throws -> LoopbackServer {
            let count = Atomic(0)
            return try LoopbackServer(inPieces: { _, send in
                guard count.add(1, ordering: .relaxed).newValue == 1 else { return send(LoopbackServer.ok("again")) }
                send(start)
                gate.wait()
            })
        }

        @Test(
            arguments: [
                "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\non\r\n4\r\ne",
            ])
        func `the bytes received before a cancellation are recorded`(start: String) async throws {
            let gate = DispatchSemaphore(value: 0)
            let server = try slowServer(gate, start: start)
            let call = Call(recorded.interceptor(), server.url("/"))
            try await call.waitForData()
            call.task.cancel()
            #expect((await call.error as? URLError)?.code == .cancelled)
            let exchange = await recorded.one
            #expect((exchange.error as? URLError)?.code == .cancelled)
            #expect(exchange.head?.status == 200)
            #expect(exchange.body.data == Data("one".utf8))
            gate.signal()
        }

        @Test func `the bytes received before a timeout are recorded`() async throws {
            // A slow machine needs a longer timeout to receive the first bytes.
            for doublings in 0..<8 {
                let recorded = RecordedExchanges()
                let gate = DispatchSemaphore(value: 0)
                defer { gate.signal() }
                let server = try slowServer(gate, start: "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
                let configuration = URLSessionConfiguration.ephemeral
                configuration.timeoutIntervalForRequest = Double(1 << doublings)
                let call = Call(recorded.interceptor(), server.url("/"), configuration: configuration)
                #expect((await call.error as? URLError)?.code == .timedOut)
                let exchange = await recorded.one
                #expect((exchange.error as? URLError)?.code == .timedOut)
                if exchange.body.data == Data("one".utf8) { return }
            }
            Issue.record("The bytes received before the timeout were not recorded.")
        }

        @Test func `stopping an interceptor ends its transfers with an error that states the reason`() async throws {
            let gate = DispatchSemaphore(value: 0)
            let server = try slowServer(gate, start: "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
            let interceptor = recorded.interceptor()
            let call = Call(interceptor, server.url("/"))
            try await call.waitForData()
            interceptor.stop()
            #expect((await call.error as? RelayError)?.code == .interceptorGone)
            #expect(await recorded.one.body.data == Data("one".utf8))
            gate.signal()
        }

        @Test func `a task that was suspended sends its request again after it is resumed`() async throws {
            let gate = DispatchSemaphore(value: 0)
            let server = try slowServer(gate, start: "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
            let call = Call(recorded.interceptor(), server.url("/"))
            try await call.waitForData()
            call.task.suspend()
            call.task.resume()
            #expect(await call.error == nil)
            #expect(call.events.suffix(3) == ["response 200", "data again", "end"])
            let exchanges = await recorded.first(2)
            #expect(exchanges.map(\.body.data) == [Data("one".utf8), Data("again".utf8)])
            gate.signal()
        }

        private static let challenge =
            "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"shop\"\r\nContent-Length: 2\r\n\r\nno"

        @Test(arguments: [false, true])
        func `without credentials, a challenge is delivered as the response`(isRecorded: Bool) async throws {
            let server = try LoopbackServer { _ in Self.challenge }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCredentialStorage = nil
            let interceptor = isRecorded ? recorded.interceptor() : Interceptor.with(.passThrough(.any))
            let session = interceptor.session(configuration: configuration)
            let (data, response) = try await session.data(from: URL(server.url("/")))
            #expect(data == Data("no".utf8))
            let head = try #require(response as? HTTPURLResponse)
            #expect(head.statusCode == 401)
            #expect(head.value(forHTTPHeaderField: "WWW-Authenticate")?.contains("Basic realm=\"shop\"") == true)
            #expect(server.requests.count == 1)
            guard isRecorded else { return }
            let fields = await recorded.one.head?.headers.values(named: "www-authenticate")
            #expect(fields == ["Basic realm=\"shop\""])
        }

        @Test(arguments: [false, true])
        func `a delegate can provide credentials`(isRecorded: Bool) async throws {
            let server = try LoopbackServer {
                $0.head.contains("Authorization: Basic") ? LoopbackServer.ok("live") : Self.challenge
            }
            let interceptor = isRecorded ? recorded.interceptor() : Interceptor.with(.passThrough(.any))
            let credential = URLCredential(user: "a", password: "b", persistence: .none)
            let session = interceptor.session(delegate: Deciding(credential: credential))
            let (data, _) = try await session.data(from: URL(server.url("/")))
            #expect(data == Data("live".utf8))
            guard isRecorded else { return }
            let exchange = await recorded.one
            #expect(exchange.head?.status == 200)
            #expect(exchange.body.data == Data("live".utf8))
            #expect(recorded.now.count == 1)
        }

        @Test func `a redirect that a delegate refuses is delivered as the response, with all its fields and its body`()
            async throws
        {
            let server = try LoopbackServer { _ in
                "HTTP/1.1 302 Found\r\nlocation: /next\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nmoved"
            }
            let session = recorded.interceptor().session(delegate: Deciding())
            let (data, response) = try await session.data(from: URL(server.url("/")))
            #expect(data == Data("moved".utf8))
            let head = try #require(response as? HTTPURLResponse)
            #expect(head.value(forHTTPHeaderField: "Location") == "/next")
            #expect(head.value(forHTTPHeaderField: "X-A") == "1")
            let exchange = await recorded.one
            #expect(exchange.body.data == Data("moved".utf8))
            #expect(exchange.head?.headers.map(\.name) == ["location", "X-A", "Content-Length"])
            #expect(server.requests.count == 1)
        }

        @Test(
            arguments: [301, 302, 303, 304, 305, 307, 308],
            [
                "/next", "next", "../x/y", "?q=1", "#f", "//localhost/a", "http:next", "", "http://[", "a b", "/é",
                "mailto:a",
            ])
        func `redirects lead to the same URLs with and without recording`(status: Int, location: String) async throws {
            let server = try LoopbackServer {
                let (method, target) = ($0.head.prefix { $0 != " " }, $0.target)
                if target == "/a/b?c" {
                    return "HTTP/1.1 \(status) Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
                }
                return LoopbackServer.ok(method == "HEAD" ? "" : "\(method) \(target)")
            }
            let plain = URLSession(configuration: .ephemeral)
            let own = recorded.interceptor().session()
            for method in ["GET", "HEAD", "POST", "PUT"] {
                let request = URLRequest(server.url("/a/b?c"), method: method)
                let expected = await outcome(of: request, in: plain)
                #expect(await outcome(of: request, in: own) == expected)
            }
        }

        /// Returns the status, the final URL and the body for a request, or its error code.
        private func outcome(of request: URLRequest, in session: URLSession) async -> String {
            do {
                let (data, response) = try await session.data(for: request)
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                return "\(status) \(response.url?.absoluteString ?? "") \(String(decoding: data, as: UTF8.self))"
            } catch {
                return "\((error as? URLError)?.code.rawValue ?? 0)"
            }
        }

        @Test(arguments: [false, true])
        func `an empty response after a redirect stays empty`(isRecorded: Bool) async throws {
            let server = try LoopbackServer {
                $0.target == "/next"
                    ? "HTTP/1.1 204 No Content\r\n\r\n"
                    : "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 5\r\n\r\nmoved"
            }
            let interceptor = isRecorded ? recorded.interceptor() : Interceptor.with(.passThrough(.any))
            let (data, response) = try await interceptor.session().data(from: URL(server.url("/")))
            #expect((response as? HTTPURLResponse)?.statusCode == 204)
            #expect(data.isEmpty)
            guard isRecorded else { return }
            #expect(await recorded.first(2).map(\.body.data) == [Data("moved".utf8), Data()])
        }

        @Test func `the body is recorded even if the client does not receive it`() async throws {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            let delegate = Deciding()
            recorded.interceptor().session(delegate: delegate).dataTask(with: URL(server.url("/"))).resume()
            await delegate.waitForEnd()
            recorded.interceptor().session().dataTask(with: URL(server.url("/"))).resume()
            for exchange in await recorded.first(2) { #expect(exchange.body.data == Data("live".utf8)) }
        }

        /// A protocol class that answers every request.
        private final class Foreign: URLProtocol {
            override class func canInit(with _: URLRequest) -> Bool { true }

            override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

            override func startLoading() {
                guard let url = request.url,
                    let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:])
                else { return }
                client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
                client?.urlProtocol(self, didLoad: Data("foreign".utf8))
                client?.urlProtocolDidFinishLoading(self)
            }

            override func stopLoading() {}
        }

        @Test func `another protocol class of the session loads the requests that it accepts`() async throws {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.protocolClasses = [Foreign.self] + (configuration.protocolClasses ?? [])
            let interceptor = Interceptor.with(.passThrough(.any))
            let session = interceptor.session(configuration: configuration)
            #expect(try await session.text("http://shop.invalid/") == "foreign")
        }
    }
#endif
