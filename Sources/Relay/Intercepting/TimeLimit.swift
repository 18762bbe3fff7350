import Foundation
import HTTPArchive
import Synchronization

/// The time that code of others has to give an answer.
struct TimeLimit: Sendable {
    /// The time.
    let duration: Duration

    /// What measures it.
    let clock: any Clock<Duration>

    /// What the code answers, in messages.
    let subject: String

    /// Runs code, and waits no longer than the time.
    ///
    /// Code that goes on is cancelled, and what it gives later is ignored.
    ///
    /// - Parameters:
    ///   - context: Where the code belongs.
    ///   - operation: The code.
    /// - Returns: What it returned.
    /// - Throws: What it threw, `timeLimitExceeded`, or `CancellationError` when the task was cancelled.
    func run<Value: Sendable>(
        in context: TaskContext, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let first = FirstResult<Value>()
        let work = await context.task {
            // The time begins with the code, however many tasks it had to wait for.
            let timer = Task {
                try await clock.sleep(for: duration)
                first.give(.failure(error))
            }
            defer { timer.cancel() }
            await withTaskCancellationHandler {
                do { first.give(.success(try await operation())) } catch { first.give(.failure(error)) }
            } onCancel: {
                timer.cancel()
            }
        }
        defer { work.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { first.wait($0) }
        } onCancel: {
            first.give(.failure(CancellationError()))
        }
    }

    private var error: HARError {
        HARError(
            .timeLimitExceeded,
            "The code that answers \(subject) did not do so within \(duration.formatted()); have it return or throw, or "
                + "raise the interceptor's time limit.")
    }
}

/// The first of several results, for one who waits for it.
private final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case over
    }

    private let state = Mutex(State.open)

    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let result: Result<Value, any Error>? = state.withLock { state in
            if case .given(let result) = state {
                state = .over
                return result
            }
            state = .awaited(continuation)
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    func give(_ result: Result<Value, any Error>) {
        let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .open:
                state = .given(result)
                return nil
            case .awaited(let continuation):
                state = .over
                return continuation
            case .given, .over:
                return nil
            }
        }
        waiting?.resume(with: result)
    }
}
