#if Server
    import RelayCore
    import RelayServer
    import Testing

    /// The edge cases of RFC 9112, https://www.rfc-editor.org/rfc/rfc9112.
    @Suite(.limited) struct RequestSyntaxTests {
        struct Case: CustomTestStringConvertible {
            let name: String
            let request: String
            let statuses: [Int]

            init(_ name: String, _ request: String, _ statuses: Int...) {
                self.name = name
                self.request = request
                self.statuses = statuses
            }

            var testDescription: String { name }
        }

        private static let get = "GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n"
        private static let post = "POST /items HTTP/1.1\r\nHost: shop.example\r\n"
        private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"

        private static func get(_ fields: String, version: String = "1.1") -> String {
            "GET / HTTP/\(version)\r\n\(fields)\r\n"
        }

        static let accepted = [
            Case("a request", get, 200),
            Case("pipelined requests", get + get + get, 200, 200, 200),
            Case("empty lines before a request", "\r\n\r\n" + get, 200),
            Case("Content-Length", post + "Content-Length: 2\r\n\r\nab" + get, 201, 200),
            Case("a chunked body", chunked + "1\r\na\r\n1\r\nb\r\n0\r\n\r\n" + get, 201, 200),
            Case("chunk extensions", chunked + "1;x=y\r\na\r\n1;z\r\nb\r\n0;end\r\n\r\n" + get, 201, 200),
            Case("trailers", chunked + "2\r\nab\r\n0\r\nHost: evil.example\r\n\r\n" + get, 201, 200),
            Case("Expect", post + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\nab", 201),
            Case("a space after a length", post + "Content-Length: 2 \r\n\r\nab" + get, 201, 200),
            Case("a space after an expectation", post + "Content-Length: 2\r\nExpect: 100-continue \r\n\r\nab", 201),
            Case("HTTP/1.0 without Host", get("", version: "1.0"), 200),
            Case("HTTP/1.0 without keep-alive", get("Host: shop.example\r\n", version: "1.0") + get, 200),
            Case("HTTP/1.0 with keep-alive", get("Connection: keep-alive\r\n", version: "1.0") + get, 200, 200),
            Case("Connection: close", get("Host: shop.example\r\nConnection: close\r\n") + get, 200),
            Case("an empty Host", get("Host:\r\n"), 200),
            Case("an absolute target", "GET http://other.example/ HTTP/1.1\r\nHost: shop.example\r\n\r\n", 200),
            Case("an asterisk", "OPTIONS * HTTP/1.1\r\nHost: shop.example\r\n\r\n", 200),
            Case("an ignored Upgrade", get("Host: shop.example\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"), 200),
            Case("a request for another host", get("Host: unknown.example\r\n"), 404),
        ]

        static let rejected = [
            Case("obsolete folding", get("Host: shop.example\r\nX: a\r\n b\r\n") + get, 400),
            Case("equal Content-Length fields", post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\nab" + get, 400),
            Case("a list of lengths", post + "Content-Length: 2, 2\r\n\r\nab" + get, 400),
            Case("a negative length", post + "Content-Length: -2\r\n\r\nab" + get, 400),
            Case("a length with a sign", post + "Content-Length: +2\r\n\r\nab" + get, 400),
            Case("a length that overflows", post + "Content-Length: 99999999999999999999\r\n\r\nab" + get, 400),
            Case("a length above the limit", post + "Content-Length: 99999999999\r\n\r\nab" + get, 413),
            Case("both lengths", post + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get, 400),
            Case(
                "both, reversed", post + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n" + get, 400),
            Case("gzip, chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + get, 501),
            Case("gzip alone", post + "Transfer-Encoding: gzip\r\n\r\nab" + get, 501),
            Case("xchunked", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + get, 501),
            Case("a repeated coding", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            Case("a coding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get, 400),
            Case("a chunk size with a prefix", chunked + "0x1\r\na\r\n0\r\n\r\n" + get, 400),
            Case("a chunk size that overflows", chunked + "fffffffffffffffff\r\na\r\n0\r\n\r\n" + get, 400),
            Case("a chunk that is too long", chunked + "1\r\nab\r\n0\r\n\r\n" + get, 400),
            Case("a chunk header ending in LF", chunked + "2\nab\r\n0\r\n\r\n" + get, 400),
            Case("a bare CR in a value", get("Host: shop.example\r\nX: a\rb\r\n") + get, 400),
            Case("a NUL in a value", get("Host: shop.example\r\nX: a\0b\r\n") + get, 400),
            Case("lines ending in LF", "GET / HTTP/1.1\nHost: shop.example\n\n", 505),
            Case("a space before the colon", get("Host : shop.example\r\n") + get, 400),
            Case("an empty field name", get("Host: shop.example\r\n: a\r\n") + get, 400),
            Case("no Host", get("") + get, 400),
            Case("two Host fields", get("Host: shop.example\r\nHost: shop.example\r\n") + get, 400),
            Case("an invalid Host", get("Host: a/b@c\r\n") + get, 400),
            Case("an absolute target with another scheme", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n" + get, 400),
            Case("a target without a slash", "GET items HTTP/1.1\r\nHost: a\r\n\r\n" + get, 400),
            Case("an asterisk with GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n" + get, 400),
            Case("HTTP/2.0", get("Host: shop.example\r\n", version: "2.0") + get, 505),
            Case("an unknown method", "FOO / HTTP/1.1\r\nHost: shop.example\r\n\r\n" + get, 501),
            Case("binary data", "\u{1}\u{2}\r\n\r\n" + get, 501),
            Case("another expectation", post + "Content-Length: 2\r\nExpect: x\r\n\r\nab" + get, 417),
            Case("an error after a valid request", get + "FOO\r\n\r\n" + get, 200, 501),
            Case("the end within a head", "GET / HTTP/1.1\r\nHost: shop", 400),
            Case("the end within a body", post + "Content-Length: 9\r\n\r\nab", 400),
            Case("the end within a chunk", chunked + "9\r\nab", 400),
            Case("a long target", "GET /\(String(repeating: "a", count: 200_000)) HTTP/1.1\r\n" + get, 431),
            Case("a long field", get("X: \(String(repeating: "a", count: 200_000))\r\n") + get, 431),
            Case("many fields", get(String(repeating: "X: a\r\n", count: 5_000)) + get, 431),
            Case("a long chunk extension", chunked + "1;\(String(repeating: "a", count: 200_000))\r\na\r\n" + get, 431),
        ]

        @Test(arguments: accepted)
        func `a valid request gets its response`(test: Case) async throws {
            try await Interceptor.shop().serve { server in
                let text = try await RawClient.exchange(test.request, with: server)
                #expect(RawClient.statuses(in: text).filter { $0 != 100 } == test.statuses)
                #expect(!text.contains("<reset>"))
            }
        }

        @Test(arguments: rejected)
        func `an invalid request gets an error and the connection ends`(test: Case) async throws {
            let events = Events()
            var configuration = RelayServer.Configuration()
            configuration.log = { events.note($0) }
            try await Interceptor.shop().serve(configuration: configuration) { server in
                let text = try await RawClient.exchange(test.request, with: server)
                #expect(RawClient.statuses(in: text) == test.statuses)
                #expect(text.contains("Connection: close\r\n"))
                #expect(!text.contains("<reset>"))
                #expect(events.all.contains { $0.hasPrefix("\(test.statuses.last ?? 0): ") })
                // The next connection is not affected.
                try await #expect(RawClient.statuses(in: RawClient.exchange(Self.get, with: server)) == [200])
            }
        }

        @Test(arguments: [1, 2, 3, 7, 16])
        func `the result does not depend on the parts in which a request arrives`(size: Int) async throws {
            try await Interceptor.shop().serve { server in
                let client = try await RawClient(server)
                let text = Self.chunked + "1\r\na\r\n1\r\nb\r\n0\r\n\r\n" + Self.get
                var rest = text.utf8[...]
                while !rest.isEmpty {
                    await client.send(String(Substring(rest.prefix(size))))
                    rest = rest.dropFirst(size)
                }
                await client.finish()
                try await #expect(RawClient.statuses(in: client.text) == [201, 200])
            }
        }

        @Test func `thousands of pipelined requests get their responses in order`() async throws {
            let interceptor = Interceptor()
            interceptor.add(.stub("http://a/*") { .text($0.url) })
            try await interceptor.serve { server in
                let text = (0..<3000).map { "GET http://a/\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
                let received = try await RawClient.exchange(text, with: server)
                let numbers = received.matches(of: /http:\/\/a\/(\d+)/).compactMap { Int($0.output.1) }
                #expect(numbers == Array(0..<3000))
            }
        }
    }
#endif
