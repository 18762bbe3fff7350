#if Server
    import Foundation
    import NIOCore
    import NIOPosix
    import Testing

    @testable import RelayServer

    @Suite(.limited) struct HostContextTests {
        @Test(arguments: [
            "a", "localhost", "api.example.com", "xn--bcher-kva.example", "_a.example", "a-b.c", "1a", "3com.example",
            "127.0.0.1", "::1", "2001:db8::1", String(repeating: "a", count: 63) + ".example",
        ])
        func `certificates are made for names and addresses`(host: String) async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let authority = try CertificateAuthority()
            let first = try await authority.context(for: host, isKnown: true, on: loop).get()
            let second = try await authority.context(for: host.uppercased(), isKnown: true, on: loop).get()
            #expect(first === second)
        }

        @Test(arguments: [
            "", "*", "*.com", "*.example.com", "a.*", "a*", ".", "a.", ".a", "a..b", "-a", "a-.b", "a b", "a\nb",
            "bücher",
            "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "127.1", "0x7f.1", "a.0x7f", "a.1", "0x", "1.2.3.4.", "[::1]",
            "::1]",
            "a:443", "a/b", "a@b", String(repeating: "a", count: 64), String(repeating: "a.", count: 130) + "a",
        ])
        func `certificates are not made for other texts`(host: String) async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let authority = try CertificateAuthority()
            for isKnown in [false, true] {
                await #expect(throws: (any Error).self) {
                    try await authority.context(for: host, isKnown: isKnown, on: loop).get()
                }
            }
        }

        @Test func `unknown names do not replace or delay recorded hosts`() async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let authority = try CertificateAuthority()
            let recorded = try await authority.context(for: "a.example", isKnown: true, on: loop).get()
            let others = (0..<300).map { authority.context(for: "n\($0).example", isKnown: false, on: loop) }
            let other = try await authority.context(for: "b.example", isKnown: true, on: loop).get()
            #expect(other !== recorded)
            var count = 0
            for future in others where (try? await future.get()) != nil { count += 1 }
            #expect(100..<300 ~= count, "too many waited")
            #expect(try await authority.context(for: "a.example", isKnown: true, on: loop).get() === recorded)
        }
    }
#endif
