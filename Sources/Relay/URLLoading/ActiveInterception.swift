/// An interception that was begun and lasts until it is ended: ``Interceptor/beginInterceptingEverySession()``.
///
/// It keeps its interceptor alive, and ends at the latest when nobody refers to it any more.
public final class ActiveInterception: Sendable {
    private let caller: Caller
    private let number: Int

    /// Begins for whom calls.
    init(_ interception: Interception) {
        caller = .identified()
        number = InterceptionTable.begin(interception, for: caller)
    }

    deinit { end() }

    /// Ends the interception, for whom it was begun; from then on requests go where they would go without it.
    ///
    /// A request that is still running gets its answer all the same. It may be called anywhere and any number of times.
    public func end() { InterceptionTable.end(number, of: caller) }
}
