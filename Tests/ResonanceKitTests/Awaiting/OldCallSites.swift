import Foundation
import ResonanceKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Calls from code written for the original library.
final class OldCallSites: Sendable {
    private let request: JSONRequest<Value, Failure>

    init(session: JSONSession) {
        request = JSONRequest<Value, Failure>(method: .get, path: "/people", session: session)
    }

    func load(search: String) throws -> Value {
        return try request.perform(parameters: ["search": search]).await()
    }

    func loadRequest(_ urlRequest: URLRequest) throws -> Value {
        let result = try request.perform(request: urlRequest).await()
        return result
    }

    func sendAndForget() throws {
        try request.perform(method: .post, command: "/1", body: Data("{}".utf8))
    }

    func future() throws -> CoFuture<Value> { try request.perform(method: .get) }

    func loadAsynchronously() async throws -> Value {
        let first = try await request.perform(parameters: ["search": "x"])
        let second = try await request.perform(parameters: ["search": "x"]).await()
        return first == second ? first : Value(value: 0)
    }
}
