import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The part of a program, by task and not by time, whose requests an interceptor takes.
///
/// It lasts as long as a task is in it: one that outlives the operation keeps it, and no request falls out of it.
final class InterceptionScope: Sendable {
    /// Why requests leave all scopes.
    private enum Leave {
        /// An interceptor sends them to the network.
        case toNetwork

        /// Code of the user makes them in order to answer another request.
        case inClosure
    }

    private let interception: Interception

    /// The innermost scope that the current task is in.
    @TaskLocal static var current: InterceptionScope?

    /// Why requests leave all scopes, or nil if they do not.
    @TaskLocal private static var left: Leave?

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
        guard InterceptionTable.isInUse, left != .toNetwork, let url = request.url, url.isOnNetwork else { return nil }
        #if !canImport(FoundationNetworking)
            guard URLProtocol.property(forKey: exemption, in: request) == nil else { return nil }
        #endif
        if left == nil, let interception = interceptionHere ?? InterceptionTable.interception(knowingHostOf: url) {
            return interception
        }
        return NetworkPolicy.here.refusal(of: url).map {
            Interception(interceptor: Interceptor(refusingWith: $0), coverage: Interceptor.coverage)
        }
    }

    /// The interception of this task or thread, or nil if it is in no scope.
    static var interceptionHere: Interception? {
        guard InterceptionTable.isInUse, left == nil else { return nil }
        return current?.interception ?? InterceptionTable.interceptionOfCaller
    }

    /// Runs code whose requests no scope intercepts, because they are made to answer another request.
    static func leave<Result>(during operation: () throws -> Result) rethrows -> Result {
        try $left.withValue(.inClosure, operation: operation)
    }

    /// Runs code that sends a request of an interceptor to the network.
    static func leaveForNetwork<Result>(during operation: () throws -> Result) rethrows -> Result {
        try $left.withValue(.toNetwork, operation: operation)
    }

    /// A request that no scope takes, when it is made where none is current.
    static func exempt(_ request: URLRequest) -> URLRequest {
        #if canImport(FoundationNetworking)
            return request
        #else
            guard let marked = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return request }
            URLProtocol.setProperty(true, forKey: exemption, in: marked)
            return marked as URLRequest
        #endif
    }

    #if !canImport(FoundationNetworking)
        private static let exemption = "Relay passes this request through"
    #endif
}
