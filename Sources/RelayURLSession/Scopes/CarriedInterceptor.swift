import FoundationInternals
import RelayCore

#if canImport(FoundationNetworking)
    /// The interceptor that a request's task carries from the caller's context to the code that loads it.
    enum CarriedInterceptor {
        /// The interceptor of the task that is started or loaded here, or nil if it carries none.
        static var current: Interceptor? { TaskAttachment.current as? Interceptor }

        /// Attaches an interceptor to the task that is being started by this code.
        ///
        /// - Returns: Whether a task is being started. Other code may call `canInit` too.
        static func attach(_ interceptor: Interceptor) -> Bool { TaskAttachment.attach(interceptor) }
    }
#else
    import Foundation
    import ObjectiveC

    extension URLSessionTask {
        private static var key: UnsafeRawPointer { unsafeBitCast(Interceptor.self, to: UnsafeRawPointer.self) }

        /// The interceptor of the task, or nil before it is known.
        var carriedInterceptor: Interceptor? {
            get { objc_getAssociatedObject(self, Self.key) as? Interceptor }
            set { objc_setAssociatedObject(self, Self.key, newValue, .OBJC_ASSOCIATION_RETAIN) }
        }
    }
#endif
