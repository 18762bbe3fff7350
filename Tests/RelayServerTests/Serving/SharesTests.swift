#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import NIOPosix
    import RelayCore
    import Testing

    @testable import RelayServer

    /// Clients that use as much of the server as they can.
    @Suite(.limited) struct SharesTests {
        private static let request = "GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n"

        /// A connection without a channel.
        private final class IdleConnection: ServedConnection {
            let isReplaceable = true
            let lastProgress = NIODeadline.now()
            private(set) var isClosed = false

            func close(because _: String?) { isClosed = true }

            func drain() {}

            func checkTime(_: NIODeadline) {}
        }

        private func interceptor() -> Interceptor {
            let large = String(repeating: "a", count: 200_000)
            let interceptor = Interceptor(entries: [
                .entry(text: "home"), .entry("GET", "http://a/", text: "small"),
                .entry("GET", "http://a/large", text: large), .failed("http://a/stalled", "net::ERR_TIMED_OUT"),
            ])
            interceptor.add(.stub("http://a/delayed", Reply.text("late").delayed(by: .seconds(3600))))
            return interceptor
        }

        /// Returns whether the server responds to another client.
        private func responds(_ server: RelayServer) async throws -> Bool {
            let text = try await RawClient.exchange(Self.request, with: server)
            return text.hasSuffix("home")
        }

        @Test(arguments: ["/", "/large", "/stalled", "/delayed"], [1, 7, 30])
        func `connections that do not read do not take all requests`(path: String, count: Int) async throws {
            var configuration = RelayServer.Configuration()
            configuration.limits.requestsInFlight = 20
            try await interceptor().serve(configuration: configuration) { server in
                var clients: [RawClient] = []
                for _ in 0..<count {
                    let heads = HTTP2Frames.streams(10).map { HTTP2Frames.head($0, path: path) }
                    let text = HTTP2Frames.preface + HTTP2Frames.closedWindow + heads.joined()
                    clients.append(try await RawClient(server, sending: text))
                }
                // Requests whose entries are still being read are not replaced.
                while try await !responds(server) {}
                for _ in 0..<3 { #expect(try await responds(server)) }
                for client in clients { await client.close() }
            }
        }

        @Test func `connections with too many incomplete requests are closed`() async throws {
            let events = Events()
            var configuration = RelayServer.Configuration()
            configuration.log = { events.note($0) }
            configuration.limits.requestsInFlight = 4
            try await interceptor().serve(configuration: configuration) { server in
                var clients: [RawClient] = []
                for _ in 0..<15 {
                    let heads = HTTP2Frames.streams(2).map { HTTP2Frames.head($0, path: "/", isComplete: false) }
                    clients.append(try await RawClient(server, sending: HTTP2Frames.preface + heads.joined()))
                }
                while !events.all.contains("closed: all clients together have more than 20 streams") {
                    #expect(try await responds(server))
                }
                for _ in 0..<3 { #expect(try await responds(server)) }
                for client in clients { await client.close() }
            }
        }

        @Test(arguments: [false, true])
        func `connections whose clients have left make room first`(hasLeft: Bool) async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let turns = try await WorkTurns(on: loop) { _ in 0 }
            let interceptor = interceptor()
            let origins = try Origins(of: interceptor, mapping: nil, hosts: [])
            var configuration = RelayServer.Configuration()
            configuration.limits.connections = 2
            let server = ServerState(
                interceptor, on: loop, turns: turns, origins: origins, authority: nil, upstream: nil,
                configuration: configuration)
            let areClosed = try await loop.submit {
                let connections = (0..<3).map { _ in IdleConnection() }
                for connection in connections[..<2] { server.add(connection) }
                // Then, the ends of connections wait.
                while turns.hasTime(forInputSince: nil) {}
                turns.endSoon {}
                if hasLeft { turns.endSoon { server.remove(connections[1]) } }
                server.add(connections[2])
                defer { for connection in connections { server.remove(connection) } }
                return connections.map(\.isClosed)
            }.get()
            #expect(areClosed == [!hasLeft, false, false])
            try await loop.submit { turns.close() }.get()
            interceptor.stop()
        }

        @Test(arguments: ["/large", "/stalled", "/delayed"])
        func `connections that do not read are replaced`(path: String) async throws {
            var configuration = RelayServer.Configuration()
            configuration.limits.connections = 10
            try await interceptor().serve(configuration: configuration) { server in
                var clients: [RawClient] = []
                for _ in 0..<30 {
                    // Several responses fill the buffers of the system.
                    let text = String(repeating: "GET http://a\(path) HTTP/1.1\r\nHost: a\r\n\r\n", count: 100)
                    clients.append(try await RawClient(server, sending: text, readsAutomatically: false))
                }
                // The server notices later that a client does not read.
                while try await !responds(server) {}
                for client in clients { await client.close() }
            }
        }

        @Test(arguments: ["--http1.1", "--http2-prior-knowledge"])
        func `the largest body gets 503 if the total size is exceeded`(version: String) async throws {
            var configuration = RelayServer.Configuration()
            configuration.limits.totalBodySize = 8000
            let interceptor = Interceptor()
            interceptor.add(.stub("**") { .text("\($0.body?.count ?? 0) bytes") })
            try await interceptor.serve(configuration: configuration) { server in
                func post(_ count: Int) async throws -> String {
                    let body = String(repeating: "a", count: count)
                    return try await Curl(
                        version, "-w", " %{http_code}", "--data-binary", body, server.url.absoluteString + "/"
                    ).output
                }
                // A single body is always allowed.
                #expect(try await post(50_000) == "50000 bytes 200")
                let head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7000\r\n\r\n"
                let large = try await RawClient(server, sending: head + String(repeating: "a", count: 6500))
                // Until the body arrives, the total size is not exceeded.
                while try await post(1000) == "1000 bytes 200", try await post(2000) == "2000 bytes 200",
                    try await !large.isClosed
                {}
                #expect(try await RawClient.statuses(in: large.text) == [503])
                #expect(try await post(5000) == "5000 bytes 200")
            }
        }

        @Test func `small bodies are accepted while large ones use most of the total size`() async throws {
            var configuration = RelayServer.Configuration()
            configuration.limits.totalBodySize = 8000
            let interceptor = Interceptor()
            let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
            interceptor.add(
                .stub("**") { request in
                    guard request.body?.count ?? 0 > 1000 else { return .text("small") }
                    continuation.yield()
                    return Reply.text("late").delayed(by: .seconds(3600))
                })
            try await interceptor.serve(configuration: configuration) { server in
                func request(_ count: Int) -> String {
                    let body = String(repeating: "a", count: count)
                    return "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(count)\r\n\r\n\(body)"
                }
                let waiting = try await RawClient(server, sending: request(6900))
                for await _ in arrivals { break }
                for _ in 0..<5 {
                    let text = try await RawClient.exchange(request(500), with: server)
                    #expect(text.hasSuffix("small"))
                }
                let text = try await RawClient.exchange(request(2000), with: server)
                #expect(RawClient.statuses(in: text) == [503])
                await waiting.close()
            }
        }

        /// Seconds, the number of bytes received then, and whether the body arrives in time.
        private static let bodies: [([(Int, Int)], Bool)] = [
            ([(0, 500), (1, 500), (2, 500), (15, 6000), (30, 8000), (45, 8000)], true),
            ([(19, 1), (20, 20_000), (39, 1), (40, 20_000), (59, 1)], true),
            ([(10, 0), (19, 0)], true),
            ([(21, 1)], false),
            ([(0, 1_000_000), (10, 1), (19, 1), (21, 1)], false),
            ((0..<100).map { ($0, 1) }, false),
            ((0..<1000).map { ($0, 499) }, true),
            ((0..<11_000).map { ($0, 499) }, false),
            ((0..<11_000).map { ($0, 500) }, true),
        ]

        @Test(arguments: bodies.indices)
        func `a body must arrive at the minimum rate`(number: Int) {
            let (parts, isAccepted) = Self.bodies[number]
            let start = NIODeadline.uptimeNanoseconds(7)
            var deadline = BodyDeadline(.seconds(20), rate: 500, at: start)
            var isLate = false
            for (second, count) in parts where !isLate {
                let now = start + .seconds(Int64(second))
                isLate = deadline.isOver(at: now)
                deadline.receive(count, at: now)
            }
            #expect(isLate == !isAccepted)
        }

        @Test(arguments: [0, -5, .max])
        func `every minimum rate is valid`(rate: Int) {
            var deadline = BodyDeadline(.seconds(20), rate: rate, at: .uptimeNanoseconds(7))
            deadline.receive(.max, at: .uptimeNanoseconds(8))
            #expect(!deadline.isOver(at: .uptimeNanoseconds(9)))
        }
    }
#endif
