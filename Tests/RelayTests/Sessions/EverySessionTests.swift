import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct EverySessionTests {
    @Test func `the shared session and sessions created by other code use the scope`() async throws {
        let before = [URLSession(configuration: .default), URLSession(configuration: .ephemeral), .shared]
        let interceptor = Interceptor.saying("scope")
        try await interceptor.interceptEverySession {
            let meanwhile = [URLSession(configuration: .default), URLSession(configuration: .ephemeral)]
            for session in before + meanwhile {
                let text = try await session.text("https://example.invalid/")
                #expect(text == "scope")
            }
        }
    }

    @Test func `only requests outside a scope reach the network`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        let session = URLSession(configuration: .default)
        let interceptor = Interceptor.saying("scope")
        #expect(try await session.text(server.url("/1")) == "live")
        let texts = try await interceptor.interceptEverySession {
            async let detached = Task.detached { try await session.text(server.url("/2")) }.value
            return try await [session.text(server.url("/3")), detached]
        }
        #expect(texts == ["scope", "live"])
        #expect(try await session.text(server.url("/4")) == "live")
        #expect(server.requests.map(\.target) == ["/1", "/2", "/4"])
    }

    @Test func `completion handlers of tasks started in a synchronous scope are called`() async throws {
        let interceptor = Interceptor.saying("scope")
        let session = URLSession(configuration: .default)
        let received = Log<Data?>()
        try interceptor.interceptEverySession {
            session.dataTask(with: URL("https://example.invalid/")) { data, _, _ in received.append(data) }.resume()
        }
        try await wait { !received.events.isEmpty }
        #expect(received.events == [Data("scope".utf8)])
    }

    @Test func `child tasks inherit the scope`() async throws {
        let texts = try await Interceptor.saying("scope").interceptEverySession {
            try await withThrowingTaskGroup(of: String.self) { group in
                for index in 0..<10 {
                    group.addTask { try await URLSession.shared.text("http://example.invalid/\(index)") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(texts == Array(repeating: "scope", count: 10))
    }

    @Test func `the innermost scope applies, even if both scopes have the same interceptor`() async throws {
        let outer = Interceptor.saying("outer")
        let inner = Interceptor.saying("inner")
        @Sendable func text() async throws -> String { try await URLSession.shared.text("https://example.invalid/") }
        let texts = try await outer.interceptEverySession {
            let first = try await text()
            let second = try await inner.interceptEverySession { try await text() }
            let third = try await outer.interceptEverySession { try await text() }
            return [first, second, third, try await text()]
        }
        #expect(texts == ["outer", "inner", "outer", "outer"])
    }

    @Test func `an interceptor's own session ignores other scopes`() async throws {
        let session = Interceptor.saying("own").session()
        let text = try await Interceptor.saying("scope").interceptEverySession { try await session.text("http://a/") }
        #expect(text == "own")
    }

    @Test func `a scope ends when its operation throws`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        #expect(throws: CancellationError.self) {
            try Interceptor.saying("scope").interceptEverySession { throw CancellationError() }
        }
        #expect(try await URLSession.shared.text(server.url("/")) == "live")
    }

    @Test func `the coverage depends on the platform`() {
        #if canImport(FoundationNetworking)
            #expect(Interceptor.coverage == .everySession)
        #else
            #expect(Interceptor.coverage == .sharedSession)
        #endif
    }

    @Test func `a scope limited to the shared session does not affect other sessions`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        let plain = URLSession(configuration: .default)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask {
                    let interceptor = Interceptor.saying("\(index)")
                    try await interceptor.interceptEverySession(covering: .sharedSession) {
                        for _ in 0..<10 {
                            let text = try await URLSession.shared.text("https://example.invalid/")
                            #expect(text == "\(index)")
                        }
                        let text = try await plain.text(server.url("/plain"))
                        #expect(text == "live")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 20)
    }
}
