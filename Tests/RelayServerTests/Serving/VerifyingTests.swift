#if Server && Verifying
    import Foundation
    import HTTPArchive
    import Relay
    import RelayServer
    import Testing

    @testable import RelayTesting

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite(.limited) struct VerifyingTests {
        /// An archive with two entries of a server.
        private func archive(of server: URL, in folder: URL) throws -> URL {
            let file = folder.appendingPathComponent("shop.har")
            let writer = try HARWriter(to: file)
            for (path, body) in [("items", #"{"price":1}"#), ("other", #"{"a":1}"#)] {
                let content = HAR.Content(size: body.utf8.count, mimeType: "application/json", text: body)
                try writer.append(
                    HAR.Entry(
                        startedDateTime: "2026-01-01T00:00:00Z", time: 1,
                        request: HAR.Request(method: "GET", url: server.appendingPathComponent(path).absoluteString),
                        response: HAR.Response(
                            status: 200, headers: [HAR.Header(name: "Content-Type", value: "application/json")],
                            content: content),
                        timings: HAR.Timings(send: 0, wait: 1, receive: 0)))
            }
            try writer.finish()
            return file
        }

        @Test func `the used entries are compared with the server, in spite of interceptors`() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let live = Interceptor()
            live.add(.stub("**", try .json(["price": "1.00"])))
            try await live.serve { server in
                let replaying = try Interceptor(archive: try archive(of: server.url, in: folder))
                let messages = try await replaying.interceptEverySession {
                    let (data, _) = try await URLSession.shared.data(from: server.url.appendingPathComponent("items"))
                    #expect(String(decoding: data, as: UTF8.self) == #"{"price":1}"#)
                    return try await UsedEntriesVerification(of: replaying, environment: [:]).messages
                }
                #expect(messages.count == 1)
                let message = try #require(messages.first)
                #expect(message.contains("GET /items, body /price: type changed"))
                #expect(message.contains("--entries 0 --update"))
            }
        }

        @Test func `the environment requests and prevents verification`() throws {
            #expect(try Verification.requested(nil, in: [:]) == nil)
            #expect(try Verification.requested(.weekly, in: [:]) == .weekly)
            #expect(try Verification.requested(nil, in: ["RELAY_VERIFY": "1"]) == .always.reportingIssues())
            #expect(try Verification.requested(.weekly, in: ["RELAY_VERIFY": "0"]) == nil)
            #expect(throws: RelayError.self) { try Verification.requested(nil, in: ["RELAY_VERIFY": "yes"]) }
        }

        @Test func `a verification is due once in its interval`() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            #expect(Verification.weekly.isDue("a", in: folder))
            #expect(!Verification.weekly.isDue("a", in: folder))
            #expect(Verification.weekly.isDue("b", in: folder))
            #expect(Verification.always.isDue("a", in: folder))
        }

        @Test func `a trait verifies`() {
            let trait: ReplayTrait = .replay("shop", verifying: .weekly.reportingIssues())
            #expect(trait.isRecursive)
        }
    }
#endif
