import Dispatch
import Foundation
import Synchronization

/// A serial queue that runs jobs at low priority, until 256 jobs wait or a caller submits work that depends on them.
package final class BackgroundQueue: Sendable {
    private struct Jobs {
        var waiting: [@Sendable () -> Void] = []

        /// The index of the first job in `waiting` that has not run.
        var next = 0

        var count: Int { waiting.count - next }

        mutating func pop() -> (@Sendable () -> Void)? {
            guard next < waiting.count else { return nil }
            let job = waiting[next]
            next += 1
            // Finished jobs are removed in batches, so that each remaining job is moved at most once.
            if next == waiting.count || next >= 256 {
                waiting.removeSubrange(..<next)
                next = 0
            } else {
                waiting[next - 1] = {}
            }
            return job
        }
    }

    /// The number of waiting jobs at which the queue stops waiting for an idle processor.
    private static let waitingLimit = 256

    /// The queue that runs every job, regardless of the thread that triggers it.
    private let queue: DispatchQueue
    private let jobs = Mutex(Jobs())

    /// Creates a queue.
    ///
    /// - Parameter label: The queue's label in debuggers.
    init(label: String) { queue = DispatchQueue(label: label) }

    /// Appends a low-priority job.
    func append(_ job: @escaping @Sendable () -> Void) {
        let count = jobs.withLock { jobs in
            jobs.waiting.append(job)
            return jobs.count
        }
        if count == 1 {
            BackgroundThread.run { [self] in runWaitingJobs() }
        } else if count == Self.waitingLimit {
            async {}
        }
    }

    /// Runs work at normal priority, after all jobs appended before it.
    package func async(_ work: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            while runNext() {}
            work()
        }
    }

    /// Runs work at normal priority after a delay.
    func async(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { [self] in async(work) }
    }

    /// Runs work at normal priority when a group has finished.
    func notify(_ group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
        group.notify(queue: queue) { [self] in async(work) }
    }

    /// Blocks until all normal-priority work submitted so far has finished.
    package func wait() { queue.sync {} }

    /// Runs the waiting jobs one by one; normal-priority work may run between two of them.
    private func runWaitingJobs() {
        while queue.sync(execute: runNext) {}
    }

    private func runNext() -> Bool {
        guard let job = jobs.withLock({ $0.pop() }) else { return false }
        job()
        return true
    }
}

#if canImport(Darwin)
    /// Runs work with a lower priority than the rest of the process.
    enum BackgroundThread {
        /// Schedules work at low priority.
        static func run(_ work: @escaping @Sendable () -> Void) {
            DispatchQueue.global(qos: .utility).async(execute: work)
        }
    }
#else
    import CPlatform
    import Synchronization

    /// A thread with a lower priority than the rest of the process.
    ///
    /// Dispatch on this platform ignores the quality of service of its queues.
    final class BackgroundThread: Sendable {
        private static let shared = BackgroundThread()

        private let pendingWork = Mutex<[@Sendable () -> Void]>([])
        private let count = DispatchSemaphore(value: 0)

        private init() {
            let thread = Thread { [self] in
                thread_give_way()
                while true {
                    count.wait()
                    pendingWork.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
                }
            }
            thread.name = "Relay.Background"
            thread.start()
        }

        /// Schedules work at low priority.
        static func run(_ work: @escaping @Sendable () -> Void) {
            shared.pendingWork.withLock { $0.append(work) }
            shared.count.signal()
        }
    }
#endif
