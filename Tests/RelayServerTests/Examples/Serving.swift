#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer
    import RelayTesting
    import Testing

    /// A client that knows the address of the shop.
    private struct ShopClient {
        let baseURL: URL

        func items() async throws -> [String] {
            let text = try await Curl("\(baseURL.absoluteString)/items").output
            return try JSONDecoder().decode([String].self, from: Data(text.utf8))
        }
    }

    /// A client that uses a proxy and trusts a certificate.
    private struct ProxiedClient {
        private let options: [String]

        init(proxy: URL, certificate: String) throws {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString).pem")
            try Data(certificate.utf8).write(to: file)
            options = ["-x", proxy.absoluteString, "--cacert", file.path]
        }

        func text(_ url: String) async throws -> String { try await Curl(options + [url]).output }
    }

    @Suite(.limited) struct ServingExamples {
        private let archive = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "shop.har")

        @Test func `an operation has a server`() async throws {
            let interceptor = Interceptor(playing: [try HARArchive(contentsOf: archive)])
            try await interceptor.serve { server in
                let client = ShopClient(baseURL: server.url)
                try await #expect(client.items() == ["apples"])
            }
        }

        @Test(.served(by: "shop")) func `the client shows the items`() async throws {
            let server = try #require(RelayServer.current)
            let client = ShopClient(baseURL: server.url)
            try await #expect(client.items() == ["apples"])
        }

        @Test func `an interceptor records the requests of a client`() async throws {
            let shop = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString).har")
            defer { try? FileManager.default.removeItem(at: shop) }
            let site = Interceptor(playing: [try HARArchive(contentsOf: archive)])
            try await site.serve { site in
                let interceptor = try Interceptor(recordingTo: shop)
                try await interceptor.serve { server in
                    let client = try ProxiedClient(proxy: server.url, certificate: server.authority?.certificate ?? "")
                    #expect(try await client.text("\(site.url.absoluteString)/items").contains("apples"))
                }
                await interceptor.finishRecording()
            }
            #expect(try HARArchive(contentsOf: shop).count == 1)
        }

        @Test func `rules change responses`() async throws {
            let interceptor = Interceptor(playing: [try HARArchive(contentsOf: archive)])
            let rules = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString).yaml")
            try Data("rules: [{stub: {json: [pears]}, times: 1}]".utf8).write(to: rules)
            defer { try? FileManager.default.removeItem(at: rules) }
            interceptor.add(.stub("shop.example/items", .status(503)).times(1))
            interceptor.add(.override("shop.example/**", .delay(.milliseconds(5))))
            interceptor.add(try RuleFile(contentsOf: rules).rules)
            try await interceptor.serve { server in
                let client = ShopClient(baseURL: server.url)
                try await #expect(client.items() == ["pears"])
                await #expect(throws: DecodingError.self) { try await client.items() }
                try await #expect(client.items() == ["apples"])
            }
        }

        @Test(.served(by: "shop")) func `a client uses the server as its proxy`() async throws {
            let server = try #require(RelayServer.current)
            let certificate = try #require(server.authority).certificate
            let client = try ProxiedClient(proxy: server.url, certificate: certificate)
            try await #expect(client.text("https://shop.example/items") == #"["apples"]"#)
        }

        @Test func `exchanges are shown in a page`() throws {
            let interceptor = Interceptor(playing: [try HARArchive(contentsOf: archive)])
            let page = try #require(URL(string: "http://127.0.0.1:1/token/"))
            let report = interceptor.report(to: page)
            defer { report.cancel() }
            #expect(!report.isCancelled)
        }

        @Test func `a server runs until it is stopped`() async throws {
            let interceptor = Interceptor(playing: [try HARArchive(contentsOf: archive)])
            var configuration = RelayServer.Configuration()
            configuration.mappedOrigin = "https://shop.example"
            configuration.missStatus = 501
            let server = try await RelayServer.start(interceptor, configuration: configuration)
            print("Listening on \(server.url)")
            await server.stop()
        }
    }
#endif
