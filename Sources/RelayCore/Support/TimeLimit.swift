import Foundation

/// A time limit for user-supplied closures that respond to requests.
package struct TimeLimit: Sendable {
    /// The maximum duration.
    let duration: Duration

    /// The clock that measures the duration.
    let clock: any Clock<Duration>

    /// A closure that returns the request, for error messages.
    private let subject: @Sendable () -> String

    /// Creates a time limit.
    ///
    /// - Parameters:
    ///   - duration: The maximum duration.
    ///   - clock: The clock that measures the duration.
    ///   - subject: The method and URL of the request. The expression is evaluated only for an error message.
    package init(
        duration: Duration, clock: any Clock<Duration>, subject: @escaping @autoclosure @Sendable () -> String
    ) {
        self.duration = duration
        self.clock = clock
        self.subject = subject
    }

    /// Runs an operation, and waits for its result until the time limit is exceeded.
    ///
    /// If the operation exceeds the limit, it is canceled and its result is ignored.
    ///
    /// - Parameters:
    ///   - context: The context that provides the operation's task-local values.
    ///   - operation: The operation.
    /// - Returns: The result of the operation.
    /// - Throws: `timeLimitExceeded`, `CancellationError` if the task is canceled, or any error thrown by the
    ///   operation.
    func run<Value: Sendable>(
        in context: TaskContext, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let first = FirstResult<Value>()
        let work = await context.task {
            // The timer starts with the operation, so that time spent waiting for other tasks does not count.
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

    /// The duration as text, such as `15 seconds`.
    private var limit: String {
        let style = Duration.UnitsFormatStyle(
            allowedUnits: [.hours, .minutes, .seconds, .milliseconds], width: .wide, maximumUnitCount: 2)
        return duration.formatted(style.locale(Locale(identifier: "en_US")))
    }

    private var error: RelayError {
        RelayError(
            .timeLimitExceeded,
            "The closure for \(subject()) did not return within \(limit). Make it return or throw earlier, or raise "
                + "`timeLimit` in the interceptor's configuration.")
    }
}

/// The first of several competing results, awaited by one task.
package final class FirstResult<Value: Sendable>: Sendable {
    private let results: AsyncThrowingStream<Value, any Error>
    private let continuation: AsyncThrowingStream<Value, any Error>.Continuation

    /// Creates an object without a result.
    package init() {
        (results, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// The value of the first result.
    ///
    /// It must be awaited at most once.
    ///
    /// Throws the error of the first result, or `CancellationError` if the task is canceled before a result arrives.
    package var value: Value {
        get async throws {
            for try await value in results { return value }
            throw CancellationError()
        }
    }

    /// Sets the result and resumes the waiting task.
    ///
    /// Later calls have no effect.
    ///
    /// - Parameter result: The result.
    package func give(_ result: Result<Value, any Error>) {
        continuation.yield(with: result)
        continuation.finish()
    }
}

/// A reason why requests bypass all scopes.
package enum ScopeExit: Sendable {
    /// The requests are sent to the network by an interceptor.
    case toNetwork

    /// The requests are made by a user-supplied closure that responds to another request.
    case inClosure

    /// The reason why the current task's requests bypass all scopes, or nil if they do not.
    @TaskLocal package static var current: ScopeExit?
}

/// Creates tasks that inherit the task-local values of the code that created the context.
///
/// A closure supplied by a test can also answer requests from unrelated tasks. Failed expectations in the closure must
/// still belong to the test.
package final class TaskContext: Sendable {
    private let steps: AsyncStream<@Sendable () -> Void>.Continuation

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
        steps = continuation
        Task { for await step in stream { step() } }
    }

    deinit { steps.finish() }

    /// Creates a task whose requests bypass all scopes.
    func task<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async -> Task<Value, any Error> {
        await withCheckedContinuation { continuation in
            steps.yield {
                continuation.resume(
                    returning: ScopeExit.$current.withValue(.inClosure) { Task { try await operation() } })
            }
        }
    }
}
