import Foundation
import HTTPArchive

/// The handling of a request, decided in the order in which requests arrive.
package struct Decision: Sendable {
    /// The source of a response.
    package enum Origin: Sendable {
        case reply(Reply)
        case closure(TaskContext, @Sendable (InterceptedRequest) async throws -> Reply)

        /// The network, at another URL if there is a route.
        case network(Route?)

        /// The network, with the exchange passed to a receiver.
        case record(Route?, ExchangeReceiver)
    }

    let request: InterceptedRequest
    package let origin: Origin
    package let source: ObservedExchange.Source
    package let changes: [ResponseOverride.Applied.Change]

    /// Whether the response comes from the network.
    package var isLive: Bool {
        switch origin {
        case .network, .record: true
        case .reply, .closure: false
        }
    }

    /// The receiver of the exchange with the network, or nil if there is no recording.
    package var receiver: ExchangeReceiver? {
        if case .record(_, let receiver) = origin { receiver } else { nil }
    }

    /// The response, or nil if it requires waiting.
    package var immediateReply: Reply? {
        guard case .reply(var reply) = origin, changes.allSatisfy(\.isImmediate) else { return nil }
        if !changes.isEmpty { apply(to: &reply) }
        return reply.completed(for: request)
    }

    /// Returns this decision with the overrides of an earlier one, whose request was redirected to this request.
    ///
    /// A session that follows redirects itself sees one response. The overrides of the first request apply to it.
    ///
    /// - Parameter earlier: The earlier decision, or nil for the first request.
    /// - Returns: The combined decision; this decision if `earlier` is nil or the response is not from the network.
    package func changed(by earlier: Decision?) -> Decision {
        guard let earlier, isLive else { return self }
        return Decision(request: earlier.request, origin: origin, source: source, changes: earlier.changes)
    }

    /// Returns an error of an override with the request added to its message, and any other error unchanged.
    private func located(_ error: any Error) -> any Error {
        let cause: (message: String, context: HARError.Context, underlying: (any Error)?)
        switch error {
        case let error as RelayError where error.code == .overrideFailed:
            cause = (error.message, error.context, error.underlying)
        case let error as HARError where error.code == .editFailed: cause = (error.message, error.context, error)
        default: return error
        }
        let subject = "The response to \(request.method) \(MessageText.url(request.url)) cannot be overridden."
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
    /// Returns the response after running the closures that produce and change it.
    ///
    /// - Parameters:
    ///   - limit: The time limit of each closure.
    ///   - live: The response from the network, or nil if the request is not sent.
    /// - Returns: The response, which holds an error if a closure throws or exceeds its time limit.
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
