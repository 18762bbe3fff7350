/// Makes tasks that have the task-local values of the place where this was made.
///
/// Code of a test answers requests, which come from elsewhere: what it expects is to count for its test all the same.
final class TaskContext: Sendable {
    private let steps: AsyncStream<@Sendable () -> Void>.Continuation

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
        steps = continuation
        Task { for await step in stream { step() } }
    }

    deinit { steps.finish() }

    /// Makes a task, whose requests no scope takes.
    func task<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async -> Task<Value, any Error> {
        await withCheckedContinuation { continuation in
            steps.yield {
                continuation.resume(returning: InterceptionScope.leave { Task { try await operation() } })
            }
        }
    }
}
