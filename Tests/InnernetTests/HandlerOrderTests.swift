import Foundation
import Innernet
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ProcessWideTests {
    /// Tests of the handlers of concurrent requests.
    @Suite(.limited) struct HandlerOrderTests {
        private let slate = CleanSlate()
        private let session = URLSession.intercepted

        /// A counter of concurrently running handlers and of their maximum number.
        private final class Handlers: Sendable {
            private let running = Mutex((now: 0, most: 0))

            var most: Int { running.withLock { $0.most } }

            /// Simulates a handler that runs until another handler runs concurrently.
            ///
            /// - Parameter turns: The maximum number of times that the handler yields its thread.
            func run(turns: Int) {
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                var turn = 0
                while turn < turns, most == 1 {
                    sched_yield()
                    turn += 1
                }
                running.withLock { $0.now -= 1 }
            }
        }

        private func request(_ count: Int) async throws {
            let session = session
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask { _ = try await session.text("https://apple.com/\(number % 2)/\(number)") }
                }
                try await group.waitForAll()
            }
        }

        @Test func `handlers run one at a time`() async throws {
            let handlers = Handlers()
            for pattern in ["apple.com/0/*", "apple.com/1/*"] {
                Innernet.intercept(.get, matching: pattern) { _, completion in
                    handlers.run(turns: 20_000)
                    completion(.mock(status: 200, data: nil, headers: nil))
                }
            }
            try await request(20)
            #expect(handlers.most == 1)
        }

        @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
        func `handlers run concurrently if allowed`() async throws {
            let handlers = Handlers()
            Innernet.allowsConcurrentHandlers = true
            Innernet.intercept(.get, matching: "apple.com/**") { _, completion in
                handlers.run(turns: .max)
                completion(.mock(status: 200, data: nil, headers: nil))
            }
            try await request(2)
            #expect(handlers.most == 2)
        }

        @Test func `asynchronous handlers run concurrently`() async throws {
            let (arrivals, arrive) = AsyncStream<Void>.makeStream()
            Innernet.intercept(.get, matching: "apple.com/0/*") { _ in
                for await _ in arrivals { break }
                return .mock(status: 200, data: nil, headers: nil)
            }
            Innernet.intercept(.get, matching: "apple.com/1/*") { _ in
                arrive.yield()
                return .mock(status: 200, data: nil, headers: nil)
            }
            try await request(2)
        }

        @Test func `a handler with a late response does not delay others`() async throws {
            let completion = Mutex<(@Sendable (ResponseStrategy) -> Void)?>(nil)
            Innernet.intercept(.get, matching: "apple.com/0/*") { _, complete in
                completion.withLock { $0 = complete }
            }
            Innernet.intercept(.get, matching: "apple.com/1/*") { _, complete in
                complete(.mock(status: 200, data: nil, headers: nil))
            }
            let session = session
            async let later = session.text("https://apple.com/0/0")
            try await wait { completion.withLock { $0 != nil } }
            _ = try await session.text("https://apple.com/1/1")
            completion.withLock { $0 }?(.mock(status: 200, data: Data("later".utf8), headers: nil))
            #expect(try await later == "later")
        }
    }
}
