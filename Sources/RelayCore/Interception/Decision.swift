import Foundation
import HTTPArchive

/// What becomes of a request, decided in the order in which requests come.
package struct Decision: Sendable {
    /// Where the reply comes from.
    package enum Origin: Sendable {
        case reply(Reply)
        case closure(TaskContext, @Sendable (InterceptedRequest) async throws -> Reply)

        /// The network, at another place if there is a route.
        case network(Route?)

        /// The network as well; the receiver is given what went over it.
        case record(Route?, ExchangeReceiver)
    }

    let request: InterceptedRequest
    package let origin: Origin
    package let source: ObservedExchange.Source
    package let changes: [ResponseOverride.Applied.Change]

    /// Whether a session has got the reply, from the network.
    package var isLive: Bool {
        switch origin {
        case .network, .record: true
        case .reply, .closure: false
        }
    }

    /// Who is given what goes over the network, if anyone.
    package var receiver: ExchangeReceiver? {
        if case .record(_, let receiver) = origin { receiver } else { nil }
    }

    /// The reply, where nothing has to be waited for; `nil` otherwise.
    package var immediateReply: Reply? {
        guard case .reply(var reply) = origin, changes.allSatisfy(\.isImmediate) else { return nil }
        if !changes.isEmpty { apply(to: &reply) }
        return reply.completed(for: request)
    }

    /// This decision with the overrides of an earlier one, whose request was redirected to that of this one.
    ///
    /// A session that follows redirects itself has one answer, and overrides are for that.
    ///
    /// - Parameter earlier: The earlier one; `nil` changes nothing, and so does one where this is not about the network.
    /// - Returns: The decision.
    package func changed(by earlier: Decision?) -> Decision {
        guard let earlier, isLive else { return self }
        return Decision(request: earlier.request, origin: origin, source: source, changes: earlier.changes)
    }

    /// An error of an override with the request that it is about, which the override does not know; others as they are.
    private func located(_ error: any Error) -> any Error {
        let cause: (message: String, context: HARError.Context, underlying: (any Error)?)
        switch error {
        case let error as RelayError where error.code == .overrideFailed:
            cause = (error.message, error.context, error.underlying)
        case let error as HARError where error.code == .editFailed: cause = (error.message, error.context, error)
        default: return error
        }
        let subject = "The answer to \(request.method) \(SecretNames.masked(url: request.url)) cannot be overridden."
        return RelayError(
            .overrideFailed, "\(subject) \(cause.message)", at: cause.context, underlying: cause.underlying)
    }

    private func apply(to reply: inout Reply) {
        reply = reply.completed(for: request)
        do {
            for case .now(let change) in changes { try change(request, &reply) }
        } catch {
            reply = .error(located(error))
        }
    }
}

extension Decision {
    /// The reply, once code of others has given it and changed it.
    ///
    /// - Parameters:
    ///   - limit: The time that each closure has.
    ///   - live: The reply of the network; `nil` where it is not asked.
    /// - Returns: The reply; an error in it where code threw one or took too long.
    package func reply(within limit: TimeLimit, live: Reply?) async -> Reply {
        let request = request
        do {
            var reply =
                switch origin {
                case .reply(let reply): reply
                case .network, .record: live ?? .failure(.unknown)
                case .closure(let context, let answer): try await limit.run(in: context) { try await answer(request) }
                }
            reply = reply.completed(for: request)
            for change in changes {
                switch change {
                case .now(let change): try change(request, &reply)
                case .later(let context, let change):
                    let current = reply
                    reply = try await limit.run(in: context) { try await change(request, current) }
                }
            }
            return reply.completed(for: request)
        } catch {
            return .error(located(error))
        }
    }
}
