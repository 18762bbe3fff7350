public import RelayCore

extension Interceptor {
    /// Intercepts requests in every session of the process during an operation.
    ///
    /// ``coverage`` describes the sessions. If possible, these are `URLSession.shared` and all sessions that any code
    /// creates before or during the operation. The scope belongs to the task. It applies to the operation and to tasks
    /// created in it until they end, but not to detached tasks, so concurrent operations do not affect each other. A
    /// request is intercepted if it is started in the scope, with `resume()` or an asynchronous call. Requests that are
    /// running when the operation ends still receive their responses. If scopes are nested, the innermost one
    /// intercepts all requests. Sessions created by an interceptor always use that interceptor. Download tasks and
    /// WebSocket connections fail. For requests from detached tasks, threads, and queues, see <doc:Scopes>.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the operation runs on; the caller's actor by default.
    ///   - operation: The code that makes the requests.
    /// - Returns: The result of the operation.
    /// - Throws: `unsupportedPlatform` if ``coverage`` is `noSession`, or any error thrown by the operation.
    public func interceptEverySession<Result>(
        isolation: isolated (any Actor)? = #isolation, during operation: () async throws -> Result
    ) async throws -> Result {
        await Coverage.test()
        return try await interceptEverySession(covering: .ofScopes(for: self), during: operation)
    }

    /// Intercepts requests in every session of the process during a synchronous operation.
    ///
    /// - Parameter operation: The code that makes the requests.
    /// - Returns: The result of the operation.
    /// - Throws: `unsupportedPlatform` if ``coverage`` is `noSession`, or any error thrown by the operation.
    public func interceptEverySession<Result>(during operation: () throws -> Result) throws -> Result {
        let scope = InterceptionScope(Interception(interceptor: self, coverage: try .ofScopes(for: self)))
        return try InterceptionScope.$current.withValue(scope, operation: operation)
    }

    /// Begins intercepting requests in every session of the process.
    ///
    /// Use this for code that cannot be in a closure, such as the setup and teardown of a test. Otherwise, prefer
    /// ``interceptEverySession(isolation:during:)``, because tasks created in its operation belong to the scope. The
    /// interception belongs to the calling task, or to the thread if there is no task, so concurrent tasks can begin
    /// separate interceptions. While only one interceptor is active in the process, it also answers requests from tasks
    /// and threads that have no scope. If several are active, the host of the request selects one of them.
    ///
    /// For details about tasks, threads and queues, see <doc:Scopes>. An interceptor with several interceptions counts
    /// only once. If ``coverage`` is not `everySession`, the caller that started a request is unknown. A single
    /// interceptor then intercepts all requests. If several are active, the host of the request selects one.
    ///
    /// - Returns: The interception, which ends with ``ActiveInterception/end()`` or when it is deallocated. Retain it.
    /// - Throws: `unsupportedPlatform` if ``coverage`` is `noSession`.
    public func beginInterceptingEverySession() throws(RelayError) -> ActiveInterception {
        ActiveInterception(Interception(interceptor: self, coverage: try .ofScopes(for: self)))
    }

    /// Intercepts requests in the sessions of a coverage, which this platform must support.
    func interceptEverySession<Result>(
        covering coverage: Coverage, isolation: isolated (any Actor)? = #isolation,
        during operation: () async throws -> Result
    ) async rethrows -> Result {
        let scope = InterceptionScope(Interception(interceptor: self, coverage: coverage))
        return try await InterceptionScope.$current.withValue(scope, operation: operation)
    }
}
