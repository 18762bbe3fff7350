import Synchronization

/// Who is told what becomes of requests.
final class Observers: Sendable {
    private struct State {
        var last = 0
        var continuations: [Int: AsyncStream<ObservedExchange>.Continuation] = [:]
    }

    private let state = Mutex(State())
    private let count = Atomic(0)

    /// Whether there is anybody; takes no lock.
    var areActive: Bool { count.load(ordering: .relaxed) > 0 }

    /// Makes a stream of all exchanges that end from now on.
    func makeStream(bufferSize: Int) -> AsyncStream<ObservedExchange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ObservedExchange.self, bufferingPolicy: .bufferingNewest(bufferSize))
        let number = state.withLock { state in
            state.last += 1
            state.continuations[state.last] = continuation
            count.store(state.continuations.count, ordering: .relaxed)
            return state.last
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    private func remove(_ number: Int) {
        state.withLock { state in
            state.continuations[number] = nil
            count.store(state.continuations.count, ordering: .relaxed)
        }
    }

    /// Tells everybody.
    func tell(_ exchange: ObservedExchange) {
        let continuations = state.withLock { $0.continuations.values.map { $0 } }
        for continuation in continuations { continuation.yield(exchange) }
    }

    /// Ends all streams.
    func finish() {
        let continuations = state.withLock { $0.continuations.values.map { $0 } }
        for continuation in continuations { continuation.finish() }
    }
}
