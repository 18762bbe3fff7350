import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Innernet {
    /// What answers a request by calling a closure, once.
    typealias Handler = @Sendable (URLRequest, @escaping @Sendable (ResponseStrategy) -> Void) async throws -> Void

    /// The rule of an intercept.
    static func rule(for pattern: RequestPattern, _ method: HTTPMethod, _ handler: @escaping Handler) -> Rule {
        .stub(.method(method.name).and(pattern)) { request in
            guard let request = URLRequest(request) else { throw URLError(.badURL) }
            return try await answer(to: request, by: handler).reply
        }
    }

    /// The first answer that a handler gives, if it does so in time.
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
