#if Server
    import Testing

    @testable import RelayServer

    /// The proxy that environment variables name for the requests of a server.
    @Suite struct UpstreamProxyTests {
        private func proxy(for url: String, _ environment: [String: String]) throws -> UpstreamProxy? {
            UpstreamProxy(for: try #require(UpstreamOrigin(url)), environment: environment)
        }

        @Test(arguments: [
            ("http://a.example/", ["http_proxy": "http://proxy.example:8080"], "proxy.example:8080"),
            ("https://a.example/", ["https_proxy": "proxy.example"], "proxy.example:80"),
            ("https://a.example/", ["HTTPS_PROXY": "http://proxy.example:1"], "proxy.example:1"),
            ("https://a.example/", ["all_proxy": "http://[::1]:2/", "https_proxy": ""], "::1:2"),
            ("https://b.a.example/", ["https_proxy": "p:1", "no_proxy": "ba.example, x.a.example"], "p:1"),
        ])
        func `variables name a proxy`(url: String, environment: [String: String], expected: String) throws {
            let origin = try #require(try proxy(for: url, environment)).origin
            #expect("\(origin.host):\(origin.port)" == expected)
        }

        @Test(arguments: [
            ("http://a.example/", [:]), ("http://a.example/", ["HTTP_PROXY": "http://p:1"]),
            ("http://a.example/", ["https_proxy": "http://p:1"]), ("http://a.example/", ["http_proxy": "socks5://p:1"]),
            ("http://127.0.0.1/", ["http_proxy": "p:1"]), ("https://localhost/", ["all_proxy": "p:1"]),
            ("https://[::1]/", ["all_proxy": "p:1"]), ("https://a.example/", ["all_proxy": "p:1", "no_proxy": "*"]),
            ("https://a.example/", ["all_proxy": "p:1", "no_proxy": "b, A.example"]),
            ("https://b.a.example/", ["all_proxy": "p:1", "NO_PROXY": ".a.example"]),
        ])
        func `other requests are sent directly`(url: String, environment: [String: String]) throws {
            #expect(try proxy(for: url, environment) == nil)
        }

        @Test func `the user and the password are sent to the proxy`() throws {
            let found = try #require(try proxy(for: "https://a.example/", ["https_proxy": "http://me:a%40b@p:1"]))
            #expect(found.authorization == "Basic bWU6YUBi")
            let request = found.tunnelRequest(to: try #require(UpstreamOrigin("https://[::2]/")))
            #expect(
                request == """
                    CONNECT [::2]:443 HTTP/1.1\r
                    Host: [::2]:443\r
                    Proxy-Authorization: Basic bWU6YUBi\r
                    \r

                    """)
        }
    }
#endif
