#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer
    import Testing

    /// The ways in which clients reach a server.
    @Suite(.limited) struct ProtocolTests {
        /// Runs an operation with a server and the file of its authority's certificate.
        private func serve(
            _ interceptor: Interceptor = .shop(), _ operation: (RelayServer, _ certificate: String) async throws -> Void
        ) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            var configuration = RelayServer.Configuration()
            let authority = try CertificateAuthority.stored(in: folder)
            configuration.authority = authority
            try await interceptor.serve(configuration: configuration) { server in
                try await operation(server, authority.url?.path ?? "")
            }
        }

        private static let versions = ["--http1.1", "--http2"]

        @Test(arguments: versions)
        func `curl reaches an https host through the proxy`(version: String) async throws {
            try await serve { server, certificate in
                let curl = try await Curl(
                    version, "--cacert", certificate, "-x", server.url.absoluteString, "-w", "%{http_version}",
                    "https://shop.example/", "https://shop.example:443/")
                #expect(curl.status == 0)
                let suffix = version == "--http2" ? "2" : "1.1"
                #expect(curl.output == "home\(suffix)home\(suffix)")
            }
        }

        @Test func `curl reaches an http host through the proxy and through a tunnel`() async throws {
            try await serve { server, _ in
                let proxied = try await Curl("-x", server.url.absoluteString, "http://other.example/")
                #expect(proxied.output == "other")
                let tunneled = try await Curl("-p", "-x", server.url.absoluteString, "http://other.example/")
                #expect(tunneled.output == "other")
            }
        }

        @Test(arguments: versions)
        func `curl reaches the server itself by TLS`(version: String) async throws {
            try await serve { server, certificate in
                let port = server.url.port ?? 0
                for host in ["127.0.0.1", "localhost"] {
                    let curl = try await Curl(version, "--cacert", certificate, "https://\(host):\(port)/")
                    #expect(curl.output == "home")
                }
                let named = try await Curl(
                    version, "--cacert", certificate, "--connect-to", "shop.example:443:127.0.0.1:\(port)",
                    "https://shop.example/")
                #expect(named.output == "home")
            }
        }

        @Test func `curl speaks HTTP/2 without TLS by prior knowledge and ignores a refused upgrade`() async throws {
            try await serve { server, _ in
                for (option, version) in [("--http2-prior-knowledge", "2"), ("--http2", "1.1")] {
                    let curl = try await Curl(option, "-w", "%{http_version}", server.url.absoluteString)
                    #expect(curl.output == "home\(version)")
                }
            }
        }

        @Test func `an untrusted certificate is reported once`() async throws {
            let events = Events()
            var configuration = RelayServer.Configuration()
            configuration.log = { events.note($0) }
            try await Interceptor.shop().serve(configuration: configuration) { server in
                for _ in 0..<2 {
                    let curl = try await Curl("-x", server.url.absoluteString, "https://shop.example/")
                    #expect(curl.status == 60)
                }
            }
            #expect(events.all.count == 1)
            #expect(events.all.first?.contains("shop.example") == true)
        }

        @Test(arguments: versions)
        func `bodies, misses and early responses arrive`(version: String) async throws {
            let interceptor = Interceptor()
            let large = String(repeating: "0123456789", count: 500_000)
            interceptor.add(
                .stub("https://a/large", .text(large)), .stub("https://a/size") { .text("\($0.body?.count ?? 0)") })
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try Data(repeating: 0, count: 3_000_000).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            try await serve(interceptor) { server, certificate in
                let options = [version, "--cacert", certificate, "-x", server.url.absoluteString]
                #expect(try await Curl(options + ["https://a/large"]).output == large)
                let size = try await Curl(options + ["--data-binary", "@\(file.path)", "https://a/size"])
                #expect(size.output == "3000000")
                let miss = try await Curl(options + ["-w", "%{http_code}", "https://a/none"])
                #expect(miss.output.hasPrefix("No rule matches GET https://a/none."))
                #expect(miss.output.hasSuffix("404"))
                let head = try await Curl(options + ["-I", "https://a/large"])
                #expect(head.output.lowercased().contains("content-length: 5000000"))
            }
        }

        @Test(arguments: versions)
        func `a recorded failure fails the request`(version: String) async throws {
            let interceptor = Interceptor(entries: [
                .failed("https://shop.example/", "net::ERR_CONNECTION_RESET"),
                .failed("https://shop.example/part", "net::ERR_CONNECTION_RESET", received: "abc", length: 10),
            ])
            try await serve(interceptor) { server, certificate in
                for path in ["", "part"] {
                    let curl = try await Curl(
                        version, "--cacert", certificate, "-x", server.url.absoluteString,
                        "https://shop.example/\(path)")
                    #expect(curl.status != 0)
                }
            }
        }

        @Test func `HTTP/2 survives a reset after each of many responses`() async throws {
            try await serve { server, certificate in
                // Without TLS, libcurl 7.88 does not send a second request on the connection.
                let urls = Array(repeating: "https://shop.example/", count: 600)
                let options = ["--http2", "--cacert", certificate, "-x", server.url.absoluteString]
                let curl = try await Curl(options + urls)
                #expect(curl.status == 0)
                #expect(curl.output == String(repeating: "home", count: 600))
            }
        }

        @Test(arguments: [
            "CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a HTTP/1.1\r\nHost: a\r\n\r\n",
            "CONNECT a@b:443 HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT http://a:443 HTTP/1.1\r\nHost: a\r\n\r\n",
            "CONNECT a:0 HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:65536 HTTP/1.1\r\nHost: a\r\n\r\n",
            "CONNECT ::1:443 HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:443 HTTP/1.1\r\n\r\n",
            "CONNECT a:443 HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        ])
        func `an invalid tunnel is rejected`(request: String) async throws {
            try await Interceptor.shop().serve { server in
                try await #expect(RawClient.statuses(in: RawClient.exchange(request, with: server)) == [400])
            }
        }

        @Test func `a request that follows CONNECT at once goes through the tunnel`() async throws {
            try await Interceptor.shop().serve { server in
                let connect = "CONNECT other.example:80 HTTP/1.1\r\nHost: other.example\r\n\r\n"
                let get = "GET / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n"
                let text = try await RawClient.exchange(connect + get, with: server, finishing: false)
                #expect(RawClient.statuses(in: text) == [200, 200])
                #expect(text.hasSuffix("\r\n\r\nother"))
                // The client can close its end at once.
                for _ in 0..<10 {
                    let text = try await RawClient.exchange(connect + get, with: server)
                    #expect(RawClient.statuses(in: text) == [200, 200])
                }
                let nested = try await RawClient.exchange(connect + connect, with: server, finishing: false)
                #expect(RawClient.statuses(in: nested) == [200, 501])
            }
        }

        @Test(arguments: [
            "\u{16}", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}aaaaaaaaaaaaaa", "PRI ",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nabcdefghijklmnop", "PR",
        ])
        func `invalid TLS and HTTP/2 close only their connection`(bytes: String) async throws {
            try await Interceptor.shop().serve { server in
                let client = try await RawClient(server)
                await client.send(bytes)
                await client.finish()
                _ = try await client.text
                let get = "GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n"
                try await #expect(RawClient.exchange(get, with: server).hasSuffix("home"))
            }
        }
    }
#endif
