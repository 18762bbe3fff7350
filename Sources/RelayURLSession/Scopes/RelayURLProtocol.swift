import FoundationInternals
public import RelayCore

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A protocol class that loads requests in scopes, each from the interceptor of its scope.
///
/// On platforms that cannot intercept every session, add this class to the configuration of a session that is created
/// before interception begins. Requests outside scopes use the network:
///
/// ```swift
/// configuration.protocolClasses = [RelayURLProtocol.self]
/// ```
///
/// The scope is known in the caller's context, in which `canInit` runs. The request is loaded in another context, so
/// the interceptor is attached to its task.
public final class RelayURLProtocol: InterceptingProtocol {
    private var scoped: Interceptor?

    /// The interceptor of the scope that the request was started in.
    public override var interceptor: Interceptor? { scoped }

    #if canImport(FoundationNetworking)
        /// Returns whether a scope intercepts the request.
        ///
        /// If the interceptor cannot be attached to the task, this class still loads the request, which then fails.
        public override class func canInit(with request: URLRequest) -> Bool {
            // Otherwise, a network policy of the process could refuse the test's request, and the test would fail.
            if CapabilityProbes.isProbe(request) { return false }
            guard let interception = InterceptionScope.interception(for: request) else {
                // FoundationNetworking's class may have rejected the request because of an interception that has just
                // ended.
                return request.url?.isOnNetwork == true && TaskAttachment.current is Interceptor
            }
            _ = TaskAttachment.attach(interception.interceptor)
            return true
        }

        /// The missing capability that prevents this class from receiving requests in all sessions, or nil.
        ///
        /// The first access makes FoundationNetworking's own classes reject intercepted requests.
        static let missingForEverySession = EverySessionDetour.activate(attachInterceptor)

        /// Returns whether FoundationNetworking's own classes must reject a request so that this class loads it.
        ///
        /// This function attaches the interceptor to the task, for the code that loads the task. If this fails, the
        /// request is still rejected, because a request in a scope must not reach the network.
        private static func attachInterceptor(to request: URLRequest) -> Bool {
            guard let interception = InterceptionScope.interception(for: request), interception.isForEverySession else {
                return false
            }
            _ = TaskAttachment.attach(interception.interceptor)
            return true
        }

        /// Starts loading with the interceptor that is attached to the task.
        public override func startLoading() {
            scoped = TaskAttachment.current as? Interceptor ?? Interceptor(refusingWith: taskIsUnknown)
            super.startLoading()
        }

        private var taskIsUnknown: RelayError {
            RelayError(
                .unsupportedPlatform,
                """
                The request for \(request.url.map { MessageText.url($0.absoluteString) } ?? "a URL") belongs to a scope, \
                but its interceptor could not be attached to the task (taskAttachment, \
                \(PlatformVersions.description)). Use a session of the interceptor (`session()`), or install the \
                interceptor in the configuration of your session (`install(in:)`).
                """)
        }
    #else
        /// Returns whether a scope intercepts the request.
        public override class func canInit(with request: URLRequest) -> Bool {
            InterceptionScope.interception(for: request) != nil
        }

        /// Returns whether a scope intercepts the task.
        public override class func canInit(with task: URLSessionTask) -> Bool {
            guard let request = task.currentRequest, let interception = InterceptionScope.interception(for: request)
            else { return false }
            task.carriedInterceptor = interception.interceptor
            return true
        }

        /// Starts loading with the interceptor that is attached to the task.
        public override func startLoading() {
            scoped = task?.carriedInterceptor ?? InterceptionScope.interception(for: request)?.interceptor
            super.startLoading()
        }
    #endif
}

#if canImport(FoundationNetworking)
    extension InterceptingProtocol {
        /// Makes `URLSession.shared` query this class for every request, before the platform's own classes.
        ///
        /// If this is impossible, all requests without an interceptor fail from then on.
        package class func insertIntoSharedSession() {
            guard let missing = SharedSessionClasses.insert(self) else { return }
            NetworkPolicy.refuseRequests(with: RelayError("Requests in `URLSession.shared`", without: [missing]))
        }

        /// Undoes one call to ``insertIntoSharedSession()``.
        package class func removeFromSharedSession() { SharedSessionClasses.remove(self) }
    }
#else
    import ObjectiveC

    extension URLSessionTask {
        private static var key: UnsafeRawPointer { unsafeBitCast(Interceptor.self, to: UnsafeRawPointer.self) }

        /// The interceptor that is attached to the task, or nil.
        fileprivate var carriedInterceptor: Interceptor? {
            get { objc_getAssociatedObject(self, Self.key) as? Interceptor }
            set { objc_setAssociatedObject(self, Self.key, newValue, .OBJC_ASSOCIATION_RETAIN) }
        }
    }
#endif
