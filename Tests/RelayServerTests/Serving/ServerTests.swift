#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer
    import Testing

    @Suite(.limited) struct ServerTests {
        @Test func `curl gets a response`() async throws {
            try await Interceptor.shop().serve { server in
                let curl = try await Curl("-i", server.url.absoluteString + "/")
                #expect(curl.status == 0)
                #expect(curl.output.hasSuffix("home"))
            }
        }

        @Test func `curl waits for permission to send a large body`() async throws {
            let interceptor = Interceptor()
            interceptor.add(.stub("**") { .text("\($0.body?.count ?? 0) bytes") })
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try Data(repeating: 0, count: 3_000_000).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            try await interceptor.serve { server in
                let curl = try await Curl(
                    "-i", "--data-binary", "@\(file.path)", "-x", server.url.absoluteString, "http://a/")
                #expect(curl.output.hasPrefix("HTTP/1.1 100 Continue\r\n"))
                #expect(curl.output.hasSuffix("3000000 bytes"))
            }
        }

        @Test func `a body above the limit gets an early response`() async throws {
            var configuration = RelayServer.Configuration()
            configuration.limits.bodySize = 1000
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try Data(repeating: 0, count: 500_000).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            try await Interceptor.shop().serve(configuration: configuration) { server in
                for coding in ["Content-Type: a", "Transfer-Encoding: chunked"] {
                    let curl = try await Curl(
                        "-i", "-H", coding, "-H", "Expect:", "--data-binary", "@\(file.path)", server.url.absoluteString
                    )
                    #expect(curl.output.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
                }
            }
        }

        @Test func `idle connections do not lock out other clients`() async throws {
            var configuration = RelayServer.Configuration()
            configuration.limits.connections = 4
            try await Interceptor.shop().serve(configuration: configuration) { server in
                var stalled: [RawClient] = []
                for number in 0..<40 {
                    let client = try await RawClient(server)
                    if number % 2 == 0 { await client.send("GET / HTTP/1.1\r\nHost:") }
                    stalled.append(client)
                }
                let text = try await RawClient.exchange("GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n", with: server)
                #expect(RawClient.statuses(in: text) == [200])
                for client in stalled { await client.close() }
            }
        }

        @Test(arguments: ["GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na"])
        func `slow heads and slow bodies are rejected`(text: String) async throws {
            var configuration = RelayServer.Configuration()
            configuration.limits.requestTime = .milliseconds(1)
            configuration.limits.idleTime = .seconds(3600)
            try await Interceptor.shop().serve(configuration: configuration) { server in
                let received = try await RawClient.exchange(text, with: server, finishing: false)
                #expect(RawClient.statuses(in: received) == [408])
            }
        }

        @Test func `idle connections are closed`() async throws {
            var configuration = RelayServer.Configuration()
            configuration.limits.idleTime = .milliseconds(1)
            try await Interceptor.shop().serve(configuration: configuration) { server in
                try await #expect(RawClient.exchange("", with: server, finishing: false).isEmpty)
            }
        }

        @Test func `a client that does not read a response is closed`() async throws {
            let events = Events()
            let interceptor = Interceptor(entries: [.entry(text: String(repeating: "a", count: 20_000_000))])
            var configuration = RelayServer.Configuration()
            configuration.log = { events.note($0) }
            configuration.limits.idleTime = .milliseconds(100)
            var hasArrived = false
            // If the request does not arrive within the idle time, the connection is closed before.
            while !hasArrived {
                configuration.limits.idleTime *= 2
                let exchanges = interceptor.exchanges
                try await interceptor.serve(configuration: configuration) { server in
                    let request = "GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n"
                    let client = try await RawClient(server, sending: request, readsAutomatically: false)
                    hasArrived = await withTaskGroup { group in
                        group.addTask { await exchanges.first { _ in true } != nil }
                        group.addTask { (try? await client.text) == nil }
                        let first = await group.next()
                        group.cancelAll()
                        await client.close()
                        return first == true
                    }
                }
            }
            #expect(events.all.contains("closed: the client does not read the response"))
        }

        @Test func `requests above the limit get 503`() async throws {
            var configuration = RelayServer.Configuration()
            configuration.limits.requestsInFlight = 1
            let interceptor = Interceptor.shop()
            interceptor.add(
                .stub("https://shop.example/") { _ in
                    try await Task.sleep(for: .seconds(3600))
                    return .text("late")
                })
            try await interceptor.serve(configuration: configuration) { server in
                let waiting = try await RawClient(server)
                await waiting.send("GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n")
                var statuses: [Int] = []
                // The first request may arrive after the second one.
                while statuses != [503] {
                    let request = "GET http://other.example/ HTTP/1.1\r\nHost: a\r\n\r\n"
                    statuses = RawClient.statuses(in: try await RawClient.exchange(request, with: server))
                    #expect([[200], [503]].contains(statuses))
                }
                await waiting.close()
            }
        }

        @Test func `stopping waits for responses and closes idle connections`() async throws {
            let interceptor = Interceptor.shop()
            let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
            interceptor.add(
                .stub("http://a/") { _ in
                    continuation.yield()
                    return Reply.text("late").delayed(by: .milliseconds(100))
                })
            let server = try await RelayServer.start(interceptor)
            let idle = try await RawClient(server)
            let client = try await RawClient(server)
            await client.send("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n")
            for await _ in arrivals { break }
            await server.stop()
            try await #expect(client.text.hasSuffix("\r\n\r\nlate"))
            try await #expect(idle.text.isEmpty)
            await #expect(throws: (any Error).self) { try await RawClient(server) }
        }

        @Test func `a used port is an error`() async throws {
            try await Interceptor.shop().serve { server in
                var configuration = RelayServer.Configuration()
                configuration.port = server.url.port ?? 0
                await #expect { try await RelayServer.start(.shop(), configuration: configuration) } throws: {
                    ($0 as? RelayError)?.code == .invalidSetting && "\($0)".contains("Address already in use")
                }
            }
        }

        @Test func `many servers run at the same time`() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        try await Interceptor(entries: [.entry(text: "\(number)")]).serve { server in
                            let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            let text = try await RawClient.exchange(request, with: server)
                            #expect(text.hasSuffix("\r\n\r\n\(number)"))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
#endif
