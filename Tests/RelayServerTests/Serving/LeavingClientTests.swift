#if Server
    import Dispatch
    import Foundation
    import HTTPArchive
    import RelayServer
    import Testing

    @testable import RelayCore

    /// Clients that reset streams or close connections before they have received their responses.
    @Suite(.limited) struct LeavingClientTests {
        private let interceptor = Interceptor()
        private let busy = DispatchSemaphore(value: 0)
        private let events = Events()
        private var configuration = RelayServer.Configuration()

        init() {
            // Only the first request gets the first text.
            interceptor.add(.stub("http://a/", .text("second")), .stub("http://a/", .text("first")).times(1))
            configuration.log = { [events] in events.note($0) }
        }

        private static func request(_ url: String = "http://a/", version: String = "1.1") -> String {
            "GET \(url) HTTP/\(version)\r\nHost: a\r\n\r\n"
        }

        /// Makes later requests wait in the interceptor's queue until `busy` is signaled.
        private func block() { interceptor.enqueue { [busy] in busy.wait() } }

        /// Expects that a request gets the first text, and that the log contains only this request.
        private func expectFirst(from server: RelayServer) async throws {
            let text = try await RawClient.exchange(Self.request(), with: server)
            #expect(text.hasSuffix("\r\n\r\nfirst"))
            #expect(events.all.filter { $0.contains("http://a/") }.count == 1)
        }

        /// Waits until the server has handled the events of all connections that happened before.
        ///
        /// If the event loop is busy, it has only read their input after one exchange, and handled it after another one.
        private func settle(_ server: RelayServer) async throws {
            for _ in 1...3 { _ = try await RawClient.exchange("invalid\r\n\r\n", with: server) }
        }

        /// A configuration for ``waitForClose(at:)``, which allows one client at a time.
        private var configurationForOne: RelayServer.Configuration {
            var configuration = configuration
            // Two clients, and the handlers that detect the protocol of the second one.
            configuration.limits.connections = 2
            return configuration
        }

        /// Waits until the server has closed the only connection.
        ///
        /// A process that is started at the same time keeps the client's end open until its program runs.
        private func waitForClose(at server: RelayServer) async throws {
            while try await RawClient.exchange("invalid\r\n\r\n", with: server).isEmpty {}
        }

        // MARK: - HTTP/2

        @Test(arguments: [
            HTTP2Frames.head(1, path: "/"),
            HTTP2Frames.head(1, path: "/", isComplete: false),
            HTTP2Frames.head(1, path: "/", isComplete: false) + HTTP2Frames.data(1, "body"),
            // A reset between HEADERS and CONTINUATION is an error of the connection.
            HTTP2Frames.head(1, path: "/", isWhole: false),
        ])
        func `a request that is reset at once reaches no rule`(frames: String) async throws {
            try await interceptor.serve(configuration: configuration) { server in
                let text = HTTP2Frames.preface + frames + HTTP2Frames.reset(1)
                let client = try await RawClient(server, sending: text)
                try await settle(server)
                try await expectFirst(from: server)
                await client.close()
            }
        }

        @Test(arguments: [false, true])
        func `a request that is reset while it waits reaches no rule`(closesConnection: Bool) async throws {
            block()
            let configuration = closesConnection ? configurationForOne : configuration
            try await interceptor.serve(configuration: configuration) { server in
                let text = HTTP2Frames.preface + HTTP2Frames.head(1, path: "/")
                let client = try await RawClient(server, sending: text)
                try await settle(server)
                if closesConnection {
                    await client.close()
                    try await waitForClose(at: server)
                } else {
                    await client.send(HTTP2Frames.reset(1))
                    try await settle(server)
                }
                busy.signal()
                try await expectFirst(from: server)
                await client.close()
            }
        }

        @Test func `a request that is reset after its decision is reported as canceled`() async throws {
            interceptor.add(.override("http://a/", .delay(.seconds(3600))).times(1))
            try await interceptor.serve(configuration: configuration) { server in
                let exchanges = interceptor.exchanges
                let text = HTTP2Frames.preface + HTTP2Frames.head(1, path: "/")
                let client = try await RawClient(server, sending: text)
                try await settle(server)
                await client.send(HTTP2Frames.reset(1))
                let exchange = try #require(await exchanges.first { _ in true })
                #expect(throws: URLError(.cancelled)) { try exchange.result.get() }
                await client.close()
            }
        }

        @Test(arguments: ["GET", "POST"])
        func `a client that resets too many requests is disconnected`(method: String) async throws {
            var configuration = configuration
            configuration.limits.resets = 70
            try await interceptor.serve(configuration: configuration) { server in
                let resets = HTTP2Frames.streams(100).map { stream in
                    HTTP2Frames.head(stream, method: method, path: "/x", isComplete: method == "GET")
                        + HTTP2Frames.reset(stream)
                }
                let allowed = try await RawClient(server, sending: HTTP2Frames.preface + resets.prefix(70).joined())
                await allowed.finish()
                try await #expect(!allowed.text.contains(HTTP2Frames.enhanceYourCalm))
                let excessive = try await RawClient(server, sending: HTTP2Frames.preface + resets.joined())
                try await #expect(excessive.text.contains(HTTP2Frames.enhanceYourCalm))
                try await expectFirst(from: server)
            }
            #expect(events.all.filter { $0.contains("resets") }.count == 1)
        }

        @Test func `resets after the response are not limited`() async throws {
            var configuration = configuration
            configuration.limits.resets = 1
            try await Interceptor.shop().serve(configuration: configuration) { server in
                // libcurl 7.88 resets each stream after the response.
                let urls = [String](repeating: "https://127.0.0.1:\(server.url.port ?? 0)/", count: 50)
                let curl = try await Curl(["-k", "--http2"] + urls)
                #expect(curl.status == 0)
                #expect(curl.output == String(repeating: "home", count: 50))
            }
            #expect(events.all.count == 50)
        }

        @Test(arguments: [(1000, 100, 100), (1000, 7, 7), (100, 100, 50), (3, 100, 1), (1, 100, 1), (1000, 0, 1)])
        func `a connection has a share of the requests`(inFlight: Int, perConnection: Int, share: Int) async throws {
            var configuration = configuration
            configuration.limits.requestsInFlight = inFlight
            configuration.limits.requestsPerConnection = perConnection
            try await interceptor.serve(configuration: configuration) { server in
                let text = try await RawClient.exchange(HTTP2Frames.preface, with: server)
                // The setting MAX_CONCURRENT_STREAMS.
                #expect(text.contains("\0\u{3}\0\0\0\(UnicodeScalar(UInt8(share)))"))
            }
        }

        // MARK: - HTTP/1

        @Test(arguments: [request(), request() + request(), request(version: "1.0")], [false, true])
        func `a request whose client has left reaches no rule`(text: String, resets: Bool) async throws {
            // Interim responses are not sent to clients of HTTP/1.0, so the server does not notice that they have left.
            guard resets || text.contains("1.1") else { return }
            block()
            try await interceptor.serve(configuration: configurationForOne) { server in
                let client = try await RawClient(server, sending: text)
                try await settle(server)
                if resets { await client.reset() } else { await client.close() }
                try await waitForClose(at: server)
                busy.signal()
                try await expectFirst(from: server)
            }
        }

        @Test(arguments: [("1.1", [102, 200]), ("1.0", [200])])
        func `a client that has closed only its sending end gets its response`(
            version: String, statuses: [Int]
        ) async throws {
            interceptor.add(.override("http://a/", .delay(.seconds(2))))
            try await interceptor.serve(configuration: configuration) { server in
                let client = try await RawClient(server, sending: Self.request(version: version), keepsInterim: true)
                await client.finish()
                let text = try await client.text
                #expect(RawClient.statuses(in: text) == statuses)
                #expect(text.hasSuffix("\r\n\r\nfirst"))
            }
        }

        // MARK: - Misses

        @Test(arguments: [false, true])
        func `a miss that takes long does not delay other clients`(leaves: Bool) async throws {
            let (begins, continuation) = AsyncStream.makeStream(of: Void.self)
            interceptor.missQueue.async { [busy] in
                continuation.yield()
                busy.wait()
            }
            for await _ in begins { break }
            let configuration = leaves ? configurationForOne : configuration
            try await interceptor.serve(configuration: configuration) { server in
                let client = try await RawClient(server, sending: Self.request("http://a/missing"))
                try await settle(server)
                if leaves {
                    await client.reset()
                    try await waitForClose(at: server)
                }
                try await expectFirst(from: server)
                busy.signal()
                await client.finish()
                if !leaves { try await #expect(RawClient.statuses(in: client.text) == [404]) }
            }
            #expect(interceptor.report.missCount == (leaves ? 0 : 1))
        }
    }
#endif
