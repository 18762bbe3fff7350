#if Server
    import Dispatch
    import Foundation
    import HTTPArchive
    import RelayServer
    import Testing

    @testable import RelayCore

    /// Requests that take long, which must not delay other clients.
    @Suite(.limited) struct LargeWorkTests {
        private static let gzip = Data(base64Encoded: "H4sIAAAAAAACA0tMxA0AYAya7RwAAAA=")
        private static let form = "Content-Type: application/x-www-form-urlencoded"

        private static func post(_ size: Int, _ fields: String = "Content-Type: application/json") -> String {
            let body = "\"" + String(repeating: "a", count: size) + "\""
            let length = "Content-Length: \(body.utf8.count)"
            return "POST /items HTTP/1.1\r\nHost: shop.example\r\n\(fields)\r\n\(length)\r\n\r\n\(body)"
        }

        private static func get(_ target: String, _ fields: String = "") -> String {
            "GET \(target) HTTP/1.1\r\nHost: shop.example\r\n\(fields)\r\n"
        }

        private static let cases: [String: (text: String, size: WorkSize?, status: Int)] = [
            "JSON of 20 KB": (post(20_000), .medium, 200), "a form": (post(20_000, form), .medium, 200),
            "multipart": (post(20_000, "Content-Type: multipart/form-data; boundary=a"), .medium, 200),
            "JSON of 200 KB": (post(200_000), .large, 200), "JSON of 2 MB": (post(2_000_000), .unlimited, 200),
            "gzip": (post(100, "Content-Encoding: gzip"), .large, 200),
            "brotli": (post(3000, "Content-Encoding: br"), .unlimited, 200),
            "a query": (get("/?" + String(repeating: "a=b&", count: 4000)), .medium, 404),
            "a cookie": (get("/", "Cookie: " + String(repeating: "a", count: 20_000) + "\r\n"), .medium, 200),
            "a miss": (get("/none"), nil, 404), "a large entry": (get("/large"), .large, 200),
        ]

        @Test(arguments: cases.keys.sorted())
        func `a request that takes long does not delay others`(name: String) async throws {
            let (text, size, status) = try #require(Self.cases[name])
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("shop.har")
            let writer = try HARWriter(to: file)
            try writer.append(.entry(text: "home"))
            try writer.append(.entry("POST", "https://shop.example/items", text: "created", sent: "a"))
            try writer.append(.entry("POST", "https://shop.example/items", text: "created", sent: "b"))
            try writer.append(.entry("GET", "https://shop.example/large", text: String(repeating: "a", count: 100_000)))
            try writer.finish()
            let interceptor = try Interceptor(archive: file)
            let busy = DispatchSemaphore(value: 0)
            if let size {
                interceptor.enqueue(size) { busy.wait() }
            } else {
                interceptor.missQueue.async { busy.wait() }
            }
            try await interceptor.serve { server in
                let client = try await RawClient(server, sending: text)
                await client.finish()
                for request in [Self.get("/"), Self.post(10), Self.get("/")] {
                    let text = try await RawClient.exchange(request, with: server)
                    #expect(RawClient.statuses(in: text) == [200])
                }
                try await #expect(!client.isClosed)
                busy.signal()
                let statuses = try await RawClient.statuses(in: client.text)
                #expect(statuses == [status])
            }
        }

        @Test func `all pipelined requests get their responses`() async throws {
            let text = String(repeating: Self.get("/"), count: 2000)
            try await Interceptor.shop().serve { server in
                let received = try await RawClient.exchange(text, with: server)
                #expect(RawClient.statuses(in: received) == [Int](repeating: 200, count: 2000))
            }
        }

        @Test(arguments: [1, 4, 5, 5000])
        func `a chain of content codings is not decoded without end`(count: Int) {
            let codings = [String](repeating: "gzip", count: count).joined(separator: ", ")
            let request = InterceptedRequest(
                url: "http://a/", headers: [HeaderField(name: "Content-Encoding", value: codings)], body: Self.gzip)
            let isDecoded = ComparedRequest(request).request.body != Self.gzip
            #expect(isDecoded == (count <= 4))
        }
    }
#endif
