/// The reason that requests of the current task leave all scopes.
package enum ScopeExit: Sendable {
    /// An interceptor sends them to the network.
    case toNetwork

    /// A closure of the user makes them in order to answer another request.
    case inClosure

    /// The reason for the current task, or nil if its requests stay in their scope.
    @TaskLocal package static var current: ScopeExit?
}

/// Creates tasks that have the task-local values of the code that created the context.
///
/// A closure of a test answers requests that other tasks make; expectations in it must still count for that test.
package final class TaskContext: Sendable {
    private let steps: AsyncStream<@Sendable () -> Void>.Continuation

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
        steps = continuation
        Task { for await step in stream { step() } }
    }

    deinit { steps.finish() }

    /// Creates a task whose requests no scope intercepts.
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
