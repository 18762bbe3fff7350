#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer
    import Testing

    /// A server that sends requests to the network, which is another server.
    @Suite(.limited) struct ForwardingTests {
        private static let page = String(repeating: "<p>Größe</p>", count: 100)

        private static let entries: [HAR.Entry] = [
            .entry("GET", "https://shop.example/items?b=2&a=%C3%BC", text: "items"),
            .entry("POST", "https://shop.example/orders", status: 201, text: "ordered", sent: "item=1"),
            .entry(
                "GET", "https://shop.example/page",
                headers: [("Content-Type", "text/html"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")], text: page),
            .entry("GET", "https://shop.example/old", status: 301, headers: [("Location", "/items")]),
            .entry("GET", "https://shop.example/none", status: 204),
            .failed("https://shop.example/lost", "net::ERR_CONNECTION_RESET"),
            .failed("https://shop.example/part", "net::ERR_FAILED", received: "part", length: 100),
        ]

        /// Runs an operation with a site, and a server that records the requests to it in memory.
        private func record(
            with configuration: RelayServer.Configuration = .init(), rules: [Rule] = [],
            _ operation: (_ site: String, _ proxy: String) async throws -> Void
        ) async throws -> [HAR.Entry] {
            let recording = Interceptor(recordingInMemory: "recording")
            recording.add(rules)
            try await Interceptor(entries: Self.entries).serve { site in
                try await recording.serve(configuration: configuration) { proxy in
                    try await operation(site.url.absoluteString, proxy.url.absoluteString)
                }
            }
            return await recording.recordedEntries
        }

        @Test func `requests are sent to the network, and recorded as they were sent and received`() async throws {
            let entries = try await record { site, proxy in
                let items = try await Curl(
                    "-i", "-x", proxy, "-H", "X-B: 1", "-H", "x-a: 2", site + "/items?b=2&a=%C3%BC")
                #expect(items.output.hasPrefix("HTTP/1.1 200 S\r\n") && items.output.hasSuffix("\r\n\r\nitems"))
                let order = try await Curl(
                    "-i", "-x", proxy, "-d", "item=1", "-H", "Content-Type: text/plain", site + "/orders")
                #expect(order.output.hasPrefix("HTTP/1.1 201 S\r\n") && order.output.hasSuffix("ordered"))
                let page = try await Curl(
                    "--http2-prior-knowledge", "-i", site + "/page", "--connect-to", "::\(proxy.dropFirst(7))")
                #expect(page.output.hasPrefix("HTTP/2 200") && page.output.hasSuffix(Self.page))
                let head = try await Curl("-I", "-x", proxy, site + "/page")
                #expect(head.output.contains("Content-Length: \(Self.page.utf8.count)\r\n"))
                #expect(try await Curl("-i", "-x", proxy, site + "/none").output.hasPrefix("HTTP/1.1 204 S\r\n"))
                #expect(try await Curl("-i", "-x", proxy, site + "/old").output.contains("\r\nLocation: /items\r\n"))
            }
            try #require(entries.map(\.response.status) == [200, 201, 200, 200, 204, 301])
            #expect(entries[0].request.url.hasSuffix("/items?b=2&a=%C3%BC"))
            #expect(entries[0].request.headers.suffix(2).map { "\($0.name): \($0.value)" } == ["X-B: 1", "x-a: 2"])
            #expect(entries[1].request.postData?.text == "item=1" && entries[1].request.bodySize == 6)
            #expect(entries[2].response.headers.filter { $0.name == "Set-Cookie" }.count == 2)
            #expect(entries[2].response.content.text == Self.page)
            #expect(entries[3].request.method == "HEAD" && entries[3].response.bodySize == 0)
            #expect(entries.allSatisfy { $0.serverIPAddress == "127.0.0.1" && $0.response.httpVersion == "HTTP/1.1" })
            // The later requests use the connection of the first one.
            #expect(entries[0].timings.connect != nil && entries.dropFirst().allSatisfy { $0.timings.connect == nil })
            #expect(Set(entries.map(\.connection)).count == 1)
        }

        @Test func `a route sends requests to its target and records them there`() async throws {
            let recording = Interceptor(recordingInMemory: "recording")
            try await Interceptor(entries: Self.entries).serve { site in
                recording.add(try .reroute("http://routed.example/v2", to: site.url.absoluteString))
                recording.add(try .reroute("lost.example", to: "http://127.0.0.1:1"))
                try await recording.serve { proxy in
                    let proxy = proxy.url.absoluteString
                    let items = try await Curl("-x", proxy, "http://routed.example/v2/items?b=2&a=%C3%BC")
                    #expect(items.output == "items")
                    let order = try await Curl(
                        "-x", proxy, "-d", "item=1", "-H", "Content-Type: text/plain",
                        "http://routed.example/v2/orders")
                    #expect(order.output == "ordered")
                    let lost = try await Curl("-x", proxy, "http://lost.example/")
                    #expect(lost.output.contains("'127.0.0.1' cannot be reached"))
                }
                let entries = await recording.recordedEntries
                let urls = ["/items?b=2&a=%C3%BC", "/orders"].map { site.url.absoluteString + $0 }
                #expect(entries.map(\.request.url) == urls + ["http://127.0.0.1:1/"])
            }
        }

        /// The origin of the latest URL is remembered.
        @Test func `requests that alternate between servers reach each of them`() async throws {
            func entry(_ text: String) -> HAR.Entry { .entry("GET", "https://shop.example/a/b", text: text) }
            try await Interceptor(entries: [entry("first")]).serve { first in
                try await Interceptor(entries: [entry("second")]).serve { second in
                    try await Interceptor(recordingInMemory: "recording").serve { proxy in
                        for isSecond in [false, true, true, false] {
                            let url = (isSecond ? second : first).url.absoluteString + "/a/b"
                            let output = try await Curl("-x", proxy.url.absoluteString, url).output
                            #expect(output == (isSecond ? "second" : "first"))
                        }
                    }
                }
            }
        }

        @Test func `a request without a response gets status 502, and its failure is recorded`() async throws {
            let entries = try await record { site, proxy in
                for host in ["127.0.0.1", "127.1", "0", "localhost", "[::ffff:127.0.0.1]"] {
                    let url = proxy.replacing("127.0.0.1", with: host)
                    let loop = try await Curl("-i", "-x", proxy, url)
                    #expect(loop.output.hasPrefix("HTTP/1.1 502 ") && loop.output.contains("the address of this proxy"))
                }
                let lost = try await Curl("-i", "-x", proxy, site + "/lost")
                #expect(lost.output.hasPrefix("HTTP/1.1 502 ") && lost.output.contains("x-relay-error: upstream"))
                let refused = try await Curl("-i", "-x", proxy, "http://127.0.0.1:1/")
                #expect(refused.output.contains("cannot be reached: Connection refused"))
                let part = try await Curl("-i", "-x", proxy, site + "/part")
                #expect(part.status == 18 && part.output.contains("part"))
            }
            #expect(
                entries.map { $0.response["_error"]?.text } == Array(repeating: "net::ERR_TOO_MANY_REDIRECTS", count: 5)
                    + [
                        "net::ERR_CONNECTION_RESET", "net::ERR_CONNECTION_REFUSED", "net::ERR_CONNECTION_RESET",
                    ])
            #expect(entries.last?.response.content.text == "part")
        }

        @Test func `overrides change responses from the network, and the recording has the original`() async throws {
            let rules: [Rule] = [.override(.any, .text("changed")), .override(.any, .status(418))]
            let entries = try await record(rules: rules) { site, proxy in
                let curl = try await Curl("-i", "-x", proxy, site + "/page")
                #expect(curl.output.hasPrefix("HTTP/1.1 418 ") && curl.output.hasSuffix("\r\n\r\nchanged"))
            }
            #expect(entries.map(\.response.content.text) == [Self.page] && entries.first?.response.status == 200)
        }

        @Test(arguments: ["+6", "06", "6"])
        func `the length of a body is sent in the usual form`(length: String) async throws {
            let recording = Interceptor(recordingInMemory: "recording")
            try await Interceptor(entries: Self.entries).serve { site in
                var configuration = RelayServer.Configuration()
                configuration.mappedOrigin = site.url.absoluteString
                try await recording.serve(configuration: configuration) { server in
                    let exchanges = recording.exchanges
                    let head = HTTP2Frames.head(
                        1, method: "POST", path: "/orders", authority: "127.0.0.1", length: length, isComplete: false)
                    let text = HTTP2Frames.preface + head + HTTP2Frames.data(1, "item=1", isLast: true)
                    let client = try await RawClient(server, sending: text)
                    for await exchange in exchanges {
                        #expect((try? exchange.result.get()) == 201)
                        break
                    }
                    await client.close()
                }
            }
            let headers = await recording.recordedEntries.first?.request.headers ?? []
            #expect(headers.filter { $0.name.lowercased() == "content-length" }.map(\.value) == ["6"])
        }

        @Test func `a response that is too large for an override is an error`() async throws {
            let site = Interceptor()
            site.add(.stub("**") { _ in .text(Self.page) })
            let recording = Interceptor(name: "recording")
            recording.add(.passThrough("**"), .override(.any, .status(418)))
            var configuration = RelayServer.Configuration()
            configuration.forwarding = .init()
            configuration.limits.bodySize = 1000
            try await site.serve { site in
                try await recording.serve(configuration: configuration) { proxy in
                    let curl = try await Curl("-i", "-x", proxy.url.absoluteString, site.url.absoluteString)
                    #expect(curl.output.hasPrefix("HTTP/1.1 502 ") && curl.output.contains("larger than 1000 bytes"))
                }
            }
        }

        @Test func `the address can stand for another server`() async throws {
            let recording = Interceptor(recordingInMemory: "recording")
            try await Interceptor(entries: Self.entries).serve { site in
                var configuration = RelayServer.Configuration()
                configuration.mappedOrigin = site.url.absoluteString
                try await recording.serve(configuration: configuration) { server in
                    let curl = try await Curl(server.url.absoluteString + "/items?b=2&a=%C3%BC")
                    #expect(curl.output == "items")
                }
                let url = await recording.recordedEntries.first?.request.url
                #expect(url == site.url.absoluteString + "/items?b=2&a=%C3%BC")
            }
        }

        @Test func `the certificate of a server is verified, unless its host is insecure`() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            var settings = RelayServer.Configuration()
            settings.authority = try .stored(in: folder)
            let authority = try #require(settings.authority?.url)
            var trusting = RelayServer.Forwarding()
            trusting.authorities = [authority]
            var insecure = RelayServer.Forwarding()
            insecure.insecureHosts = ["localhost"]
            try await Interceptor(entries: Self.entries).serve(configuration: settings) { site in
                let url = "https://localhost:\(site.url.port ?? 0)/items?b=2&a=%C3%BC"
                for (forwarding, status) in [(RelayServer.Forwarding(), 502), (trusting, 200), (insecure, 200)] {
                    var configuration = settings
                    configuration.forwarding = forwarding
                    let recording = Interceptor(recordingInMemory: "recording")
                    try await recording.serve(configuration: configuration) { proxy in
                        let curl = try await Curl(
                            "-i", "-x", proxy.url.absoluteString, "--cacert", authority.path, "--http1.1", url)
                        #expect(curl.output.contains("HTTP/1.1 \(status) "), "\(curl.output)")
                        #expect(curl.output.contains("--insecure") == (status == 502))
                    }
                    let entry = try #require(await recording.recordedEntries.first)
                    #expect((entry.response["_error"] == nil) == (status == 200))
                    #expect((entry.timings.ssl ?? 0) > 0 || status == 502)
                }
            }
        }

        @Test func `without a recording, requests are sent only if the settings allow it`() async throws {
            try await Interceptor(entries: Self.entries).serve { site in
                let url = site.url.absoluteString + "/items?b=2&a=%C3%BC"
                for (forwarding, status) in [(nil, 502), (RelayServer.Forwarding(), 200)] {
                    let interceptor = Interceptor()
                    interceptor.add(.passThrough("**"))
                    var configuration = RelayServer.Configuration()
                    configuration.forwarding = forwarding
                    try await interceptor.serve(configuration: configuration) { proxy in
                        let curl = try await Curl("-i", "-x", proxy.url.absoluteString, url)
                        #expect(curl.output.hasPrefix("HTTP/1.1 \(status) "))
                    }
                }
            }
        }

        @Test(arguments: ["0.0.0.0", "::"])
        func `a server that sends requests does not listen on other addresses`(host: String) async throws {
            var configuration = RelayServer.Configuration()
            configuration.host = host
            let error = await #expect(throws: RelayError.self) {
                try await Interceptor(recordingInMemory: "a").serve(configuration: configuration) { _ in }
            }
            #expect(error?.code == .invalidSetting)
        }

        @Test func `stopping the interceptor ends requests that wait for the network`() async throws {
            let (started, continuation) = AsyncStream.makeStream(of: Void.self)
            let site = Interceptor()
            site.add(
                .stub("**") { _ in
                    continuation.finish()
                    try await Task.sleep(for: .seconds(3600))
                    return .text("late")
                })
            let recording = Interceptor(recordingInMemory: "recording")
            try await site.serve { site in
                try await recording.serve { proxy in
                    async let curl = Curl("-i", "-x", proxy.url.absoluteString, site.url.absoluteString)
                    for await _ in started {}
                    recording.stop()
                    let output = try await curl.output
                    #expect(output.hasPrefix("HTTP/1.1 503 "))
                }
            }
        }
    }
#endif
