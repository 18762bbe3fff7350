#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore
    import RelayServer
    import Testing

    @Suite(.limited) struct WebSocketServingTests {
        private static let entry = HAR.Entry.socket(
            ["<hello", ">ping", "<pong"],
            headers: [
                ("Upgrade", "websocket"), ("X-Recorded", "1"), ("Sec-WebSocket-Accept", "old"),
                ("Sec-WebSocket-Protocol", "chat"), ("Sec-WebSocket-Extensions", "permessage-deflate"),
            ])

        /// Returns a request that opens a connection, with the key of RFC 6455, section 1.3.
        private static func request(_ fields: String = "", path: String = "/socket", host: String = "127.0.0.1")
            -> String
        {
            """
            GET \(path) HTTP/1.1\r
            Host: \(host)\r
            Connection: keep-alive, Upgrade\r
            Upgrade: websocket\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            \(fields)\r

            """
        }

        private static func frame(_ text: String) -> [UInt8] { WebSocketFrameTests.masked(0x81, Array(text.utf8)) }

        private static let end = WebSocketFrameTests.masked(0x88, [0x03, 0xE8])

        @Test func `a recorded connection is replayed`() async throws {
            try await Interceptor(entries: [Self.entry]).serve { server in
                let client = try await RawClient(server, sending: Self.request("Sec-WebSocket-Protocol: a, chat\r\n"))
                await client.send(Self.frame("ping") + Self.end)
                let text = try await client.text
                #expect(
                    text.hasPrefix(
                        """
                        HTTP/1.1 101 Switching Protocols\r
                        X-Recorded: 1\r
                        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
                        Sec-WebSocket-Protocol: chat\r
                        Connection: Upgrade\r
                        Upgrade: websocket\r
                        \r

                        """))
                let messages = try #require(text.split(separator: "\r\n\r\n").last)
                #expect(messages.contains("hello") && messages.contains("pong"))
                // The server responds to the close frame with the same code.
                #expect(messages.hasSuffix("\u{3}\u{FFFD}"))
            }
        }

        @Test func `a connection that was recorded with an http URL is replayed, and so is another request`()
            async throws
        {
            var entry = Self.entry
            entry.request.url = "https://chat.example/socket"
            let plain = HAR.Entry.entry("GET", "https://chat.example/socket", text: "plain")
            try await Interceptor(entries: [plain, entry]).serve { server in
                let client = try await RawClient(server, sending: Self.request(host: "chat.example"))
                await client.send(Self.end)
                #expect(try await client.text.contains("hello"))
                let request = "GET /socket HTTP/1.1\r\nHost: chat.example\r\nConnection: close\r\n\r\n"
                #expect(try await RawClient.exchange(request, with: server).hasSuffix("plain"))
            }
        }

        @Test func `a message that is not recorded closes the connection and is reported`() async throws {
            let interceptor = Interceptor(entries: [Self.entry])
            let exchanges = interceptor.exchanges
            try await interceptor.serve { server in
                let client = try await RawClient(server, sending: Self.request())
                await client.send(Self.frame("ping!"))
                await client.send(Self.end)
                let text = try await client.text
                #expect(text.contains("Message 1 differs from the recorded one: byte 4."))
            }
            let exchange = try #require(await exchanges.first { _ in true })
            let error = #expect(throws: RelayError.self) { try exchange.result.get() }
            #expect(error?.code == .noMatchingEntry)
            #expect(exchange.request.url == "wss://chat.example/socket")
            // The page of `har view` shows the messages.
            let messages = exchange.customFields["_webSocketMessages"]?.array ?? []
            #expect(messages.compactMap { $0["data"]?.text }.prefix(2) == ["hello", "ping!"])
        }

        @Test(arguments: [
            ("Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 8", "426"),
            ("dGhlIHNhbXBsZSBub25jZQ==", "YQ==", "400"),
            ("/socket", "/other", "404"),
        ])
        func `a request that cannot open the connection gets a status`(
            part: String, replacement: String, status: String
        ) async throws {
            try await Interceptor(entries: [Self.entry]).serve { server in
                let request = Self.request("Connection: close\r\n").replacing(part, with: replacement)
                let text = try await RawClient.exchange(request, with: server)
                #expect(text.hasPrefix("HTTP/1.1 \(status) "))
            }
        }

        @Test(arguments: [
            ("https://evil.example", "403"), ("null", "403"), ("http://chat.example.evil.example", "403"),
            ("http://localhost:3000", "101"), ("http://127.0.0.1", "101"), ("https://chat.example", "101"),
            ("https://app.example", "101"),
        ])
        func `pages of other origins cannot read a recorded connection`(origin: String, status: String) async throws {
            var entry = Self.entry
            entry.request.headers = [HAR.Header(name: "Origin", value: "https://app.example")]
            let rules = [WebSocketRule("chat.example/**")]
            for (rules, expected) in [([], status), (rules, "101")] {
                var configuration = RelayServer.Configuration()
                configuration.webSockets.rules = rules
                try await Interceptor(entries: [entry]).serve(configuration: configuration) { server in
                    let request = Self.request("Origin: \(origin)\r\nConnection: close\r\n")
                    let client = try await RawClient(server, sending: request)
                    await client.send(Self.end)
                    #expect(try await client.text.hasPrefix("HTTP/1.1 \(expected) "))
                }
            }
        }

        @Test func `small messages wait for a large one before them`() async throws {
            let large = "[" + String(repeating: "1,", count: 20_000) + "1]"
            let entry = HAR.Entry.socket([">" + large, "<first", ">2", "<second", ">" + large, "<third"])
            let frame = [0x81, 0xFF] as [UInt8] + withUnsafeBytes(of: UInt64(large.utf8.count).bigEndian, Array.init)
            let bytes = frame + [0, 0, 0, 0] + Array(large.utf8)
            try await Interceptor(entries: [entry]).serve { server in
                let client = try await RawClient(server, sending: Self.request())
                await client.send(bytes + Self.frame("2") + bytes + Self.end)
                let messages = try #require(try await client.text.split(separator: "\r\n\r\n").last)
                #expect(
                    messages.components(separatedBy: "\u{FFFD}").suffix(5)
                        == ["\u{5}first", "\u{6}second", "\u{5}third", "\u{2}\u{3}", ""])
            }
        }

        @Test func `a recorded refusal is replayed`() async throws {
            let entry = HAR.Entry.entry("GET", "wss://chat.example/socket", status: 403, text: "no")
            try await Interceptor(entries: [entry]).serve { server in
                let text = try await RawClient.exchange(Self.request("Connection: close\r\n"), with: server)
                #expect(text.hasPrefix("HTTP/1.1 403 ") && text.hasSuffix("no"))
            }
        }

        @Test func `stubs and overrides apply to the request`() async throws {
            let interceptor = Interceptor(entries: [Self.entry])
            interceptor.add(.stub("wss://chat.example/socket", .status(503)))
            try await interceptor.serve { server in
                let text = try await RawClient.exchange(Self.request("Connection: close\r\n"), with: server)
                #expect(text.hasPrefix("HTTP/1.1 503 "))
            }
        }

        @Test func `a rule responds without an archive`() async throws {
            let file = URL(fileURLWithPath: "/rules.yaml")
            let rules = """
                rules:
                  - request: { url: other.example/rpc, headers: { Origin: "*" } }
                    webSocket:
                      policy: free
                      subprotocol: rpc
                      greeting: { text: welcome }
                      messages:
                        - when: { jsonAt: { /method: add } }
                          send:
                            - json: { id: "{{id}}", result: 3 }
                            - base64: AQI=
                        - when: { contains: bye }
                          send: { close: { code: 4001, reason: so long } }
                        - send: []
                """
            var configuration = RelayServer.Configuration()
            configuration.mappedOrigin = "https://other.example"
            configuration.webSockets.rules = try RuleFile(Data(rules.utf8), of: file).webSocketRules
            try await Interceptor(entries: []).serve(configuration: configuration) { server in
                let fields = "Origin: x\r\nSec-WebSocket-Protocol: rpc\r\n"
                for host in ["127.0.0.1", "other.example"] {
                    let request = Self.request(fields, path: "/rpc", host: host)
                    let client = try await RawClient(server, sending: request)
                    await client.send(
                        Self.frame("ignored") + Self.frame(#"{"method":"add","id":8}"#) + Self.frame("bye"))
                    await client.send(Self.end)
                    let text = try await client.text
                    for part in ["Protocol: rpc\r\n", "welcome", #"{"id":8,"result":3}"#, "so long"] {
                        #expect(text.contains(part))
                    }
                }
            }
        }
    }
#endif
