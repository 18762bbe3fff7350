import Foundation
import Synchronization

/// A change that is applied to a response before it is delivered.
///
/// ```swift
/// interceptor.add(.override("api.example.com/user", .jsonMembers(["token": "expired"]), .status(401)))
/// ```
///
/// Everything that an override does not change is preserved byte for byte. In JSON, this includes the notation of
/// numbers, the order of members, and escape sequences. `Content-Length` is updated to match the body. An override that
/// changes the response has no effect on requests that fail.
public struct ResponseOverride: Sendable {
    /// An override with its state for one interceptor.
    package struct Applied: Sendable {
        /// A change to a response or an error.
        package enum Change: Sendable {
            case now(readsBody: Bool, @Sendable (InterceptedRequest, inout Reply) throws -> Void)

            /// An asynchronous change made by user code.
            case later(TaskContext, @Sendable (InterceptedRequest, Reply) async throws -> Reply)
        }

        let change: Change

        /// A closure that returns whether the override applies to the next request.
        ///
        /// Call it once per request, in order.
        var draw: @Sendable () -> Bool = { true }
    }

    /// A closure that creates the override's state for an interceptor.
    let applied: @Sendable () -> Applied

    private init(applied: @escaping @Sendable () -> Applied) { self.applied = applied }

    private init(
        readsBody: Bool, ofReplies change: @escaping @Sendable (InterceptedRequest, inout Reply) throws -> Void
    ) {
        self.init(applied: { Applied(change: .now(readsBody: readsBody, change)) })
    }

    /// Creates an override that changes the delivery of responses and errors.
    init(ofDelivery change: @escaping @Sendable (inout Reply) -> Void) {
        self.init(readsBody: false, ofReplies: { _, reply in change(&reply) })
    }

    /// Creates an override that changes only responses, not errors.
    ///
    /// - Parameters:
    ///   - readsBody: Whether the change depends on the body, which must then be in memory; `false` by default.
    ///   - change: A closure that changes the response.
    init(
        readsBody: Bool = false,
        ofResponses change: @escaping @Sendable (InterceptedRequest, inout InterceptedResponse) throws -> Void
    ) {
        self.init(
            readsBody: readsBody,
            ofReplies: { request, reply in
                guard case .success(var response) = reply.result else { return }
                try change(request, &response)
                reply.result = .success(response)
            })
    }

    /// Creates an override that changes bodies.
    ///
    /// The closure returns nil to leave a body unchanged.
    init(ofBodies change: @escaping @Sendable (InterceptedResponse) throws -> [UInt8]?) {
        self.init(
            readsBody: true,
            ofResponses: { _, response in
                if let body = try change(response) { response.replaceBody(with: .init(body)) }
            })
    }
}

extension ResponseOverride.Applied.Change {
    /// Whether the change is synchronous.
    var isImmediate: Bool {
        if case .now = self { true } else { false }
    }

    /// Whether the change depends on the body, which must then be in memory.
    var readsBody: Bool {
        switch self {
        case .now(let readsBody, _): readsBody
        case .later: true
        }
    }
}

extension ResponseOverride {
    /// Returns an override that calls a closure to change or replace the response.
    ///
    /// The closure runs in the same context and with the same time limit as a stub closure. If it throws, the request
    /// fails with that error. `Content-Length` is updated to match the body.
    ///
    /// - Parameter change: A closure that receives the request and its response, and returns the new response.
    /// - Returns: The override.
    public static func changing(
        _ change: @escaping @Sendable (InterceptedRequest, InterceptedResponse) async throws -> InterceptedResponse
    ) -> ResponseOverride {
        let later: @Sendable (InterceptedRequest, Reply) async throws -> Reply = { request, reply in
            guard case .success(let response) = reply.result else { return reply }
            var changed = try await change(request, response)
            if changed.body != response.body { changed.replaceBody(with: changed.body) }
            var reply = reply
            reply.result = .success(changed)
            return reply
        }
        return ResponseOverride(applied: { Applied(change: .later(TaskContext(), later)) })
    }

    /// Returns an override that applies to a random but reproducible selection of requests.
    ///
    /// ```swift
    /// interceptor.add(.override(.any, .sometimes(0.1, seed: 1, .failure(.timedOut))))
    /// ```
    ///
    /// - Parameters:
    ///   - share: The share of requests to select, from 0 (none) to 1 (all).
    ///   - seed: The seed for the random selection. The selection depends only on the seed and on the position of each
    ///     request among the requests that match the rule.
    ///   - override: The override for the selected requests.
    /// - Returns: The override.
    public static func sometimes(_ share: Double, seed: UInt64, _ override: ResponseOverride) -> ResponseOverride {
        ResponseOverride(applied: {
            let inner = override.applied()
            let count = Atomic(0)
            return Applied(change: inner.change) {
                let number = count.add(1, ordering: .relaxed).oldValue
                var generator = SeededGenerator(seed: seed, number: number)
                return Double.random(in: 0..<1, using: &generator) < share && inner.draw()
            }
        })
    }
}
