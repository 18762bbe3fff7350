#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer
    import RelayTesting
    import Testing

    @Suite(.limited, .served(by: "home", folder: "../../../HARSamples", rules: [.stub("shop.example/", .text("home"))]))
    struct ServedTests {
        private func get(_ path: String) async throws -> String {
            let server = try #require(RelayServer.current)
            return try await Curl("-H", "Host: shop.example", "\(server.url.absoluteString)\(path)").output
        }

        @Test(.served(by: "chromium-embed", folder: "../../../HARSamples"))
        func `a test inherits the rules of its suite, and selects an archive`() async throws {
            try await #expect(get("/") == "home")
            let server = try #require(RelayServer.current)
            #expect(try await Curl("\(server.url.absoluteString)/pages/").output.contains("<html"))
        }

        @Test(
            .replay("chromium-embed"), .stubs(.stub("shop.example/items", .text("items"))),
            arguments: Array(1...8))
        func `each test case has a server`(number: Int) async throws {
            try await #expect(get("/items") == "items")
        }

        @Test(.served(by: "chromium-embed", reportsMisses: false)) func `a stray request is a miss`() async throws {
            let server = try #require(RelayServer.current)
            let curl = try await Curl("-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: x", "\(server.url)/none")
            #expect(curl.output == "404")
        }
    }
#endif
