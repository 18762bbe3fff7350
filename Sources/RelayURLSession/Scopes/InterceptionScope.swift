import Foundation
public import RelayCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The part of a program, by task and not by time, whose requests an interceptor takes.
///
/// It lasts as long as a task is in it: one that outlives the operation keeps it, and no request falls out of it.
final class InterceptionScope: Sendable {
    private let interception: Interception

    /// The innermost scope that the current task is in.
    @TaskLocal static var current: InterceptionScope?

    /// Makes sessions ask for the scope.
    init(_ interception: Interception) {
        self.interception = interception
        InterceptionTable.enter(interception)
    }

    deinit { InterceptionTable.leave(interception) }

    /// Returns the interception of a request that is started here, or nil if the request may go to the network.
    ///
    /// The scope decides first, then the interceptor that knows the host, then the network policy. This reads one number
    /// if nothing intercepts in the whole process.
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
    /// The interceptor that takes what every session starts here, by a scope or by what was begun; `nil` if none does.
    ///
    /// By it a test adds rules to the interceptor that its trait has made, observes it, or makes a session of its own.
    ///
    /// ```swift
    /// Interceptor.current?.add(.stub("api.example.com/items/*", .status(404)))
    /// ```
    public static var current: Interceptor? { InterceptionScope.interceptionHere?.interceptor }
}
