#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// The request by which the interception of every session is tested.
    ///
    /// Its URL has a closed loopback port, so it ends with an error if it is not intercepted.
    final class ProbeRequest: Sendable {
        /// The observations of a task that loads the request.
        struct Observed {
            /// Whether a protocol class was asked in the context of the code that started the task.
            var hasContext = false

            /// Whether a protocol class was asked at all.
            var isAsked = false

            /// Whether this object could be attached to the task.
            var isAttached = false

            /// Whether the object was still attached where the task was loaded.
            var isAttachedAtStart = false
        }

        private static let active = Mutex<ProbeRequest?>(nil)
        private static let hasActive = Atomic(false)

        /// The request that the current code starts.
        @TaskLocal private static var current: ProbeRequest?

        let url: URL
        private let observed = Mutex(Observed())

        init(to url: URL) { self.url = url }

        var observations: Observed { observed.withLock { $0 } }

        func note(_ change: (inout Observed) -> Void) { observed.withLock { change(&$0) } }

        /// Starts the request.
        func start(_ task: URLSessionTask) {
            Self.active.withLock { $0 = self }
            Self.hasActive.store(true, ordering: .releasing)
            Self.$current.withValue(self) { task.resume() }
        }

        /// Ends the test.
        static func end() {
            hasActive.store(false, ordering: .releasing)
            active.withLock { $0 = nil }
        }

        /// Whether the current code starts a request of a test.
        static var isActive: Bool { current != nil }

        /// The active request if a URL is its own, or nil.
        static func active(for url: URL?) -> ProbeRequest? {
            guard hasActive.load(ordering: .acquiring) else { return nil }
            return active.withLock { $0 }.flatMap { $0.url == url ? $0 : nil }
        }

        /// Decides on the request of a test, as a protocol class would do on a request in a scope.
        ///
        /// - Returns: Whether the request is intercepted, or nil for all other requests.
        static func intercepts(_ request: URLRequest) -> Bool? {
            guard let probe = active(for: request.url) else { return nil }
            let hasContext = current === probe && !Fault.fails(.callerContext)
            let isAttached = hasContext && TaskAttachment.attach(probe)
            probe.note { observed in
                observed.isAsked = true
                observed.hasContext = hasContext
                observed.isAttached = isAttached
            }
            return hasContext
        }
    }
#endif
