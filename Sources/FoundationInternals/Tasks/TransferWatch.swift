#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking

    /// A protocol class that observes a transfer from the start, but never loads requests itself.
    ///
    /// When a task is resumed, FoundationNetworking queries the protocol classes of its session on the task's queue. It
    /// then creates the loader, which starts in a later block on that queue. When a block enqueued by `canInit` runs,
    /// the loader exists but has not started.
    package final class TransferWatch: URLProtocol {
        private struct Start {
            let task: URLSessionTask
            let log: TransferLog
        }

        @TaskLocal private static var current: Start?

        /// Resumes a task for the first time.
        ///
        /// - Parameters:
        ///   - task: A task of a session with this class as its first protocol class.
        ///   - log: The log that observes the transfer.
        package static func resume(_ task: URLSessionTask, observedBy log: TransferLog) {
            $current.withValue(Start(task: task, log: log)) { task.resume() }
        }

        package override class func canInit(with _: URLRequest) -> Bool {
            if let current { current.task.performOnItsQueue { current.log.begin(current.task.loader) } }
            return false
        }
    }
#endif
