public import RelayCore

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A protocol class for the requests that scopes intercept, each with the interceptor of its scope.
///
/// On platforms that cannot intercept every session, add this class to the configuration of a session that is created
/// before interception begins. Requests outside every scope go to the network:
///
/// ```swift
/// configuration.protocolClasses = [RelayURLProtocol.self]
/// ```
///
/// The scope is known in the caller's context, where `canInit` runs. The request is loaded elsewhere, so its task
/// carries the interceptor.
public final class RelayURLProtocol: InterceptingProtocol {
    private var scoped: Interceptor?

    /// The interceptor of the scope that the request was started in.
    public override var interceptor: Interceptor? { scoped }

    #if canImport(FoundationNetworking)
        /// Whether a scope intercepts the request.
        public override class func canInit(with request: URLRequest) -> Bool {
            guard let interception = InterceptionScope.interception(for: request) else {
                // The library's class may have rejected the request for an interception that has just ended.
                return request.url?.isOnNetwork == true && CarriedInterceptor.current != nil
            }
            return CarriedInterceptor.attach(interception.interceptor)
        }

        /// Starts loading with the interceptor that the task carries.
        public override func startLoading() {
            scoped = CarriedInterceptor.current
            super.startLoading()
        }
    #else
        /// Whether a scope intercepts the request.
        public override class func canInit(with request: URLRequest) -> Bool {
            InterceptionScope.interception(for: request) != nil
        }

        /// Whether a scope intercepts the task.
        public override class func canInit(with task: URLSessionTask) -> Bool {
            guard let request = task.currentRequest, let interception = InterceptionScope.interception(for: request)
            else { return false }
            task.carriedInterceptor = interception.interceptor
            return true
        }

        /// Starts loading with the interceptor that the task carries.
        public override func startLoading() {
            scoped = task?.carriedInterceptor ?? InterceptionScope.interception(for: request)?.interceptor
            super.startLoading()
        }
    #endif
}
