import Foundation
import HTTPArchive

/// The time that code of others has to give an answer.
package struct TimeLimit: Sendable {
    /// The time.
    let duration: Duration

    /// What measures it.
    let clock: any Clock<Duration>

    /// What the code answers, in messages.
    let subject: String

    /// Creates a limit.
    package init(duration: Duration, clock: any Clock<Duration>, subject: String) {
        self.duration = duration
        self.clock = clock
        self.subject = subject
    }

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
        return try await first.value
    }

    private var error: RelayError {
        RelayError(
            .timeLimitExceeded,
            "The code that answers \(subject) did not do so within \(duration.formatted()); have it return or throw, or "
                + "raise the interceptor's time limit.")
    }
}
