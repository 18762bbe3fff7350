import Foundation
import Innernet
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ProcessWideTests {
    /// Tests of requests without an intercept, and of handlers that exceed the time limit.
    @Suite(.limited) struct LimitTests {
        private let slate = CleanSlate()
        private let session = URLSession.intercepted

        @Test func `a request without an intercept is blocked`() async throws {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            let error = try #require(await session.error(server.url("/")))
            #expect(error as? InnernetsError == .blockedPassthrough)
            #expect((error as NSError).domain == "InnernetsError")
            #expect((error as NSError).code == 1337)
            #expect(error.localizedDescription.contains("Request was blocked"))
            #expect("\(String(reflecting: error))".contains("Request was blocked"))
            #expect(server.requests.isEmpty)
        }

        @Test func `a request without an intercept can be passed through`() async throws {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            Innernet.allowsPassthroughRequests = true
            Innernet.intercept(.get, matching: "apple.com/foo") { _ in .mock(status: 200, data: nil, headers: nil) }
            #expect(try await session.text(server.url("/a")) == "live")
            #expect(try await session.answer(request("https://apple.com/foo")).head.statusCode == 200)
            Innernet.allowsPassthroughRequests = false
            #expect(await session.error(server.url("/a")) is InnernetsError)
            #expect(server.requests.count == 1)
        }

        @Test func `a handler that exceeds the time limit is canceled, and later responses are ignored`() async throws {
            let (answers, late) = AsyncStream<@Sendable () -> Void>.makeStream()
            Innernet.timeoutThreshold = 0.05
            Innernet.intercept(.get, matching: "apple.com/late") { _, completion in
                late.yield { completion(.mock(status: 200, data: Data("late".utf8), headers: nil)) }
            }
            let error = try #require(await session.error("https://apple.com/late"))
            #expect(error as? InnernetsError == .interceptTimeout)
            #expect((error as NSError).code == 1338)
            #expect(error.localizedDescription.contains("Request forced to timeout"))
            for await answer in answers {
                answer()
                break
            }
            Innernet.timeoutThreshold = .infinity
            Innernet.intercept(.get, matching: "apple.com/late") { _, completion in
                completion(.mock(status: 200, data: Data("first".utf8), headers: nil))
                completion(.mock(status: 200, data: Data("second".utf8), headers: nil))
            }
            #expect(try await session.text("https://apple.com/late") == "first")
        }

        @Test(arguments: [0, -1, .nan])
        func `a time limit that is not positive fails requests immediately`(threshold: Double) async {
            Innernet.timeoutThreshold = threshold
            Innernet.intercept(.get, matching: "apple.com/never") { _, _ in }
            #expect(await session.error("https://apple.com/never") as? InnernetsError == .interceptTimeout)
        }

        @Test func `an infinite time limit is valid`() async throws {
            Innernet.timeoutThreshold = .infinity
            Innernet.intercept(.get, matching: "apple.com/now") { _ in .mock(status: 200, data: nil, headers: nil) }
            #expect(await session.error("https://apple.com/now") == nil)
        }

        @Test func `requests can be rerouted`() async throws {
            let server = try LoopbackServer { _ in LoopbackServer.ok("local") }
            try Innernet.reroute("yourserver.com/foo", to: "http://127.0.0.1:\(server.port)/foo")
            let answer = try await session.answer(request("https://yourserver.com/foo/items?page=2"))
            #expect(answer.text == "local")
            #expect(answer.head.url?.absoluteString == "https://yourserver.com/foo/items?page=2")
            #expect(server.requests.first?.head.hasPrefix("GET /foo/items?page=2 ") == true)
            #expect(throws: (any Error).self) { try Innernet.reroute("", to: "") }
        }

        @Test func `requests are logged while logging is enabled`() async throws {
            let (lines, log) = AsyncStream<String>.makeStream()
            Innernet.intercept(.get, matching: "apple.com/**") { _ in .mock(status: 200, data: nil, headers: nil) }
            Innernet.enableLogging { log.yield($0) }
            _ = try await session.text("https://apple.com/logged?token=secret")
            for await line in lines {
                #expect(line.hasPrefix("GET https://apple.com/logged"))
                #expect(!line.contains("secret"))
                break
            }
            Innernet.disableLogging()
            _ = try await session.text("https://apple.com/silent")
            log.finish()
            for await line in lines { Issue.record("\(line)") }
        }
    }
}
