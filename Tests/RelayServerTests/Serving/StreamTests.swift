#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import Synchronization
    import Testing

    @testable import RelayCore
    @testable import RelayServer

    /// Event streams that a server replays with their recorded pace, and records.
    @Suite(.limited) struct StreamTests {
        private static let stream = [("Content-Type", "text/event-stream")]
        private static let text = "data: 1\n\ndata: two\n\ndata: 3\n\n"

        private func entry(_ chunks: [(time: Double, size: Int)], text: String = text) -> HAR.Entry {
            var entry = HAR.Entry.entry("GET", "http://a/", headers: Self.stream, text: text)
            entry["_chunks"] = .array(
                chunks.map { time, size in
                    ["time": JSONNumber(time).map { .number($0) } ?? .null, "size": .number(JSONNumber(size))]
                })
            return entry
        }

        private func interceptor(_ entry: HAR.Entry) -> Interceptor {
            let interceptor = Interceptor(entries: [entry])
            interceptor.add(.override(.any, .recordedTimings()))
            return interceptor
        }

        @Test func `a stream with recorded timings is complete over HTTP/1 and HTTP/2`() async throws {
            try await interceptor(entry([(1, 9), (2, 11), (3, 9)])).serve { server in
                let request = "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"
                let text = try await RawClient.exchange(request, with: server)
                #expect(text.hasSuffix("\r\n\r\n" + Self.text))
                let curl = try await Curl(
                    "--http2-prior-knowledge", "http://a/", "--connect-to", "::127.0.0.1:\(server.url.port ?? 0)")
                #expect(curl.output == Self.text)
            }
        }

        @Test func `without recorded timings, the stream is sent at once`() async throws {
            try await Interceptor(entries: [entry([(1, 9), (2, 11), (3_600_000, 9)])]).serve { server in
                let text = try await RawClient.exchange("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", with: server)
                #expect(text.contains(Self.text))
            }
        }

        @Test func `delays count from the start of the body`() throws {
            var reply = Reply(.success(InterceptedResponse(url: "http://a/", body: Data(count: 30))))
            reply.pace.recordedChunks = [0, 3_600_000, 3_600_000].map { BodyChunk(time: $0, size: 10) }
            var transfer = BodyTransfer(of: reply, hasBody: true)
            guard case .send(let first) = transfer.next(isWritable: true),
                case .wait(let wait) = transfer.next(isWritable: true)
            else {
                Issue.record("expected a chunk and a delay")
                return
            }
            #expect(first.readableBytes == 10)
            #expect(wait > .seconds(1800) && wait <= .seconds(3600))
        }

        @Test(arguments: [false, true])
        func `a client that leaves stops the delivery`(isVersion2: Bool) async throws {
            // A server of HTTP/1 notices only when it writes that the client has left.
            let count = 20_000
            let chunks = (0..<count).map { (time: Double($0) * 10, size: 9) }
            let stream = String(repeating: "data: x\n\n", count: count)
            let interceptor = interceptor(entry(chunks, text: stream))
            try await interceptor.serve { server in
                let exchanges = interceptor.exchanges
                let request =
                    isVersion2
                    ? HTTP2Frames.preface + HTTP2Frames.head(1, path: "/")
                    : "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"
                let client = try await RawClient(server, sending: request)
                while !interceptor.isAnythingRunning {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                await client.close()
                let exchange = try #require(await exchanges.first { _ in true })
                #expect(throws: URLError(.cancelled)) { try exchange.result.get() }
                #expect(exchange.bodySize > 0 && exchange.bodySize < stream.utf8.count)
                #expect(!interceptor.isAnythingRunning)
            }
        }

        @Test func `the times of the chunks of a stream are recorded`() async throws {
            let recording = Interceptor(recordingInMemory: "recording")
            try await interceptor(entry([(1, 9), (2, 11), (3, 9)])).serve { site in
                try await recording.serve { proxy in
                    let curl = try await Curl("-x", proxy.url.absoluteString, site.url.absoluteString)
                    #expect(curl.output == Self.text)
                }
            }
            let entry = try #require(await recording.recordedEntries.first)
            let chunks = entry.bodyChunks
            #expect(1...3 ~= chunks.count && chunks.reduce(0) { $0 + $1.size } == 29)
            #expect(chunks.map(\.time) == chunks.map(\.time).sorted() && chunks[0].time > 0)
        }
    }

    extension Interceptor {
        /// Whether any request is waiting for a delay.
        fileprivate var isAnythingRunning: Bool { running.withLock { !$0.isEmpty } }
    }
#endif
