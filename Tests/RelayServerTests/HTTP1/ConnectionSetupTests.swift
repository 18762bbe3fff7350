#if Server
    import RelayCore
    import RelayServer
    import Testing

    @Suite(.limited) struct ConnectionSetupTests {
        @Test func `a host name in a failed handshake cannot forge lines of the log`() async throws {
            let events = Events()
            var configuration = RelayServer.Configuration()
            configuration.log = { events.note($0) }
            try await Interceptor.shop().serve(configuration: configuration) { server in
                _ = try await RawClient.exchange(Self.hello(to: "a\nb\u{1B}[1m"), with: server, finishing: false)
                _ = try await RawClient.exchange(Self.hello(to: "a.example"), with: server, finishing: false)
            }
            #expect(events.all.count == 2)
            #expect(events.all.allSatisfy { $0.hasPrefix("the TLS handshake for 'a") })
            #expect(!events.all.joined().contains { $0 == "\n" || $0 == "\u{1B}" })
        }

        /// Returns a ClientHello that the server cannot accept, because it lacks the necessary extensions.
        private static func hello(to name: String) -> String {
            let list = "\0" + sized(name)
            let extensions = "\0\0" + sized(sized(list))
            let random = String(repeating: "\0", count: 32)
            let body = "\u{3}\u{3}\(random)\0" + sized("\u{13}\u{1}") + "\u{1}\0" + sized(extensions)
            return "\u{16}\u{3}\u{1}" + sized("\u{1}\0" + sized(body))
        }

        /// Returns text after its size in 2 bytes; at most 127 bytes.
        private static func sized(_ text: String) -> String {
            "\0" + (UnicodeScalar(text.utf8.count).map { String(Character($0)) } ?? "") + text
        }
    }
#endif
