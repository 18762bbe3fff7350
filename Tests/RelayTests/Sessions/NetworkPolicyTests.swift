#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import HTTPArchive
    import Testing

    import Relay
    @testable import RelayCore
    @testable import RelayURLSession

    @Suite(.limited) struct NetworkPolicyTests {
        /// Runs a program without an interceptor, and returns the lines that it prints.
        private func lines(_ urls: [String], policy: String?) async throws -> [String] {
            try await TestProgram.lines(
                of: "UnhandledRequests", urls, environment: ["RELAY_NETWORK": policy])
        }

        /// Returns whether a line contains the original error.
        ///
        /// `Data(contentsOf:)` replaces it with another error.
        private func explains(_ line: String) -> Bool { !line.hasPrefix("contents") }

        @Test(arguments: [nil, "", "allow"])
        func `a program without a policy can use the network`(policy: String?) async throws {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            let lines = try await lines([server.url("/")], policy: policy)
            #expect(lines.count == 6)
            #expect(
                lines.allSatisfy { $0.hasSuffix(" 200") || $0.hasPrefix("contents") && $0.hasSuffix(" 0") }, "\(lines)")
            #expect(server.requests.count == 6)
        }

        @Test(arguments: ["http", "https", "HTTP", "ws", "wss", "ftp"])
        func `all requests of a program fail if the network is forbidden`(scheme: String) async throws {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            let lines = try await lines(["\(scheme)://127.0.0.1:\(server.port)/?token=s3cr3t"], policy: "forbid")
            #expect(lines.count == 6)
            for line in lines.filter(explains) {
                #expect(line.contains("RELAY_NETWORK") && line.contains("'forbid'"))
                #expect(
                    line.ranges(of: "s3cr3t").count == 1,
                    "Only the URL at the start of the line contains the secret, and the error does not.")
            }
            #expect(!lines.contains { $0.hasSuffix(" 200") || $0.hasSuffix(" 0") })
            #expect(server.requests.isEmpty)
        }

        @Test func `loopback requests can be allowed`() async throws {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            let urls = [server.url("/"), "http://localhost:\(server.port)/", "http://example.invalid/"]
            let lines = try await lines(urls, policy: "forbid-except-loopback")
            #expect(lines.count == 18)
            #expect(lines.filter { $0.contains("forbid") }.allSatisfy { $0.contains("example.invalid") })
            #expect(lines.count { $0.contains("forbid") } == 5)
            #expect(server.requests.count == 12)
        }

        @Test func `with an unknown policy, every request fails with an error that lists the known policies`()
            async throws
        {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            let lines = try await lines([server.url("/")], policy: "forbidden")
            for line in lines.filter(explains) {
                #expect(line.contains("'forbidden'") && line.contains("forbid-except-loopback"))
            }
            #expect(!lines.contains { $0.hasSuffix(" 200") || $0.hasSuffix(" 0") })
            #expect(server.requests.isEmpty)
        }

        @Test func `an interceptor responds under every policy, and can pass requests through`() async throws {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            let interceptor = Interceptor.with(
                .stub("example.invalid/**", .text("stub")), .passThrough("127.0.0.1:*/**"))
            let passing = Interceptor.with(.passThrough(.any))
            try await NetworkPolicy.forbid.apply {
                let texts = try await interceptor.interceptEverySession {
                    try await URLSession.shared.text("http://example.invalid/1")
                }
                #expect(texts == "stub")
                let live = try await passing.interceptEverySession { try await URLSession.shared.text(server.url("/")) }
                #expect(live == "live")
            }
        }

        @Test func `the innermost policy of an operation applies to its child tasks`() async throws {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            let session = URLSession.shared
            try await NetworkPolicy.forbid.apply {
                async let child = session.text(server.url("/child"))
                let texts = [try? await session.text(server.url("/own")), try? await child]
                #expect(texts == [nil, nil])
                let allowed = try await NetworkPolicy.allow.apply { try? await session.text(server.url("/allowed")) }
                #expect(allowed == "live")
                let detached = await Task.detached { try? await session.text(server.url("/detached")) }.value
                #expect(detached == "live")
            }
            #expect(server.requests.map(\.target) == ["/allowed", "/detached"])
        }

        @Test func `requests made by closures are also checked`() async throws {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            try await NetworkPolicy.forbid.apply {
                let interceptor = Interceptor.with(
                    .stub(.any) { _ in .text(try await URLSession.shared.text(server.url("/closure"))) })
                let code = try await interceptor.interceptEverySession {
                    await errorCode(of: "http://example.invalid/")
                }
                #expect(code == .networkForbidden)
            }
            #expect(server.requests.isEmpty)
        }

        @Test(arguments: [
            ("http://localhost/", true), ("https://LOCALHOST.:8443/", true), ("http://127.0.0.1:80/", true),
            ("http://127.255.0.9/", true), ("ws://[::1]:1/", true), ("http://shop.localhost/", true),
            ("http://localhost.example/", false), ("http://127.0.0.1.example/", false), ("http://128.0.0.1/", false),
            ("http://127.0.0.256/", false), ("http://127.0.0.1@example.com/", false), ("http://10.0.0.1/", false),
            ("http://[::2]/", false), ("http://example.com/?http://localhost/", false),
        ])
        func `loopback is determined by the host alone`(url: String, isAllowed: Bool) {
            #expect(NetworkPolicy.forbidExceptLoopback.allows(URL(url)) == isAllowed)
        }
    }
#endif
