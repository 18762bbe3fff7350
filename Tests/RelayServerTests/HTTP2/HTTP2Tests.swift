#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer
    import Testing

    @Suite(.limited) struct HTTP2Tests {
        private static let option = "--http2-prior-knowledge"

        @Test(arguments: ["--http1.1", option])
        func `a recorded time-out ends after the idle time`(version: String) async throws {
            var configuration = RelayServer.Configuration()
            configuration.limits.idleTime = .seconds(1)
            let interceptor = Interceptor(entries: [.failed("https://shop.example/", "net::ERR_TIMED_OUT")])
            try await interceptor.serve(configuration: configuration) { server in
                let curl = try await Curl(version, "--max-time", "3600", server.url.absoluteString)
                // Status 28 is the end of curl's own patience.
                #expect(curl.status != 0 && curl.status != 28)
            }
        }

        @Test func `a slow body is rejected`() async throws {
            let (reasons, log) = AsyncStream.makeStream(of: String.self)
            var configuration = RelayServer.Configuration()
            configuration.limits.requestTime = .milliseconds(1)
            configuration.limits.idleTime = .seconds(3600)
            configuration.log = { if case .clientError(let error) = $0 { log.yield(error.reason) } }
            try await Interceptor.shop().serve(configuration: configuration) { server in
                let head = HTTP2Frames.head(1, method: "POST", path: "/", isComplete: false)
                let client = try await RawClient(server, sending: HTTP2Frames.preface + head)
                let reason = "408: the body of a request is incomplete or arrives too slowly"
                #expect(await reasons.first { _ in true } == reason)
                await client.close()
            }
        }

        @Test func `a method that is not a token is rejected`() async throws {
            try await Interceptor.shop().serve { server in
                let curl = try await Curl(Self.option, "-X", "a(b", "-w", "%{http_code}", server.url.absoluteString)
                #expect(curl.output.hasSuffix("400"))
            }
        }

        @Test func `status 304 has no length, which some clients take for a missing body`() async throws {
            let interceptor = Interceptor()
            interceptor.add(.stub("**", .status(304, headers: [HeaderField(name: "Content-Length", value: "22")])))
            try await interceptor.serve { server in
                let curl = try await Curl(Self.option, "-i", server.url.absoluteString)
                #expect(curl.status == 0)
                #expect(curl.output.hasPrefix("HTTP/2 304"))
                #expect(!curl.output.lowercased().contains("content-length"))
            }
        }
    }
#endif
