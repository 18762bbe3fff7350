extension Interceptor {
    /// Takes the requests that every session of the process makes during an operation.
    ///
    /// ``coverage`` says which sessions these are: where possible `URLSession.shared` and all that any code made, before
    /// or meanwhile. The scope belongs to the task: it holds for the operation and for the tasks that are made in it, to
    /// their end, but not for detached ones, so that operations in parallel do not see each other. It takes what is
    /// started in it, by `resume()` or an asynchronous call; a request that is still running when the operation ends
    /// gets its answer all the same. In nested scopes the inner one takes all. Sessions of an interceptor's own keep to
    /// that one, and web sockets are never taken.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the operation runs on; the caller's by default.
    ///   - operation: What makes the requests.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    public func interceptEverySession<Result>(
        isolation: isolated (any Actor)? = #isolation, during operation: () async throws -> Result
    ) async rethrows -> Result {
        try await interceptEverySession(covering: Self.coverage, during: operation)
    }

    /// Takes the requests that every session of the process starts during an operation that does not wait.
    ///
    /// - Parameter operation: What makes the requests.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    public func interceptEverySession<Result>(during operation: () throws -> Result) rethrows -> Result {
        let scope = InterceptionScope(self, coverage: Self.coverage)
        return try InterceptionScope.$current.withValue(scope, operation: operation)
    }

    /// Takes the requests of the sessions that `coverage` names, which must be possible here.
    func interceptEverySession<Result>(
        covering coverage: Coverage, isolation: isolated (any Actor)? = #isolation,
        during operation: () async throws -> Result
    ) async rethrows -> Result {
        let scope = InterceptionScope(self, coverage: coverage)
        return try await InterceptionScope.$current.withValue(scope, operation: operation)
    }
}
