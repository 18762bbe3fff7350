import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Parallel requests to interceptors whose responses contain the interceptor's number and the requested URL.
@Suite(.limited) struct ParallelTests {
    private static func interceptor(_ index: Int) -> Interceptor {
        .responding { $0.reply("\(index) \($0.url)") }
    }

    /// Runs 50 interceptors concurrently, with 50 requests each, and returns the number of correct responses.
    private func run(
        _ body:
            @escaping @Sendable (Interceptor, _ requests: @Sendable (URLSession) async throws -> Int) async throws ->
            Int
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<50 {
                group.addTask {
                    try await body(Self.interceptor(index)) { session in
                        try await Self.rightAnswers(from: session, index: index)
                    }
                }
            }
            return try await group.reduce(0, +)
        }
    }

    private static func rightAnswers(from session: URLSession, index: Int) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for request in 0..<50 {
                let url = "https://example.invalid/\(request)"
                group.addTask { try await session.text(url) == "\(index) \(url)" }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test func `requests in the interceptors' own sessions receive the correct responses`() async throws {
        #expect(try await run { interceptor, requests in try await requests(interceptor.session()) } == 2500)
    }

    @Test func `requests in the shared session receive the correct responses`() async throws {
        let right = try await run { interceptor, requests in
            try await interceptor.interceptEverySession { try await requests(.shared) }
        }
        #expect(right == 2500)
    }

    @Test func `scopes apply to sessions of other code while other requests use the network`() async throws {
        let server = try LoopbackServer { LoopbackServer.ok($0.target) }
        let sessions = [
            URLSession(configuration: .default), URLSession(configuration: .ephemeral),
            URLSession(configuration: .default),
        ]
        async let live = withThrowingTaskGroup(of: Bool.self) { group in
            for request in 0..<50 {
                group.addTask { try await sessions[request % 3].text(server.url("/\(request)")) == "/\(request)" }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        let right = try await run { interceptor, requests in
            try await interceptor.interceptEverySession { try await requests(sessions[interceptor.number % 3]) }
        }
        #expect(right == 2500)
        #expect(try await live == 50)
        #expect(server.requests.count == 50)
    }

    @Test func `deallocated interceptors are removed from the table of interceptors`() async throws {
        let plain = URLSession(configuration: .default)
        var numbers: [Int] = []
        for index in 0..<100 {
            let interceptor = Self.interceptor(index)
            numbers.append(interceptor.number)
            _ = try await interceptor.session().text("https://example.com/")
            _ = try await interceptor.interceptEverySession { try await plain.text("https://example.invalid/") }
        }
        // A session is released after its last callback, on its own queue. The last interceptor is still referenced.
        try await wait { !numbers.dropLast().contains(where: { InterceptorTable.interceptor($0) != nil }) }
        #expect(Set(numbers).count == numbers.count)
    }
}
