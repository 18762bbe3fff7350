#if Server
    import Dispatch
    import NIOCore
    import NIOSSL
    import RelayCore
    import Synchronization

    /// A cache of the TLS settings of the most recent hosts.
    final class HostContexts: Sendable {
        private struct State {
            var contexts: LRUCache<String, NIOSSLContext>

            /// The number of hosts that wait for their settings.
            var waiting = 0
        }

        private let limit: Int
        private let state: Mutex<State>
        private let queue = DispatchQueue(label: "certificates")

        /// Creates an empty cache.
        ///
        /// - Parameter limit: The maximum number of hosts, and of those that wait.
        init(limit: Int) {
            self.limit = limit
            state = Mutex(State(contexts: LRUCache(limit: limit)))
        }

        /// Returns the settings for a host.
        ///
        /// - Parameters:
        ///   - host: The host.
        ///   - loop: The event loop of the result.
        ///   - make: A closure that creates the settings. It is called on a queue.
        /// - Returns: The settings, or an error if too many hosts wait.
        func context(
            for host: String, on loop: any EventLoop, _ make: @escaping @Sendable () throws -> NIOSSLContext
        ) -> EventLoopFuture<NIOSSLContext> {
            if let context = kept(host) { return loop.makeSucceededFuture(context) }
            let mayWait = state.withLock { state in
                guard state.waiting < limit else { return false }
                state.waiting += 1
                return true
            }
            guard mayWait else { return loop.makeFailedFuture(NIOSSLError.noCertificateToValidate) }
            let promise = loop.makePromise(of: NIOSSLContext.self)
            queue.async { [self] in
                promise.completeWith(
                    Result {
                        // Other connections may have waited for the same host.
                        let context = try kept(host) ?? make()
                        state.withLock { $0.contexts.keep(context, size: 1, of: host) }
                        return context
                    })
                state.withLock { $0.waiting -= 1 }
            }
            return promise.futureResult
        }

        private func kept(_ host: String) -> NIOSSLContext? { state.withLock { $0.contexts.value(of: host) } }
    }
#endif
