#if canImport(FoundationNetworking)
    import CPlatform

    /// The interceptor of a request's task, on the way from where the task starts to where it is loaded.
    ///
    /// FoundationNetworking asks `canInit` in the caller's context, where scopes are known, but tells it nothing of the
    /// task; it makes the protocol's object wherever its cache answers, and has it load elsewhere again. All of a task
    /// runs on one Dispatch queue, though, that is the task's own: there the interceptor is attached, and goes with it.
    enum CarriedInterceptor {
        /// The name that FoundationNetworking gives to the queues of its tasks.
        private static let queueName = "org.swift.URLSessionTask.WorkQueue"

        /// What nothing else has the address of.
        nonisolated(unsafe) private static let key = UnsafeRawPointer(
            UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

        /// Whether Dispatch can do what is needed here.
        static var isPossible: Bool { queue_can_attach() != 0 }

        /// The interceptor of the task that is asked for, started or loaded here.
        static var current: Interceptor? {
            queue_attached(key).map { Unmanaged<Interceptor>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Gives an interceptor to the task that is being started here.
        ///
        /// - Returns: Whether there is such a task: others may ask classes whether they take a request.
        static func attach(_ interceptor: Interceptor) -> Bool {
            let value = Unmanaged.passRetained(interceptor)
            let isAttached = queue_attach(queueName, key, value.toOpaque()) { value in
                value.map { Unmanaged<Interceptor>.fromOpaque($0).release() }
            }
            if isAttached == 0 { value.release() }
            return isAttached != 0
        }
    }
#else
    import Foundation
    import ObjectiveC

    extension URLSessionTask {
        private static var key: UnsafeRawPointer { unsafeBitCast(Interceptor.self, to: UnsafeRawPointer.self) }

        /// The interceptor that takes the task, once it is known.
        var carriedInterceptor: Interceptor? {
            get { objc_getAssociatedObject(self, Self.key) as? Interceptor }
            set { objc_setAssociatedObject(self, Self.key, newValue, .OBJC_ASSOCIATION_RETAIN) }
        }
    }
#endif
