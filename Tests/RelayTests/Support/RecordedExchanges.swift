import Foundation
import Relay
import Synchronization

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The exchanges that an interceptor recorded, with functions to wait for them.
final class RecordedExchanges: Sendable {
    private struct State {
        var exchanges: [CapturedExchange] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<[CapturedExchange], Never>)] = []
    }

    private let state = Mutex(State())

    /// The exchanges recorded so far.
    var now: [CapturedExchange] { state.withLock { $0.exchanges } }

    /// A receiver that adds exchanges, which it never needs to receive again.
    func receiver(on queue: BackgroundQueue) -> ExchangeReceiver {
        ExchangeReceiver(queue: queue) { [self] exchange, _, _ in
            append(exchange)
            return true
        }
    }

    func append(_ exchange: CapturedExchange) {
        let (exchanges, ready) = state.withLock { state in
            state.exchanges.append(exchange)
            let count = state.exchanges.count
            let ready = state.waiting.filter { $0.count <= count }
            state.waiting.removeAll { $0.count <= count }
            return (state.exchanges, ready)
        }
        for waiting in ready { waiting.continuation.resume(returning: exchanges) }
    }

    /// Waits until a number of exchanges have been recorded, and returns all recorded exchanges.
    func first(_ count: Int) async -> [CapturedExchange] {
        await withCheckedContinuation { continuation in
            let exchanges: [CapturedExchange]? = state.withLock { state in
                if state.exchanges.count >= count { return state.exchanges }
                state.waiting.append((count, continuation))
                return nil
            }
            if let exchanges { continuation.resume(returning: exchanges) }
        }
    }

    /// The first exchange.
    var one: CapturedExchange { get async { await first(1)[0] } }

    /// Creates an interceptor that records live exchanges in this object.
    func interceptor(_ rules: Rule...) -> Interceptor {
        let interceptor = Interceptor(name: "test", configuration: .patient)
        interceptor.add([.recording(.any) { [self] in append($0) }] + rules)
        return interceptor
    }
}

extension Rule {
    /// Creates a rule that passes requests through and calls a closure with each live exchange.
    static func recording(
        _ pattern: RequestPattern, by route: Route? = nil, _ record: @escaping @Sendable (CapturedExchange) -> Void
    ) -> Rule {
        let receiver = ExchangeReceiver(queue: BackgroundQueue(label: "RecordedExchanges")) { exchange, _, _ in
            record(exchange)
            return true
        }
        return Rule(pattern) { .origin(.network(route, receiver)) }
    }
}
