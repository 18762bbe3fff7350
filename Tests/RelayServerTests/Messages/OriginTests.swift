#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore
    import RelayServer
    import Testing

    @Suite(.limited) struct OriginTests {
        private func body(_ server: RelayServer, host: String, path: String = "/") async throws -> String {
            let text = try await RawClient.exchange("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n", with: server)
            return String(text.split(separator: "\r\n\r\n", maxSplits: 1).last ?? "")
        }

        @Test func `the server's address stands for the first recorded origin`() async throws {
            try await Interceptor.shop().serve { server in
                #expect(server.mappedOrigin == "https://shop.example")
                for host in ["127.0.0.1:\(server.url.port ?? 0)", "localhost", "shop.example", "SHOP.example:443"] {
                    try await #expect(body(server, host: host) == "home")
                }
                try await #expect(body(server, host: "other.example") == "other")
            }
        }

        @Test(arguments: ["other.example", "http://other.example", "http://other.example:80/"])
        func `the server's address can stand for another origin`(origin: String) async throws {
            var configuration = RelayServer.Configuration()
            configuration.mappedOrigin = origin
            try await Interceptor.shop().serve(configuration: configuration) { server in
                #expect(server.mappedOrigin == "http://other.example")
                try await #expect(body(server, host: "localhost") == "other")
            }
        }

        @Test func `a host without a port stands for the recorded port`() async throws {
            var configuration = RelayServer.Configuration()
            configuration.mappedOrigin = "localhost"
            let interceptor = Interceptor(entries: [.entry("GET", "http://localhost:3000/", text: "development")])
            try await interceptor.serve(configuration: configuration) { server in
                #expect(server.mappedOrigin == "http://localhost:3000")
            }
        }

        @Test(arguments: ["", "a b", "a/b", "ftp://a", "https://a/path", "https://", "a:b"])
        func `an invalid origin is an error`(origin: String) async throws {
            var configuration = RelayServer.Configuration()
            configuration.mappedOrigin = origin
            await #expect { try await RelayServer.start(.shop(), configuration: configuration) } throws: {
                ($0 as? RelayError)?.code == .invalidSetting
            }
        }

        @Test func `redirects and cookies of the mapped origin are valid for the server's address`() async throws {
            let interceptor = Interceptor(entries: [
                .entry(
                    status: 302,
                    headers: [
                        ("Location", "https://shop.example/next?a=b#c"),
                        (
                            "Set-Cookie",
                            "a=b; Path=/; Domain=shop.example; Secure; HttpOnly; SameSite=None; Partitioned"
                        ),
                        ("Strict-Transport-Security", "max-age=1"),
                    ]),
                .entry(
                    "GET", "https://shop.example/away", status: 302,
                    headers: [("Location", "https://shop.example.evil/")]),
                .entry(
                    "GET", "https://shop.example/relative", status: 302,
                    headers: [("Location", "//shop.example/a?b")]),
            ])
            try await interceptor.serve { server in
                let host = "127.0.0.1:\(server.url.port ?? 0)"
                let text = try await RawClient.exchange("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n", with: server)
                #expect(text.contains("Location: http://\(host)/next?a=b#c\r\n"))
                #expect(text.contains("Set-Cookie: a=b; Path=/; HttpOnly\r\n"))
                #expect(!text.contains("Strict-Transport-Security"))
                let away = try await RawClient.exchange("GET /away HTTP/1.1\r\nHost: \(host)\r\n\r\n", with: server)
                #expect(away.contains("Location: https://shop.example.evil/\r\n"))
                let relative = try await RawClient.exchange(
                    "GET /relative HTTP/1.1\r\nHost: \(host)\r\n\r\n", with: server)
                #expect(relative.contains("Location: http://\(host)/a?b\r\n"))
            }
        }

        @Test(
            arguments: ["127.0.0.1", "0.0.0.0"],
            ["rebound.example", "shop.example.evil", "192.0.2.7", "[2001:db8::7]", "evil:80", "localhost.evil"])
        func `an unknown name gets no response and no list of entries`(address: String, host: String) async throws {
            var settings = Interceptor.Configuration()
            settings.matching = .loose
            var configuration = RelayServer.Configuration()
            configuration.host = address
            let interceptor = Interceptor.shop(configuration: settings)
            interceptor.add(.stub("**/stub", .text("stub")))
            try await interceptor.serve(configuration: configuration) { server in
                for path in ["/", "/items", "/stub", "/none"] {
                    let text = try await RawClient.exchange(
                        "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n", with: server)
                    #expect(text.hasPrefix("HTTP/1.1 404 "))
                    #expect(text.contains("x-relay-miss: unknown-host"))
                    #expect(!text.contains("shop.example") && !text.contains("entry 0"))
                }
            }
        }

        @Test func `a name in a rule and the addresses of this machine are known`() async throws {
            var configuration = RelayServer.Configuration()
            configuration.host = "0.0.0.0"
            let interceptor = Interceptor.shop()
            interceptor.add(.stub("staging.example/**", .text("staging")))
            let devices = try System.enumerateDevices().compactMap { $0.address }.filter { $0.protocol == .inet }
            try await interceptor.serve(configuration: configuration) { server in
                try await #expect(body(server, host: "staging.example", path: "/a") == "staging")
                for address in Set(devices.compactMap(\.ipAddress)) + ["0.0.0.0:\(server.url.port ?? 0)"] {
                    try await #expect(body(server, host: address) == "home")
                }
            }
        }

        @Test func `a miss by proxy lists the nearest entries`() async throws {
            try await Interceptor.shop().serve { server in
                let text = try await RawClient.exchange(
                    "GET http://shop.examples/ HTTP/1.1\r\nHost: shop.examples\r\n\r\n", with: server)
                #expect(text.contains("entry 0"))
            }
        }
    }
#endif
