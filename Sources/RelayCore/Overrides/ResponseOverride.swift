import Foundation
import Synchronization

/// A change of a reply before it is delivered.
///
/// ```swift
/// interceptor.add(.override("api.example.com/user", .jsonMembers(["token": "expired"]), .status(401)))
/// ```
///
/// What an override does not touch stays as it was, byte for byte: of JSON the text of numbers, the order of members and the
/// escapes too. `Content-Length` follows the body. Overrides of responses pass over errors.
public struct ResponseOverride: Sendable {
    /// How a reply is changed.
    enum Change: Sendable {
        case now(@Sendable (InterceptedRequest, inout Reply) throws -> Void)

        /// Code that may wait.
        case later(@Sendable (InterceptedRequest, Reply) async throws -> Reply)
    }

    /// An override in use by an interceptor.
    package struct Applied: Sendable {
        package enum Change: Sendable {
            case now(@Sendable (InterceptedRequest, inout Reply) throws -> Void)
            case later(TaskContext, @Sendable (InterceptedRequest, Reply) async throws -> Reply)
        }

        let change: Change

        /// Whether the override applies this time; asked for each request once, in their order.
        let draw: @Sendable () -> Bool
    }

    let change: Change

    /// Makes what says whether the override applies, with a state of its own for each interceptor.
    var makeDraw: @Sendable () -> @Sendable () -> Bool = { { true } }

    /// Creates an override of replies, errors included.
    init(_ change: Change) {
        self.change = change
    }

    /// Creates an override of responses.
    init(ofResponses change: @escaping @Sendable (InterceptedRequest, inout InterceptedResponse) throws -> Void) {
        self.init(
            .now { request, reply in
                guard case .success(var response) = reply.result else { return }
                try change(request, &response)
                reply.result = .success(response)
            })
    }

    /// Creates an override of bodies; `nil` leaves one as it is.
    init(ofBodies change: @escaping @Sendable (InterceptedResponse) throws -> [UInt8]?) {
        self.init { _, response in
            if let body = try change(response) { response.replaceBody(with: .init(body)) }
        }
    }

    func applied() -> Applied {
        switch change {
        case .now(let change): Applied(change: .now(change), draw: makeDraw())
        case .later(let change): Applied(change: .later(TaskContext(), change), draw: makeDraw())
        }
    }
}

extension ResponseOverride.Applied.Change {
    /// Whether the change waits for nothing.
    var isImmediate: Bool {
        if case .now = self { true } else { false }
    }
}

extension ResponseOverride {
    /// A closure changes the response, or takes another one.
    ///
    /// It runs as the closure of a stub does, in the same time; an error that it throws is what the request ends with.
    /// `Content-Length` follows a body that it changes.
    ///
    /// - Parameter change: Is given the request and the response to it, such as the recorded one.
    /// - Returns: The override.
    public static func changing(
        _ change: @escaping @Sendable (InterceptedRequest, InterceptedResponse) async throws -> InterceptedResponse
    ) -> ResponseOverride {
        ResponseOverride(
            .later { request, reply in
                guard case .success(let response) = reply.result else { return reply }
                var changed = try await change(request, response)
                if changed.body != response.body { changed.replaceBody(with: changed.body) }
                var reply = reply
                reply.result = .success(changed)
                return reply
            })
    }

    /// An override applies to a share of the requests, chosen at random but the same in every run.
    ///
    /// ```swift
    /// interceptor.add(.override(.any, .sometimes(0.1, seed: 1, .failure(.timedOut))))
    /// ```
    ///
    /// - Parameters:
    ///   - share: The share, from 0 for none to 1 for all.
    ///   - seed: Decides which ones, by their number among the requests that the override is for.
    ///   - override: What happens to these.
    /// - Returns: The override.
    public static func sometimes(_ share: Double, seed: UInt64, _ override: ResponseOverride) -> ResponseOverride {
        var sometimes = override
        let makeInner = override.makeDraw
        sometimes.makeDraw = {
            let count = RequestCount()
            let inner = makeInner()
            return {
                var generator = SeededGenerator(seed: seed, number: count.next())
                return Double.random(in: 0..<1, using: &generator) < share && inner()
            }
        }
        return sometimes
    }
}

/// Counts requests from 0, whoever asks.
final class RequestCount: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
