#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer
    import Testing

    @Suite(.limited) struct ResponseTests {
        private func get(_ path: String, _ fields: String = "", from server: RelayServer) async throws -> String {
            try await RawClient.exchange("GET \(path) HTTP/1.1\r\nHost: shop.example\r\n\(fields)\r\n", with: server)
        }

        @Test(arguments: [204, 205, 304])
        func `the response to a miss has no body if its status excludes one`(status: Int) async throws {
            var configuration = RelayServer.Configuration()
            configuration.missStatus = status
            try await Interceptor.shop().serve(configuration: configuration) { server in
                let text = try await get("/none", from: server)
                #expect(text.hasPrefix("HTTP/1.1 \(status) ") && text.contains("x-relay-miss"))
                #expect(text.hasSuffix("\r\n\r\n"))
            }
        }

        @Test func `a response has the recorded status, fields and body`() async throws {
            let entry = HAR.Entry.entry(
                status: 203,
                headers: [
                    ("X-A", "1"), ("x-a", "2"), ("Content-Encoding", "gzip"), ("Content-Length", "999"),
                    ("Transfer-Encoding", "chunked"), ("Connection", "close"), ("Alt-Svc", "h3=\":443\""),
                    ("X-Split", "a\r\nEvil: b"),
                ], text: "häuser")
            try await Interceptor(entries: [entry]).serve { server in
                let text = try await get("/", from: server)
                #expect(
                    text == """
                        HTTP/1.1 203 S\r\nX-A: 1\r\nx-a: 2\r\nX-Split: a\r\nX-Split: Evil: b\r\n\
                        Content-Length: 7\r\n\r\nhäuser
                        """)
            }
        }

        @Test func `a body that cannot be decoded is sent with its content coding`() async throws {
            let headers = [("Content-Encoding", "gzip"), ("Content-Length", "99")]
            var entry = HAR.Entry.entry(headers: headers, text: "H4sIAAAAAAAAA0tMTOQC")
            entry.response.content.encoding = "base64"
            try await Interceptor(entries: [entry]).serve { server in
                let text = try await get("/", from: server)
                #expect(text.hasPrefix("HTTP/1.1 200 S\r\nContent-Encoding: gzip\r\nContent-Length: 15\r\n\r\n"))
            }
        }

        @Test(arguments: [200, 451, 599, 600, 700, 998, 999])
        func `every final status is served`(status: Int) async throws {
            let headers = [("X-A", "1")]
            try await Interceptor(entries: [.entry(status: status, headers: headers, text: "a")]).serve { server in
                let text = try await get("/", from: server)
                #expect(text == "HTTP/1.1 \(status) S\r\nX-A: 1\r\nContent-Length: 1\r\n\r\na")
            }
        }

        @Test func `a HEAD request gets the recorded length without a body`() async throws {
            let entry = HAR.Entry.entry("HEAD", headers: [("Content-Length", "42")], text: nil)
            try await Interceptor(entries: [entry]).serve { server in
                let text = try await RawClient.exchange("HEAD / HTTP/1.1\r\nHost: shop.example\r\n\r\n", with: server)
                #expect(text == "HTTP/1.1 200 S\r\nContent-Length: 42\r\n\r\n")
            }
        }

        @Test func `a HEAD request gets the head of the response to GET`() async throws {
            let entry = HAR.Entry.entry(
                headers: [("Content-Encoding", "gzip"), ("Content-Length", "999"), ("X-A", "1")], text: "body")
            try await Interceptor(entries: [entry]).serve { server in
                for _ in 0..<2 {
                    let head = try await RawClient.exchange(
                        "HEAD / HTTP/1.1\r\nHost: shop.example\r\n\r\n", with: server)
                    #expect(head == "HTTP/1.1 200 S\r\nX-A: 1\r\nContent-Length: 4\r\n\r\n")
                    #expect(try await get("/", from: server) == head + "body")
                }
                let miss = try await RawClient.exchange(
                    "HEAD /none HTTP/1.1\r\nHost: shop.example\r\n\r\n", with: server)
                #expect(miss.hasPrefix("HTTP/1.1 404 "))
            }
        }

        @Test(arguments: [204, 205, 304], [false, true])
        func `a response without a body does not end the connection`(status: Int, isSlow: Bool) async throws {
            // The second entry is not sent at once, because it is large.
            let text = String(repeating: "invalid", count: isSlow ? 20_000 : 1)
            let interceptor = Interceptor(entries: [.entry(status: status, text: text, receive: 1)])
            if isSlow { interceptor.add(.override(.any, .recordedTimings(scaledBy: 1))) }
            try await interceptor.serve { server in
                // Without the condition, the engine changes 304 to 200.
                let request = "GET / HTTP/1.1\r\nHost: shop.example\r\nIf-None-Match: \"a\"\r\n\r\n"
                let text = try await RawClient.exchange(request + request, with: server)
                #expect(RawClient.statuses(in: text) == [status, status])
                #expect(!text.contains("invalid"))
            }
        }

        @Test func `entries are used in order`() async throws {
            let interceptor = Interceptor(entries: [.entry(text: "1"), .entry(text: "2")])
            try await interceptor.serve { server in
                let request = "GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n"
                let text = try await RawClient.exchange(request + request, with: server)
                #expect(text.matches(of: /\r\n\r\n(\d)/).map { String($0.output.1) } == ["1", "2"])
            }
        }

        @Test func `a conditional request gets 304 if the validator matches`() async throws {
            let entry = HAR.Entry.entry(headers: [("ETag", "\"a\"")], text: "body")
            try await Interceptor(entries: [entry]).serve { server in
                try await #expect(RawClient.statuses(in: get("/", "If-None-Match: \"a\"\r\n", from: server)) == [304])
                try await #expect(RawClient.statuses(in: get("/", "If-None-Match: \"b\"\r\n", from: server)) == [200])
            }
        }

        @Test func `a miss has the configured status and names the nearest entry without secrets`() async throws {
            let events = Events()
            var configuration = RelayServer.Configuration()
            configuration.missStatus = 999
            configuration.log = { events.note($0) }
            try await Interceptor.shop().serve(configuration: configuration) { server in
                let text = try await get(
                    "/itms?token=s3cr3tvalue42", "Authorization: Bearer s3cr3tvalue42\r\n", from: server)
                #expect(RawClient.statuses(in: text) == [999])
                #expect(text.contains("x-relay-miss: no-matching-entry\r\n"))
                #expect(text.contains("POST https://shop.example/items"))
                #expect(!text.contains("s3cr3tvalue42"))
            }
            #expect(events.all.count == 1)
            #expect(!events.all.joined().contains("s3cr3tvalue42"))
        }

        @Test func `a request for the network is refused`() async throws {
            let interceptor = Interceptor()
            interceptor.add(.passThrough("http://a/**"))
            try await interceptor.serve { server in
                let text = try await RawClient.exchange("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", with: server)
                #expect(RawClient.statuses(in: text) == [502])
                #expect(text.contains("x-relay-error: network\r\n"))
            }
        }

        @Test func `stubs, closures and overrides produce responses`() async throws {
            let interceptor = Interceptor.shop()
            interceptor.add(
                .stub("https://shop.example/echo") { .data($0.body ?? Data()) },
                .override("https://shop.example/", .delay(.milliseconds(1))))
            try await interceptor.serve { server in
                let echo = "POST /echo HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 3\r\n\r\nabc"
                try await #expect(RawClient.exchange(echo, with: server).hasSuffix("\r\n\r\nabc"))
                try await #expect(get("/", from: server).hasSuffix("\r\n\r\nhome"))
            }
        }

        @Test(arguments: [("net::ERR_CONNECTION_RESET", "<reset>"), ("net::ERR_EMPTY_RESPONSE", "")])
        func `a recorded failure closes or resets the connection`(error: String, received: String) async throws {
            let interceptor = Interceptor(entries: [.failed("https://shop.example/", error)])
            try await interceptor.serve { server in
                let request = "GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n"
                try await #expect(RawClient.exchange(request, with: server, finishing: false) == received)
            }
        }

        @Test func `a recorded time-out sends nothing until the client gives up`() async throws {
            let interceptor = Interceptor(entries: [.failed("https://shop.example/", "net::ERR_TIMED_OUT")])
            try await interceptor.serve { server in
                let curl = try await Curl("--max-time", "0.5", "-H", "Host: shop.example", server.url.absoluteString)
                #expect(curl.status == 28)
            }
        }

        @Test func `a truncated response ends early with its recorded length`() async throws {
            let url = "https://shop.example/"
            let interceptor = Interceptor(
                entries: [.failed(url, "net::ERR_CONNECTION_RESET", received: "abc", length: 10)])
            try await interceptor.serve { server in
                let curl = try await Curl("-i", "-H", "Host: shop.example", server.url.absoluteString)
                #expect(curl.status == 18)
                #expect(curl.output.contains("Content-Length: 10\r\n"))
                #expect(curl.output.contains("\r\n\r\nabc"))
            }
        }

        @Test func `large bodies arrive completely, also at a limited rate`() async throws {
            let body = String(repeating: "0123456789", count: 300_000)
            let interceptor = Interceptor(entries: [.entry(text: body)])
            try await interceptor.serve { server in
                try await #expect(get("/", from: server).hasSuffix("\r\n\r\n" + body))
            }
            interceptor.add(.override(.any, .bandwidth(bytesPerSecond: 30_000_000)))
            try await interceptor.serve { server in
                let text = try await get("/", from: server)
                #expect(text.contains("Transfer-Encoding: chunked") || text.contains("Content-Length: 3000000"))
                #expect(text.hasSuffix(body))
            }
        }

        @Test func `a client that resets the connection ends its exchange`() async throws {
            let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
            let interceptor = Interceptor()
            interceptor.add(
                .stub("**") { _ in
                    continuation.yield()
                    return Reply.status(200).delayed(by: .seconds(3600))
                })
            let exchanges = interceptor.exchanges
            try await interceptor.serve { server in
                let client = try await RawClient(server)
                await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                for await _ in arrivals { break }
                await client.reset()
                for await exchange in exchanges {
                    #expect(throws: URLError.self) { try exchange.result.get() }
                    break
                }
            }
        }

        @Test func `stopping the interceptor ends delayed responses`() async throws {
            let interceptor = Interceptor(entries: [.entry()])
            interceptor.add(.override(.any, .delay(.seconds(3600))))
            let events = Events()
            var configuration = RelayServer.Configuration()
            configuration.log = { events.note($0) }
            try await interceptor.serve(configuration: configuration) { server in
                let client = try await RawClient(server)
                await client.send(
                    "GET / HTTP/1.1\r\nHost: shop.example\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
                interceptor.stop()
                try await #expect(RawClient.statuses(in: client.text).last == 503)
            }
        }
    }
#endif
