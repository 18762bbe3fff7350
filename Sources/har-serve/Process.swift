#if Server
    import Dispatch
    import Foundation

    /// The signals that end the server.
    final class StopSignals {
        private let signals: AsyncStream<Int32>
        private let sources: [any DispatchSourceSignal]

        /// Begins to receive SIGINT and SIGTERM.
        ///
        /// A second signal ends the process at once.
        init() {
            let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
            self.signals = signals
            sources = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler {
                    continuation.yield(number)
                    signal(number, SIG_DFL)
                }
                source.resume()
                return source
            }
        }

        /// Waits for the first signal.
        func wait() async { for await _ in signals { return } }
    }

    /// The number of files and connections that the process may have open.
    enum DescriptorLimit {
        /// Raises the limit as far as the system allows, and returns it.
        static func raise() -> Int {
            var limit = rlimit()
            #if canImport(Glibc)
                let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            #else
                let resource = RLIMIT_NOFILE
            #endif
            guard getrlimit(resource, &limit) == 0 else { return 1024 }
            limit.rlim_cur = min(limit.rlim_max, 1 << 16)
            setrlimit(resource, &limit)
            return Int(limit.rlim_cur)
        }
    }
#endif
