import Foundation
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Innernet {
    /// The handler of a request.
    enum Handler: Sendable {
        /// A closure that passes the response to its second argument once, at any time.
        case closure(@Sendable (URLRequest, @escaping @Sendable (ResponseStrategy) -> Void) -> Void)

        /// A closure that returns the response.
        case async(@Sendable (URLRequest) async throws -> ResponseStrategy)
    }

    /// An actor that runs one closure at a time.
    private actor SerialHandlers {
        static let shared = SerialHandlers()

        func run(_ handler: @Sendable () -> Void) { handler() }
    }

    /// Returns the rule for an intercept.
    static func rule(for pattern: RequestPattern, _ method: HTTPMethod, _ handler: Handler) -> Rule {
        .stub(.method(method.rawValue).and(pattern)) { request in
            guard let request = URLRequest(request) else { throw URLError(.badURL) }
            return try await answer(to: request, by: handler).reply
        }
    }

    /// Returns the first response of a handler, or throws an error if the handler exceeds the time limit.
    private static func answer(to request: URLRequest, by handler: Handler) async throws -> ResponseStrategy {
        let answer = FirstResult<ResponseStrategy>()
        let timer = Mutex<Task<Void, any Error>?>(nil)
        @Sendable func startTimer() {
            let threshold = timeoutThreshold
            let task = Task {
                try await Task.sleep(for: .seconds(threshold.isNaN ? 0 : min(max(threshold, 0), 1e9)))
                answer.give(.failure(InnernetsError.interceptTimeout))
            }
            timer.withLock { $0 = task }
        }
        let work = Task {
            switch handler {
            case .closure(let handle):
                @Sendable func run() {
                    guard !Task.isCancelled else { return }
                    startTimer()
                    handle(request) { answer.give(.success($0)) }
                }
                if allowsConcurrentHandlers { run() } else { await SerialHandlers.shared.run(run) }
            case .async(let handle):
                startTimer()
                do {
                    answer.give(.success(try await handle(request)))
                } catch {
                    answer.give(.failure(error))
                }
            }
        }
        defer {
            work.cancel()
            timer.withLock { $0 }?.cancel()
        }
        return try await answer.value
    }
}
