import Dispatch
import Foundation

#if canImport(Darwin)
    /// Where work runs that gives way to all other work of the process.
    enum BackgroundThread {
        /// Runs work there, some time.
        static func run(_ work: @escaping @Sendable () -> Void) {
            DispatchQueue.global(qos: .utility).async(execute: work)
        }
    }
#else
    import CPlatform
    import Synchronization

    /// The thread that gives way to all others of the process; Dispatch's do not here, whatever their quality of service.
    final class BackgroundThread: Sendable {
        private static let shared = BackgroundThread()

        private let works = Mutex<[@Sendable () -> Void]>([])
        private let count = DispatchSemaphore(value: 0)

        private init() {
            let thread = Thread { [self] in
                thread_give_way()
                while true {
                    count.wait()
                    works.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
                }
            }
            thread.name = "Relay.Background"
            thread.start()
        }

        /// Runs work there, some time.
        static func run(_ work: @escaping @Sendable () -> Void) {
            shared.works.withLock { $0.append(work) }
            shared.count.signal()
        }
    }
#endif
