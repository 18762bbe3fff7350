import Dispatch
import Foundation
import Synchronization

/// A serial queue for what nobody waits for: it gives way to all other work, until so much has come together that it must
/// not grow, or somebody waits.
package final class BackgroundQueue: Sendable {
    private struct Jobs {
        var waiting: [@Sendable () -> Void] = []

        /// Those before are done.
        var next = 0

        var count: Int { waiting.count - next }

        mutating func pop() -> (@Sendable () -> Void)? {
            guard next < waiting.count else { return nil }
            let job = waiting[next]
            next += 1
            // Done jobs go now and then, so that each is moved once at most.
            if next == waiting.count || next >= 256 {
                waiting.removeSubrange(..<next)
                next = 0
            } else {
                waiting[next - 1] = {}
            }
            return job
        }
    }

    /// How many jobs may wait for an idle processor.
    private static let mostWaiting = 256

    /// All jobs run in it, wherever they are taken from.
    private let queue: DispatchQueue
    private let jobs = Mutex(Jobs())

    /// Makes a queue.
    ///
    /// - Parameter label: What it is called in debuggers.
    init(label: String) { queue = DispatchQueue(label: label) }

    /// Adds a job that gives way to others.
    func append(_ job: @escaping @Sendable () -> Void) {
        let count = jobs.withLock { jobs in
            jobs.waiting.append(job)
            return jobs.count
        }
        if count == 1 {
            BackgroundThread.run { [self] in runGivingWay() }
        } else if count == Self.mostWaiting {
            async {}
        }
    }

    /// Adds work that does not give way; all that was appended before is done first.
    package func async(_ work: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            while runNext() {}
            work()
        }
    }

    /// Adds work that does not give way, after a time.
    func async(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { [self] in async(work) }
    }

    /// Adds work that does not give way, when all that is in a group is done.
    func notify(_ group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
        group.notify(queue: queue) { [self] in async(work) }
    }

    /// Waits for the work that does not give way.
    package func wait() { queue.sync {} }

    /// Runs what is there now, one job after the other: others may take over between two.
    private func runGivingWay() {
        while queue.sync(execute: runNext) {}
    }

    private func runNext() -> Bool {
        guard let job = jobs.withLock({ $0.pop() }) else { return false }
        job()
        return true
    }
}

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
