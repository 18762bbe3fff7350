import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLProtocol {
    /// Has `URLSession.shared` ask the class of Innernet for every request, in the way that the platform has.
    ///
    /// - Parameter type: The class.
    /// - Returns: `true`.
    @discardableResult
    public class func registerClass(_ type: Innernet.InterceptProtocol.Type) -> Bool {
        #if canImport(FoundationNetworking)
            // Registered classes are asked after those of the session, which take everything.
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

    /// Has `URLSession.shared` ask the class of Innernet no more.
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
