import Foundation

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

    /// Whether requests go their own way, whatever scope they are made in.
    @TaskLocal private static var isLeft = false

    /// Makes sessions ask for the scope.
    init(_ interception: Interception) {
        self.interception = interception
        InterceptionTable.enter(interception)
    }

    deinit { InterceptionTable.leave(interception) }

    /// What takes a request that is made here, or `nil` when it goes its own way.
    ///
    /// Where nothing intercepts in the whole process, this takes no longer than reading a number.
    static func interception(for request: URLRequest) -> Interception? {
        guard InterceptionTable.isInUse, request.url?.isHTTP == true else { return nil }
        #if !canImport(FoundationNetworking)
            guard URLProtocol.property(forKey: exemption, in: request) == nil else { return nil }
        #endif
        return interceptionHere
    }

    /// What takes the requests that are made here, or `nil` when they go their own way.
    static var interceptionHere: Interception? {
        guard InterceptionTable.isInUse, !isLeft else { return nil }
        return current?.interception ?? InterceptionTable.interceptionOfCaller
    }

    /// Runs code whose requests no scope takes.
    static func leave<Result>(during operation: () throws -> Result) rethrows -> Result {
        try $isLeft.withValue(true, operation: operation)
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
