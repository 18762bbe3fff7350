import Foundation
public import RelayCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A scope whose requests are intercepted, bound to tasks rather than to a period of time.
///
/// It lasts until all of its tasks have ended. A task that outlives the operation keeps the scope active for its
/// requests.
final class InterceptionScope: Sendable {
    private let interception: Interception

    /// The innermost scope that the current task is in.
    @TaskLocal static var current: InterceptionScope?

    /// Enters a scope, which registers the interception.
    init(_ interception: Interception) {
        self.interception = interception
        InterceptionTable.enter(interception)
    }

    deinit { InterceptionTable.leave(interception) }

    /// Returns the interception of a request that is started here, or nil if the request may go to the network.
    ///
    /// The scope decides first, then the interceptor that knows the host, then the network policy. This reads one
    /// number if nothing intercepts in the whole process.
    static func interception(for request: URLRequest) -> Interception? {
        guard InterceptionTable.isInUse, ScopeExit.current != .toNetwork, let url = request.url, url.isOnNetwork else {
            return nil
        }
        #if !canImport(FoundationNetworking)
            guard !RequestExemption.exempts(request) else { return nil }
        #endif
        if ScopeExit.current == nil,
            let interception = interceptionHere ?? InterceptionTable.interception(knowingHostOf: url)
        {
            return interception
        }
        return NetworkPolicy.here.refusal(of: url).map {
            Interception(interceptor: Interceptor(refusingWith: $0), coverage: Interceptor.coverage)
        }
    }

    /// The interception of this task or thread, or nil if it is in no scope.
    static var interceptionHere: Interception? {
        guard InterceptionTable.isInUse, ScopeExit.current == nil else { return nil }
        return current?.interception ?? InterceptionTable.interceptionOfCaller
    }
}

extension Interceptor {
    /// The interceptor for requests of every session in the current task or thread, or nil outside of all scopes.
    ///
    /// Tests use it to add rules to the interceptor of their trait, to observe it, or to create a session.
    ///
    /// ```swift
    /// Interceptor.current?.add(.stub("api.example.com/items/*", .status(404)))
    /// ```
    public static var current: Interceptor? { InterceptionScope.interceptionHere?.interceptor }
}
