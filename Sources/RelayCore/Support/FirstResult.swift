import Synchronization

/// The first of several competing results, awaited by one task.
package final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case over
    }

    private let state = Mutex(State.open)

    /// Creates an object without a result.
    package init() {}

    /// The value of the first result.
    ///
    /// It must be awaited at most once.
    ///
    /// Throws the error of the first result, or `CancellationError` if the task is canceled before a result arrives.
    package var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { wait($0) }
            } onCancel: {
                give(.failure(CancellationError()))
            }
        }
    }

    private func wait(_ continuation: CheckedContinuation<Value, any Error>) {
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

    /// Sets the result and resumes the waiting task.
    ///
    /// Later calls have no effect.
    ///
    /// - Parameter result: The result.
    package func give(_ result: Result<Value, any Error>) {
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
