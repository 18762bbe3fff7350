#if Server
    import Dispatch
    import Foundation
    import HTTPArchive
    import NIOPosix
    import RelayServer
    import Synchronization
    import Testing

    @testable import RelayCore

    /// Rules that take long, which must not delay other clients.
    @Suite(.limited) struct SlowRuleTests {
        private static let letters = String(repeating: "a", count: 220)

        /// The fields of a request that opens a WebSocket connection.
        private static let upgrade = """
            Connection: Upgrade\r
            Upgrade: websocket\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r

            """

        private static func get(_ target: String, _ fields: String = "", host: String = "shop.example") -> String {
            "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n"
        }

        private static let origin = "Origin: http://page.example/\(letters)\r\n"

        private enum Kind { case response, webSocket, otherMethod }

        private static let cases: [String: (text: String, expression: String, kind: Kind, result: String)] = [
            "exponential time": (get("/\(letters.prefix(40))"), "(a+)+b", .response, "needs too much time"),
            "quadratic time": (get("/\(letters)"), "a*a*b", .response, "no-matching-entry"),
            "a rule that matches": (get("/\(letters)/c"), "a*a*b|c$", .response, "HTTP/1.1 299 "),
            "a long path": (get("/\(letters)\(letters)\(letters)"), "b$", .response, "no-matching-entry"),
            "an unknown host": (get("/\(letters)", host: "a.example"), "a*a*b", .response, "unknown-host"),
            "another unknown host": (get("/\(letters)", host: "a.example"), "a*a*b", .webSocket, "unknown-host"),
            "a possible host": (get("/a\(letters)", host: "a.example"), "(a+)+b", .response, "needs too much time"),
            "a rule for another method": (get("/\(letters)"), "a*a*b", .otherMethod, "no-matching-entry"),
            "a WebSocket connection": (get("/\(letters)", upgrade), "a*a*b", .webSocket, "no-matching-entry"),
            "the origin of a page": (get("/socket", upgrade + origin), "a*a*b", .response, "HTTP/1.1 403 "),
        ]

        @Test(arguments: cases.keys.sorted())
        func `a regular expression that takes long does not delay other clients`(name: String) async throws {
            let (text, expression, kind, result) = try #require(Self.cases[name])
            let socket = HAR.Entry.socket([], url: "wss://shop.example/socket")
            let interceptor = Interceptor(entries: [.entry(text: "home"), socket])
            let pattern = try RequestPattern.matching(regularExpression: expression)
            var configuration = RelayServer.Configuration()
            switch kind {
            case .response: interceptor.add(.stub(pattern, .status(299)))
            case .webSocket: configuration.webSockets.rules = [WebSocketRule(pattern, policy: .free)]
            case .otherMethod: interceptor.add(.stub(.method("PUT").and(pattern), .status(299)))
            }
            let busy = DispatchSemaphore(value: 0)
            try await interceptor.serve(configuration: configuration) { server in
                // The first search takes longer.
                _ = try await RawClient.exchange(Self.get("/"), with: server)
                interceptor.enqueue(.medium) { busy.wait() }
                let client = try await RawClient(server, sending: text)
                await client.finish()
                for _ in 0..<2 {
                    let text = try await RawClient.exchange(Self.get("/"), with: server)
                    #expect(RawClient.statuses(in: text) == [200])
                }
                try await #expect(!client.isClosed)
                busy.signal()
                #expect(try await client.text.contains(result))
            }
        }

        @Test func `rules for WebSocket connections are not evaluated on the event loop`() async throws {
            let isOnLoop = Mutex<Bool?>(nil)
            let pattern = RequestPattern.where { _ in
                isOnLoop.withLock { $0 = MultiThreadedEventLoopGroup.currentEventLoop != nil }
                return false
            }
            var configuration = RelayServer.Configuration()
            configuration.webSockets.rules = [WebSocketRule(pattern)]
            try await Interceptor(entries: [.entry(text: "home")]).serve(configuration: configuration) { server in
                let text = try await RawClient.exchange(Self.get("/none", Self.upgrade), with: server)
                #expect(RawClient.statuses(in: text) == [404])
                #expect(isOnLoop.withLock { $0 } == false)
            }
        }
    }
#endif
