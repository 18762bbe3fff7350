import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Innernet {
    /// A closure that answers a request by calling another closure once.
    typealias Handler = @Sendable (URLRequest, @escaping @Sendable (ResponseStrategy) -> Void) async throws -> Void

    /// Returns the rule for an intercept.
    static func rule(for pattern: RequestPattern, _ method: HTTPMethod, _ handler: @escaping Handler) -> Rule {
        .stub(.method(method.name).and(pattern)) { request in
            guard let request = URLRequest(request) else { throw URLError(.badURL) }
            return try await answer(to: request, by: handler).reply
        }
    }

    /// Returns the first response of a handler, or throws if it exceeds the time limit.
    private static func answer(to request: URLRequest, by handler: @escaping Handler) async throws -> ResponseStrategy {
        let answer = FirstResult<ResponseStrategy>()
        let threshold = timeoutThreshold
        let timer = Task {
            try await Task.sleep(for: .seconds(threshold.isNaN ? 0 : min(max(threshold, 0), 1e9)))
            answer.give(.failure(InnernetsError.interceptTimeout))
        }
        let work = Task {
            do {
                try await handler(request) { answer.give(.success($0)) }
            } catch {
                answer.give(.failure(error))
            }
        }
        defer {
            timer.cancel()
            work.cancel()
        }
        return try await answer.value
    }
}
