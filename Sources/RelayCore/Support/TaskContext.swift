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
