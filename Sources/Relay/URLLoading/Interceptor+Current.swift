extension Interceptor {
    /// The interceptor that takes what every session starts here, by a scope or by what was begun; `nil` if none does.
    ///
    /// By it a test adds rules to the interceptor that its trait has made, observes it, or makes a session of its own.
    ///
    /// ```swift
    /// Interceptor.current?.add(.stub("api.example.com/items/*", .status(404)))
    /// ```
    public static var current: Interceptor? { InterceptionScope.interceptionHere?.interceptor }
}
