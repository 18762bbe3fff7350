#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer
    import Testing

    @Suite(.limited) struct LargeBodyTests {
        private static let line = String(repeating: "0123456789", count: 30)

        /// A body that is too large to be read with its entry.
        private static let text = String(repeating: line, count: 10_000)

        /// Runs an operation with a server for an archive with a body in the archive, and the same body in a file.
        private func serve(
            rules: [Rule] = [], _ operation: (RelayServer, Interceptor) async throws -> Void
        ) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("large-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Data(Self.text.utf8).write(to: folder.appendingPathComponent("body.txt"))
            var attached = HAR.Entry.entry("GET", "http://shop.example/file", text: nil)
            attached.response.content["_file"] = "body.txt"
            let archive = folder.appendingPathComponent("a.har")
            let writer = try HARWriter(to: archive)
            try writer.append(.entry("GET", "http://shop.example/entry", text: Self.text, receive: 20))
            try writer.append(attached)
            try writer.finish()
            let interceptor = Interceptor(playing: [try HARArchive(contentsOf: archive)])
            interceptor.add(rules)
            try await interceptor.serve { try await operation($0, interceptor) }
        }

        private func body(_ path: String, from server: RelayServer, method: String = "GET") async throws -> Substring {
            let text = try await RawClient.exchange(
                "\(method) \(path) HTTP/1.1\r\nHost: shop.example\r\n\r\n", with: server)
            #expect(text.contains("Content-Length: \(Self.text.count)\r\n"))
            return text[(text.range(of: "\r\n\r\n")?.upperBound ?? text.endIndex)...]
        }

        @Test(arguments: ["/entry", "/file"]) func `a large body is complete`(path: String) async throws {
            try await serve { server, _ in
                // The second response is cached, if the body is in the archive.
                for _ in 1...2 { try await #expect(body(path, from: server) == Self.text) }
            }
        }

        @Test(arguments: ["/entry", "/file"]) func `a large body has its recorded pace`(path: String) async throws {
            let rule = Rule.override(.any, .recordedTimings(), .header("X-A", "1"))
            try await serve(rules: [rule]) { server, _ in
                try await #expect(body(path, from: server) == Self.text)
            }
        }

        @Test(arguments: ["/entry", "/file"]) func `a large body can be changed`(path: String) async throws {
            try await serve(rules: [.override(.any, .replacing("0123", with: "abcd"))]) { server, _ in
                try await #expect(body(path, from: server) == Self.text.replacing("0123", with: "abcd"))
            }
        }

        @Test(arguments: ["/entry", "/file"]) func `the connection can be lost during a large body`(path: String)
            async throws
        {
            try await serve(rules: [.override(.any, .cutOff(afterBytes: 100_000))]) { server, _ in
                try await #expect(body(path, from: server) == Self.text.prefix(100_000))
            }
        }

        @Test(arguments: ["/entry", "/file"]) func `a large body can be replaced`(path: String) async throws {
            try await serve(rules: [.override(.any, .text("new"))]) { server, _ in
                let text = try await RawClient.exchange(
                    "GET \(path) HTTP/1.1\r\nHost: shop.example\r\n\r\n", with: server)
                #expect(text.contains("Content-Length: 3\r\n") && text.hasSuffix("\r\n\r\nnew"))
            }
        }

        @Test func `a response that cannot have a body has no large body`() async throws {
            let rule = Rule.override(.any, .status(204))
            try await serve(rules: [rule]) { server, _ in
                let text = try await RawClient.exchange(
                    "GET /entry HTTP/1.1\r\nHost: shop.example\r\n\r\n", with: server)
                #expect(text.hasSuffix("\r\n\r\n"))
            }
        }

        @Test func `HTTP2 transfers a large body`() async throws {
            try await serve { server, _ in
                let curl = try await Curl("--http2-prior-knowledge", "\(server.url)/entry")
                #expect(curl.output == Self.text)
            }
        }

        @Test func `other clients of the interceptor get the large body in memory`() async throws {
            try await serve { server, interceptor in
                try await #expect(body("/entry", from: server) == Self.text)
                let decision = await withCheckedContinuation { continuation in
                    interceptor.decide(on: InterceptedRequest(url: "http://shop.example/entry")) {
                        continuation.resume(returning: $0)
                    }
                }
                #expect(try decision.immediateReply?.result.get().body == Data(Self.text.utf8))
            }
        }
    }
#endif
