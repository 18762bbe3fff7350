#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import HTTPArchive
    import Testing

    import Relay
    @testable import RelayCore
    @testable import RelayURLSession

    /// Requests outside all scopes, which are assigned to active interceptors by host.
    ///
    /// Each test runs in its own process.
    @Suite(.limited) struct KnownHostTests {
        /// Creates an interceptor whose archive has an entry for a server.
        static func playing(_ text: String, of server: LoopbackServer, name: String = "shop") -> Interceptor {
            Interceptor(entries: [.entry("GET", server.url("/"), text: text)], name: name)
        }

        @Test func `a request from any task, thread or queue is answered by the interceptor for its host`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                let other = Interceptor(entries: [.entry("GET", "http://other.example/", text: "other")])
                let thread = WaitingThread()
                let sessions = [URLSession.shared, URLSession(configuration: .default)]
                try await other.interceptEverySession {
                    try await KnownHostTests.playing("recorded", of: server).interceptEverySession {
                        for place in Place.allCases {
                            for session in sessions {
                                let text = try await place.text(server.url("/"), from: session, oldThread: thread)
                                #expect(text == "recorded", "\(place)")
                            }
                        }
                    }
                }
                #expect(server.requests.isEmpty)
                let after = try await Task.detached { try await URLSession.shared.text(server.url("/")) }.value
                #expect(after == "live")
            }
        }

        @Test func `tasks and threads use the interceptor for the host while another one is active`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                let thread = WaitingThread()
                let begun = try KnownHostTests.playing("recorded", of: server).beginInterceptingEverySession()
                let second = try Interceptor.saying("second").beginInterceptingEverySession()
                second.end()
                try await Interceptor.saying("operation").interceptEverySession {
                    let texts = await Task.detached {
                        async let child = URLSession.shared.text(server.url("/"))
                        return [try? await child, await URLSession.shared.text(server.url("/")) { thread.run($0) }]
                    }.value
                    #expect(texts == ["recorded", "recorded"])
                }
                begun.end()
                #expect(server.requests.isEmpty)
            }
        }

        @Test func `a request to a known host without a matching entry fails`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                let interceptor = KnownHostTests.playing("recorded", of: server)
                try await interceptor.interceptEverySession {
                    let result = await Task.detached { await errorCode(of: server.url("/missing")) }.value
                    #expect(result == .noMatchingEntry)
                }
                #expect(server.requests.isEmpty)
                #expect(interceptor.report.missCount == 1)
            }
        }

        @Test func `a request to a host that several interceptors handle fails with an error that names them`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                let (first, second) = (
                    KnownHostTests.playing("1", of: server, name: "first.har"),
                    KnownHostTests.playing("2", of: server, name: "second.har")
                )
                try await first.interceptEverySession {
                    try await second.interceptEverySession {
                        let inside = try await URLSession.shared.text(server.url("/"))
                        #expect(inside == "2")
                        let error = await Task.detached {
                            await #expect(throws: RelayError.self) { try await URLSession.shared.text(server.url("/")) }
                        }.value
                        let message = try #require(error).description
                        #expect(error?.code == .ambiguousInterceptor)
                        for part in [
                            "'first.har' and 'second.har'", "install(in:)", "session()", "interceptEverySession",
                        ] {
                            #expect(message.contains(part), "\(part)")
                        }
                    }
                }
                #expect(server.requests.isEmpty)
            }
        }

        @Test func `the network policy of an operation takes precedence over other interceptors for the host`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                try await KnownHostTests.playing("recorded", of: server).interceptEverySession {
                    try await Task.detached {
                        let url = server.url("/")
                        try await NetworkPolicy.forbid.apply {
                            #expect(await errorCode(of: url) == .networkForbidden)
                            let thread = try await Place.detachedTask.text(
                                url, from: .shared, oldThread: WaitingThread())
                            #expect(thread == "recorded")
                        }
                        #expect(server.requests.isEmpty)
                        let allowed = try await NetworkPolicy.allow.apply { try await URLSession.shared.text(url) }
                        #expect(allowed == "live")
                    }.value
                }
            }
        }

        @Test func `requests to unknown hosts use the network`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                let interceptor = Interceptor(entries: [
                    .entry("GET", "http://127.0.0.1:\(server.port ^ 1)/", text: "no")
                ])
                interceptor.add(.stub("api.example.com/**", .text("stub")), .override(.any, .status(500)))
                try await interceptor.interceptEverySession {
                    try await Interceptor.saying("catches all").interceptEverySession {
                        let live = try await Task.detached { try await URLSession.shared.text(server.url("/")) }.value
                        #expect(live == "live")
                    }
                }
            }
        }

        @Test func `a rule adds a known host, and can pass requests through`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                let host = "127.0.0.1:\(server.port)"
                let interceptor = Interceptor.with(
                    .stub(.url("\(host)/stub"), .text("stub")), .passThrough(.url("\(host)/live")))
                try await interceptor.interceptEverySession {
                    let results = await Task.detached {
                        let session = URLSession.shared
                        return [
                            try? await session.text(server.url("/stub")), try? await session.text(server.url("/live")),
                            try? await session.text(server.url("/none")),
                        ]
                    }.value
                    #expect(results == ["stub", "live", nil])
                }
                #expect(server.requests.map(\.target) == ["/live"])
            }
        }

        @Test func `a host that is recorded in a scope is also recorded outside it`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                let folder = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                let archive = folder.appendingPathComponent("shop.har")
                let interceptor = try Interceptor(recordingTo: archive)
                try await interceptor.interceptEverySession {
                    _ = try await URLSession.shared.text(server.url("/1"))
                    _ = try await Task.detached { try await URLSession.shared.text(server.url("/2")) }.value
                }
                _ = await interceptor.finishRecording()
                let urls = try HAR.Log(contentsOf: archive).entries.map(\.request.url)
                #expect(urls == [server.url("/1"), server.url("/2")])
            }
        }

        @Test(arguments: ["ws", "wss", "ftp"])
        func `requests with other schemes cannot bypass a scope`(scheme: String) async throws {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            let error = try await Interceptor.with(.passThrough(.any)).interceptEverySession {
                await #expect(throws: (any Error).self) {
                    try await URLSession.shared.text("\(scheme)://127.0.0.1:\(server.port)/")
                }
            }
            #expect(server.requests.isEmpty)
            if scheme.hasPrefix("ws") {
                #expect((error as? RelayError)?.code == .unsupportedTask)
                #expect("\(try #require(error))".contains("WebSocket"))
            } else {
                #expect((error as? URLError)?.code == .unsupportedURL)
            }
        }

        @Test func `a WebSocket task in a scope does not reach a server`() async throws {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            try await Interceptor.with(.passThrough(.any)).interceptEverySession {
                let task = URLSession.shared.webSocketTask(with: URL("ws://127.0.0.1:\(server.port)/"))
                task.resume()
                await #expect(throws: (any Error).self) { try await task.receive() }
            }
            #expect(server.requests.isEmpty)
        }
    }

    /// Requests a URL and returns the error code, or nil if the request succeeds or fails with another error.
    func errorCode(of url: String) async -> RelayError.Code? {
        do {
            _ = try await URLSession.shared.text(url)
            return nil
        } catch {
            return (error as? RelayError)?.code
        }
    }
#endif
