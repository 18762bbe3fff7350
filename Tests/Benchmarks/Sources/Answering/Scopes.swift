import Foundation
import HTTPArchive
import Measuring
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The time of a response in a scope, compared with a session of an interceptor.
///
/// The columns are the numbers of active scopes.
enum Scopes {
    private static let requests = 300

    /// Measures sessions alternately, without other scopes and with many other scopes.
    static func measure(rounds: Int) async throws -> Series {
        guard let url = URL(string: "http://shop.example/item") else { throw URLError(.badURL) }
        var series = Series()
        let plainSession = URLSession.plain
        _ = try? await plainSession.data(from: URL(fileURLWithPath: "/absent"))
        await series.time("probes", in: "1", count: 1) { _ = Interceptor.coverage }
        let interceptor = Interceptor(entries: [.bare(url)])
        let (bare, own, plain) = (URLSession.bare, interceptor.session(), plainSession)
        for _ in 0..<rounds {
            for count in [1, 1_000] {
                let column = String(count)
                try await besideScopes(count - 1) {
                    try await interceptor.interceptEverySession {
                        try await series.time("bare", in: column, count: requests) { try await ask(bare, for: url) }
                        try await series.time("own", in: column, count: requests) { try await ask(own, for: url) }
                        try await series.time("scope", in: column, count: requests) { try await ask(plain, for: url) }
                    }
                    let interception = try interceptor.beginInterceptingEverySession()
                    try await series.time("begun", in: column, count: requests) { try await ask(plain, for: url) }
                    interception.end()
                }
            }
        }
        return series
    }

    private static func ask(_ session: URLSession, for url: URL) async throws {
        for _ in 0..<requests { _ = try await session.data(from: url) }
    }

    /// Runs code while other tasks are in scopes with different interceptors.
    private static func besideScopes(_ count: Int, _ work: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (entered, entering) = AsyncStream.makeStream(of: Void.self)
            for _ in 0..<count {
                group.addTask {
                    try await Interceptor().interceptEverySession {
                        entering.yield()
                        // The sleep ends when the task is canceled.
                        try? await Task.sleep(for: .seconds(3600))
                    }
                }
            }
            var arrivals = entered.makeAsyncIterator()
            for _ in 0..<count { await arrivals.next() }
            try await work()
            group.cancelAll()
        }
    }
}
