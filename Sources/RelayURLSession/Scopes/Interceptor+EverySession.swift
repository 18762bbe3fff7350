public import RelayCore

extension Interceptor {
    /// Intercepts the requests of every session in the process during an operation.
    ///
    /// ``coverage`` lists the sessions: if possible, `URLSession.shared` and all sessions created by any code, before
    /// or during the operation. The scope belongs to the task. It applies to the operation and to tasks created in it
    /// until they end, but not to detached tasks, so concurrent operations do not affect each other. A request is
    /// intercepted if it is started in the scope, by `resume()` or an asynchronous call. Requests that are still
    /// running when the operation ends still get their responses. Of nested scopes, the innermost intercepts all
    /// requests. Sessions created by an interceptor always use that interceptor. Download tasks and WebSocket
    /// connections fail. See <doc:Scopes> for requests from detached tasks, threads, and queues.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the operation runs on; the caller's by default.
    ///   - operation: The code that makes the requests.
    /// - Returns: The result of the operation.
    /// - Throws: `unsupportedPlatform` if ``coverage`` is `noSession`; the error of the operation.
    public func interceptEverySession<Result>(
        isolation: isolated (any Actor)? = #isolation, during operation: () async throws -> Result
    ) async throws -> Result {
        try await interceptEverySession(covering: .ofScopes(for: self), during: operation)
    }

    /// Intercepts the requests that every session in the process starts during a synchronous operation.
    ///
    /// - Parameter operation: The code that makes the requests.
    /// - Returns: The result of the operation.
    /// - Throws: `unsupportedPlatform` if ``coverage`` is `noSession`; the error of the operation.
    public func interceptEverySession<Result>(during operation: () throws -> Result) throws -> Result {
        let scope = InterceptionScope(Interception(interceptor: self, coverage: try .ofScopes(for: self)))
        return try InterceptionScope.$current.withValue(scope, operation: operation)
    }

    /// Begins intercepting the requests of every session in the process.
    ///
    /// Use this for code that cannot be in a closure, such as the setup and cleanup of a test. Otherwise, prefer
    /// ``interceptEverySession(isolation:during:)``, because tasks created in its operation belong to the scope. The
    /// interception belongs to the calling task, or to the thread if there is no task, so concurrent tasks can begin
    /// separate interceptions. While only one interceptor is active in the process, it also answers requests from tasks
    /// and threads that have no scope. If several are active, the host of the request decides.
    ///
    /// See <doc:Scopes> for each kind of task, thread and queue. An interceptor counts once, regardless of the number
    /// of its interceptions, including concurrent ones. If ``coverage`` is not `everySession`, the caller of a session is
    /// unknown. A single interceptor then intercepts all requests, and the host decides between several.
    ///
    /// - Returns: The interception, which ends with ``ActiveInterception/end()`` or when it is deallocated. Retain it.
    /// - Throws: `unsupportedPlatform` if ``coverage`` is `noSession`.
    public func beginInterceptingEverySession() throws(RelayError) -> ActiveInterception {
        ActiveInterception(Interception(interceptor: self, coverage: try .ofScopes(for: self)))
    }

    /// Intercepts the requests of the sessions in `coverage`, which must be supported on this platform.
    func interceptEverySession<Result>(
        covering coverage: Coverage, isolation: isolated (any Actor)? = #isolation,
        during operation: () async throws -> Result
    ) async rethrows -> Result {
        let scope = InterceptionScope(Interception(interceptor: self, coverage: coverage))
        return try await InterceptionScope.$current.withValue(scope, operation: operation)
    }
}
