/// The reason why requests that the current task makes bypass all scopes.
package enum ScopeExit: Sendable {
    /// An interceptor sends the requests to the network.
    case toNetwork

    /// A closure supplied by the user makes the requests in order to answer another request.
    case inClosure

    /// The reason for the current task, or nil if its requests do not bypass scopes.
    @TaskLocal package static var current: ScopeExit?
}

/// Creates tasks that inherit the task-local values of the code that created the context.
///
/// A closure supplied by a test also answers requests from unrelated tasks. Expectations inside the closure must still
/// count for the test.
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
