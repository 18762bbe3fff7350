import FoundationInternals
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
        ///
        /// If the task cannot carry the interceptor, the request is loaded by this class all the same, and fails.
        public override class func canInit(with request: URLRequest) -> Bool {
            guard let interception = InterceptionScope.interception(for: request) else {
                // The library's class may have rejected the request for an interception that has just ended.
                return request.url?.isOnNetwork == true && Internals.session.attachedObject is Interceptor
            }
            _ = Internals.session.attach(interception.interceptor)
            return true
        }

        /// The capability that the library's classes lack to leave requests of all sessions to this class, or nil.
        ///
        /// The first access makes them do so.
        static let missingForEverySession = Internals.session.refuseRequests(where: attachInterceptor)

        /// Whether the library's classes leave a request of any session to this class.
        ///
        /// The task carries the interceptor from here to the code that loads it. A request that cannot carry it is
        /// refused all the same, because a request of a scope must not reach the network.
        private static func attachInterceptor(to request: URLRequest) -> Bool {
            guard let interception = InterceptionScope.interception(for: request), interception.isForEverySession else {
                return false
            }
            _ = Internals.session.attach(interception.interceptor)
            return true
        }

        /// Starts loading with the interceptor that the task carries.
        public override func startLoading() {
            scoped = Internals.session.attachedObject as? Interceptor ?? Interceptor(refusingWith: taskIsUnknown)
            super.startLoading()
        }

        private var taskIsUnknown: RelayError {
            RelayError(
                .unsupportedPlatform,
                """
                The request for \(request.url.map { MessageText.url($0.absoluteString) } ?? "a URL") belongs to a scope, \
                but its task could not be connected with it (taskAttachment, \(PlatformVersions.description)). Use a \
                session of the interceptor (`session()`), or install it in the configuration of a session (`install(in:)`).
                """)
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

#if !canImport(FoundationNetworking)
    import ObjectiveC

    extension URLSessionTask {
        private static var key: UnsafeRawPointer { unsafeBitCast(Interceptor.self, to: UnsafeRawPointer.self) }

        /// The interceptor of the task, or nil before it is known.
        fileprivate var carriedInterceptor: Interceptor? {
            get { objc_getAssociatedObject(self, Self.key) as? Interceptor }
            set { objc_setAssociatedObject(self, Self.key, newValue, .OBJC_ASSOCIATION_RETAIN) }
        }
    }
#endif
