public import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension Innernet {
    /// The URL protocol that intercepts the requests of sessions configured to use it.
    ///
    /// ```swift
    /// configuration.protocolClasses = [Innernet.InterceptProtocol.self]
    /// URLProtocol.registerClass(Innernet.InterceptProtocol.self)  // for URLSession.shared
    /// ```
    public class InterceptProtocol: InterceptingProtocol {
        /// Returns whether the request uses HTTP.
        ///
        /// A URL without a scheme counts as HTTP.
        public override class func canInit(with request: URLRequest) -> Bool {
            guard let url = request.url else { return false }
            return ["http", "https", nil].contains(url.scheme?.lowercased())
        }

        /// The interceptor that handles all intercepts.
        public override var interceptor: Interceptor? { Innernet.interceptor }
    }
}

/// The URL protocol for the shared session.
///
/// It leaves requests in a scope to the interceptor of the scope.
final class SharedInterceptProtocol: Innernet.InterceptProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        Interceptor.current == nil && super.canInit(with: request)
    }
}

extension URLProtocol {
    /// Registers Innernet's class for the requests of `URLSession.shared`.
    ///
    /// - Parameter type: The class.
    /// - Returns: `true`.
    @discardableResult
    public class func registerClass(_ type: Innernet.InterceptProtocol.Type) -> Bool {
        #if canImport(FoundationNetworking)
            // Foundation queries registered classes after the session's own classes, which accept every request.
            let isNew = Innernet.state.withLock { state in
                defer { state.isRegistered = true }
                return !state.isRegistered
            }
            if isNew { SharedInterceptProtocol.insertIntoSharedSession() }
            return true
        #else
            registerClass(SharedInterceptProtocol.self as AnyClass)
        #endif
    }

    /// Unregisters Innernet's class for the requests of `URLSession.shared`.
    ///
    /// - Parameter type: The class.
    public class func unregisterClass(_ type: Innernet.InterceptProtocol.Type) {
        #if canImport(FoundationNetworking)
            let wasRegistered = Innernet.state.withLock { state in
                defer { state.isRegistered = false }
                return state.isRegistered
            }
            if wasRegistered { SharedInterceptProtocol.removeFromSharedSession() }
        #else
            unregisterClass(SharedInterceptProtocol.self as AnyClass)
        #endif
    }
}
