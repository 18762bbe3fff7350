import Foundation
import Innernet
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ProcessWideTests {
    @Suite(.limited) struct ConsoleTests {
        private let slate = CleanSlate()
        private let session = URLSession.intercepted

        /// A console that intercepts two requests.
        private func makeConsole() throws -> LoopbackServer {
            try LoopbackServer { request in
                switch request.target {
                case "/intercept":
                    return LoopbackServer.ok(
                        #"[{"id": "7", "method": "GET", "matchURL": "apple.com/items/*", "delay": 0},"#
                            + #" {"id": "a b", "method": "PURGE", "matchURL": "apple.com/all", "delay": 0.5}]"#)
                case "/intercept/7/response":
                    return LoopbackServer.ok("from the console", headers: "X-Console: yes\r\n")
                case "/intercept/a%20b/response": return "HTTP/1.1 204 No Content\r\n\r\n"
                default: return LoopbackServer.ok("{}")
                }
            }
        }

        @Test func `requests wait for the console's intercepts, and the console answers them`() async throws {
            let console = try makeConsole()
            Innernet.enableExternalConsole(port: Int(console.port))
            let answer = try await session.answer(request("https://apple.com/items/1"))
            #expect(answer.text == "from the console")
            #expect(answer.head.value(forHTTPHeaderField: "X-Console") == "yes")
            #expect(try await session.answer(request("https://apple.com/all", method: "PURGE")).head.statusCode == 204)
            #expect(await session.error("https://apple.com/other") is InnernetsError)
            #expect(console.requests.first?.head.hasPrefix("GET /intercept ") == true)
        }

        @Test func `a console intercepts nothing after it is disabled or all intercepts are unregistered`() async throws
        {
            let console = try makeConsole()
            for end in [Innernet.disableExternalConsole, Innernet.unregisterAll] {
                Innernet.enableExternalConsole(port: Int(console.port))
                #expect(try await session.text("https://apple.com/items/1") == "from the console")
                end()
                #expect(await session.error("https://apple.com/items/1") is InnernetsError)
            }
        }

        @Test func `the console receives a report of each request that is sent to the network`() async throws {
            let console = try makeConsole()
            let server = try LoopbackServer { _ in LoopbackServer.ok("live", headers: "X-Live: yes\r\n") }
            Innernet.allowsPassthroughRequests = true
            Innernet.enableExternalConsole(port: Int(console.port))
            _ = try await session.text("https://apple.com/items/1")
            var sent = request(server.url("/a"), method: "POST", body: "hello")
            sent.setValue("b", forHTTPHeaderField: "X-A")
            #expect(try await session.answer(sent).text == "live")
            try await wait { console.requests.contains { $0.target == "/request" } }
            let report = try #require(console.requests.last { $0.target == "/request" })
            let fields = try #require(try JSONSerialization.jsonObject(with: report.body) as? [String: Any])
            #expect(fields["statusCode"] as? Int == 200)
            #expect(fields["method"] as? String == "POST")
            #expect(fields["url"] as? String == server.url("/a"))
            #expect((fields["reqHeaders"] as? [String: String])?["X-A"] == "b")
            #expect((fields["resHeaders"] as? [String: String])?["X-Live"] == "yes")
            #expect(fields["reqBody"] as? String == Data("hello".utf8).base64EncodedString())
            #expect(fields["resBody"] as? String == Data("live".utf8).base64EncodedString())
            #expect(fields["wasIntercepted"] as? Bool == false)
            #expect(console.requests.count { $0.target == "/request" } == 1)
        }

        @Test func `requests continue if the console is unavailable, and the log contains the reason`() async throws {
            let console = try LoopbackServer { _ in "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n" }
            let (lines, log) = AsyncStream<String>.makeStream()
            Innernet.enableLogging { log.yield($0) }
            Innernet.enableExternalConsole(port: Int(console.port))
            Innernet.intercept(.get, matching: "apple.com/own") { _ in .mock(status: 200, data: nil, headers: nil) }
            #expect(await session.error("https://apple.com/own") == nil)
            #expect(await session.error("https://apple.com/other") is InnernetsError)
            for await line in lines where line.contains("console") { break }
            log.finish()
        }
    }
}
