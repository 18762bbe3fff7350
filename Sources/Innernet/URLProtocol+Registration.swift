import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

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
