import Foundation
import Innernet
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests of registration, which affects every request of the shared session, so each test runs in its own process.
@Suite(.limited) struct RegistrationTests {
    @Test func `registering the class intercepts requests of the shared session until it is unregistered`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
            let own = URLSession(configuration: .default)
            Innernet.intercept(.get, matching: "somefakedomain.com/**") { _, completion in
                completion(.mock(status: 200, data: Data("mine".utf8), headers: nil, httpVersion: nil))
            }
            let before = try await URLSession.shared.text(server.url("/"))
            #expect(before == "live")
            URLProtocol.registerClass(Innernet.InterceptProtocol.self)
            URLProtocol.registerClass(Innernet.InterceptProtocol.self)
            let mine = try await URLSession.shared.text("https://somefakedomain.com/a")
            #expect(mine == "mine")
            let blocked = await URLSession.shared.error(server.url("/"))
            #expect(blocked is InnernetsError)
            let others = try await own.text(server.url("/"))
            #expect(others == "live")
            URLProtocol.unregisterClass(Innernet.InterceptProtocol.self)
            let after = try await URLSession.shared.text(server.url("/"))
            #expect(after == "live")
        }
    }

    @Test func `an interceptor's scope takes precedence over the registered class`() async {
        await #expect(processExitsWith: .success) {
            URLProtocol.registerClass(Innernet.InterceptProtocol.self)
            let interceptor = Interceptor()
            interceptor.add(.stub("somefakedomain.com/**", .text("scope")))
            let inside = try await interceptor.interceptEverySession {
                try await URLSession.shared.text("https://somefakedomain.com/a")
            }
            #expect(inside == "scope")
            let outside = await URLSession.shared.error("https://somefakedomain.com/a")
            #expect(outside is InnernetsError)
        }
    }
}
