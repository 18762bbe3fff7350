import Synchronization
package import Testing

/// A trait that limits the number of test cases that run at the same time.
///
/// Swift Testing starts all cases of the process at once. A case that waits for an event then resumes only after each
/// of the thousands of other cases has had its turn, which can take minutes on a slow machine.
package struct ConcurrencyLimit: SuiteTrait, TestTrait, TestScoping {
    /// Whether the current case already counts, because a suite and a suite inside it both have this trait.
    @TaskLocal private static var isCounted = false

    private static let turns = Turns(count: 8)

    package let isRecursive = true

    package init() {}

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if Self.isCounted { return try await function() }
        await Self.turns.begin()
        defer { Self.turns.end() }
        try await Self.$isCounted.withValue(true) { try await function() }
    }
}

/// A limited number of turns, which are given in the order of requests.
private final class Turns: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
        var next = 0
    }

    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(free: count)) }

    func begin() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.next < state.waiting.count else {
                state.free += 1
                return nil
            }
            defer { state.next += 1 }
            return state.waiting[state.next]
        }
        next?.resume()
    }
}
