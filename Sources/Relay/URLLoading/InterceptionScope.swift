import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The part of a program, by task and not by time, whose requests an interceptor takes.
///
/// It lasts as long as a task is in it: one that outlives the operation keeps it, and no request falls out of it.
final class InterceptionScope: Sendable {
    let interceptor: Interceptor
    let coverage: Interceptor.Coverage

    /// The innermost scope that the current task is in.
    @TaskLocal static var current: InterceptionScope?

    /// How many scopes there are, by the number of their interceptor; the classes of these are registered.
    private static let scopes = Mutex<[Int: Int]>([:])

    /// Makes sessions ask for the scope.
    init(_ interceptor: Interceptor, coverage: Interceptor.Coverage) {
        self.interceptor = interceptor
        self.coverage = coverage
        #if canImport(FoundationNetworking)
            _ = URLSession.shared  // The first session registers the library's own classes.
            if coverage == .sharedSession { SharedSessionDetour.begin() }
        #endif
        Self.scopes.withLock { scopes in
            if scopes[interceptor.number] == nil { _ = URLProtocol.registerClass(interceptor.scopeProtocol) }
            scopes[interceptor.number, default: 0] += 1
        }
    }

    deinit {
        Self.scopes.withLock { scopes in
            scopes[interceptor.number, default: 0] -= 1
            guard scopes[interceptor.number] == 0 else { return }
            scopes[interceptor.number] = nil
            URLProtocol.unregisterClass(interceptor.scopeProtocol)
        }
        #if canImport(FoundationNetworking)
            if coverage == .sharedSession { SharedSessionDetour.end() }
        #endif
    }

    /// The number of the interceptor that takes a request made here, or `nil` when it goes its own way.
    static func interceptorNumber(for request: URLRequest) -> Int? {
        guard request.url?.isHTTP == true else { return nil }
        #if canImport(FoundationNetworking)
            return current?.interceptor.number
        #else
            // `URLSession` asks on a queue of its own, where no task local can be seen.
            guard URLProtocol.property(forKey: exemption, in: request) == nil else { return nil }
            return current?.interceptor.number ?? scopes.withLock { $0.count == 1 ? $0.keys.first : nil }
        #endif
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
