#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Loads the requests that scopes take, each for the interceptor of the scope it was started in.
///
/// The scope is known where a request starts, which is where `canInit` runs; what loads it may be made elsewhere and
/// runs elsewhere, so that the task carries its interceptor there.
public class ScopeProtocol: InterceptingProtocol {
    private var scoped: Interceptor?

    /// The interceptor of the scope that the request was started in.
    public override var interceptor: Interceptor? { scoped }

    #if canImport(FoundationNetworking)
        /// Whether a scope takes the request here.
        public override class func canInit(with request: URLRequest) -> Bool {
            guard let interception = InterceptionScope.interception(for: request) else {
                // The library's own class may have said no for an interception that has just ended.
                return request.url?.isOnNetwork == true && CarriedInterceptor.current != nil
            }
            return CarriedInterceptor.attach(interception.interceptor)
        }

        /// Begins to load, for the interceptor that the task carries.
        public override func startLoading() {
            scoped = CarriedInterceptor.current
            super.startLoading()
        }
    #else
        /// Whether a scope takes the request here.
        public override class func canInit(with request: URLRequest) -> Bool {
            InterceptionScope.interception(for: request) != nil
        }

        /// Whether a scope takes the task here.
        public override class func canInit(with task: URLSessionTask) -> Bool {
            guard let request = task.currentRequest, let interception = InterceptionScope.interception(for: request)
            else { return false }
            task.carriedInterceptor = interception.interceptor
            return true
        }

        /// Begins to load, for the interceptor that the task carries.
        public override func startLoading() {
            scoped = task?.carriedInterceptor ?? InterceptionScope.interception(for: request)?.interceptor
            super.startLoading()
        }
    #endif
}
