import Synchronization

/// Counts requests from 0, whoever asks.
final class RequestCount: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
