import FoundationInternals
public import RelayCore

extension Interceptor {
    /// Takes the requests that every session of the process makes during an operation.
    ///
    /// ``coverage`` says which sessions these are: where possible `URLSession.shared` and all that any code made, before
    /// or meanwhile. The scope belongs to the task: it holds for the operation and for the tasks that are made in it, to
    /// their end, but not for detached ones, so that operations in parallel do not see each other. It takes what is
    /// started in it, by `resume()` or an asynchronous call; a request that is still running when the operation ends
    /// gets its answer all the same. In nested scopes the inner one takes all. Sessions of an interceptor's own keep to
    /// that one. Download tasks and WebSocket connections fail. <doc:Scopes> says what becomes of requests of detached
    /// tasks, threads, and queues.
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
        let scope = InterceptionScope(Interception(interceptor: self, coverage: Self.coverage))
        return try InterceptionScope.$current.withValue(scope, operation: operation)
    }

    /// Begins to take the requests that every session of the process makes, until that is ended.
    ///
    /// This is for code that cannot be put into an operation, such as what runs before and after a test; where it can,
    /// ``interceptEverySession(isolation:during:)`` is the better form, since tasks that are made in an operation belong
    /// to it. What is begun belongs to the task that calls, or to the thread where there is no task: another one in
    /// parallel can begin an interception of its own. While only one interceptor is active in the process, it also answers
    /// requests from tasks and threads that have no scope. As soon as there are two, the hosts of such requests decide.
    ///
    /// <doc:Scopes> says for each kind of task, thread and queue whose requests are taken. Interceptors count once, however
    /// often they intercept, those of operations in parallel included. Where ``coverage`` is not `everySession`, sessions
    /// do not say who asks: the one interceptor takes all, and of several the one that knows the host.
    ///
    /// - Returns: What ends it, by ``ActiveInterception/end()`` or when it is released; keep it.
    public func beginInterceptingEverySession() -> ActiveInterception {
        ActiveInterception(Interception(interceptor: self, coverage: Self.coverage))
    }

    /// Takes the requests of the sessions that `coverage` names, which must be possible here.
    func interceptEverySession<Result>(
        covering coverage: Coverage, isolation: isolated (any Actor)? = #isolation,
        during operation: () async throws -> Result
    ) async rethrows -> Result {
        let scope = InterceptionScope(Interception(interceptor: self, coverage: coverage))
        return try await InterceptionScope.$current.withValue(scope, operation: operation)
    }
}

extension Interceptor {
    /// Which sessions a scope takes that no interceptor made.
    public struct Coverage: Hashable, Sendable, CustomStringConvertible {
        private enum Kind { case everySession, sharedSession }

        private let kind: Kind

        /// Every session of the process, whoever made it, from whatever configuration, before or in the scope.
        public static let everySession = Self(kind: .everySession)

        /// Only `URLSession.shared`.
        public static let sharedSession = Self(kind: .sharedSession)

        /// The name, such as `everySession`.
        public var description: String { "\(kind)" }
    }

    /// The sessions whose requests a scope intercepts in this process.
    public static var coverage: Coverage {
        #if canImport(FoundationNetworking)
            isEverySessionIntercepted ? .everySession : .sharedSession
        #else
            .sharedSession
        #endif
    }

    #if canImport(FoundationNetworking)
        private static let isEverySessionIntercepted = EverySessionDetour.activate { request in
            guard let interception = InterceptionScope.interception(for: request),
                interception.coverage == .everySession
            else { return false }
            return CarriedInterceptor.attach(interception.interceptor)
        }
    #endif
}
