#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking

    /// Has a transfer be observed from its beginning; it loads nothing itself.
    ///
    /// FoundationNetworking asks the classes of a session where a task is resumed, on the task's queue, and only then makes
    /// what loads it, which begins in a later block of that queue: what is put there in between sees it made and not begun.
    package final class TransferWatch: URLProtocol {
        private struct Start {
            let task: URLSessionTask
            let log: TransferLog
        }

        @TaskLocal private static var current: Start?

        /// Resumes a task for the first time.
        ///
        /// - Parameters:
        ///   - task: A task of a session the first of whose classes is this.
        ///   - log: What observes the transfer.
        package static func resume(_ task: URLSessionTask, observedBy log: TransferLog) {
            $current.withValue(Start(task: task, log: log)) { task.resume() }
        }

        package override class func canInit(with _: URLRequest) -> Bool {
            if let current { current.task.performOnItsQueue { current.task.loader.map { _ = current.log.begin($0) } } }
            return false
        }
    }
#endif
