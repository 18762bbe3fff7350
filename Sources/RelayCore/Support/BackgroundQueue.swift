import Dispatch
import Synchronization

/// A serial queue for the work on exchanges that no client waits for, which delays requests when too much work waits.
///
/// Callers are never blocked: they are queues of sessions, which other threads wait for. Instead, while the queue is
/// full, the queue that decides on new requests is suspended.
final class BackgroundQueue: Sendable {
    /// The number and the size of jobs.
    struct Load: Sendable {
        /// The number of jobs.
        var count: Int

        /// The memory that the jobs keep allocated, in bytes.
        var size: Int

        /// The load at which requests are delayed: 64 jobs or 64 MB.
        ///
        /// Recording an exchange takes about as long as a request to a nearby server, so the queue is nearly empty
        /// unless requests are concurrent or the disk is slow. Each job may keep a file open, and Apple platforms
        /// allow 256 files by default. Bodies of more than 1 MB are in files, so 64 others take at most 64 MB.
        static let limit = Load(count: 64, size: 64 << 20)
    }

    private struct State {
        var load = Load(count: 0, size: 0)

        /// Whether `suspended` is suspended.
        var isFull = false

        /// The queue to suspend while this queue is full.
        var suspended: DispatchQueue?
    }

    private let limit: Load
    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - label: The queue's label in debuggers.
    ///   - limit: The load at which requests are delayed; ``Load/limit`` by default.
    init(label: String, limit: Load = .limit) {
        self.limit = limit
        // On Apple platforms, requests take precedence. Other platforms ignore the quality of service, but have threads
        // for each, so that no other work of the process can take all threads that could run the jobs.
        queue = DispatchQueue(label: label, qos: .utility)
    }

    /// The jobs that were appended and have not finished.
    var load: Load { state.withLock { $0.load } }

    /// Whether new requests are delayed.
    var isFull: Bool { state.withLock { $0.isFull } }

    /// Whether memory for more bytes is available.
    func hasRoom(for size: Int) -> Bool { state.withLock { $0.load.size + size <= limit.size } }

    /// Suspends another queue whenever this queue is full, until half of the work is done.
    ///
    /// No job may wait for that queue. It is retained while jobs wait, so it is never deallocated while suspended.
    func suspendsWhileFull(_ other: DispatchQueue) {
        state.withLock { state in
            if state.isFull { state.suspended?.resume() }
            state.suspended = other
            if state.isFull { other.suspend() }
        }
    }

    /// Appends a job.
    ///
    /// - Parameters:
    ///   - size: The memory that the job keeps allocated, in bytes; 0 by default.
    ///   - job: The job.
    func append(size: Int = 0, _ job: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.load.count += 1
            state.load.size += size
            guard !state.isFull, state.load.count >= limit.count || state.load.size >= limit.size else { return }
            state.isFull = true
            state.suspended?.suspend()
        }
        queue.async { [self] in
            job()
            finish(size)
        }
    }

    private func finish(_ size: Int) {
        state.withLock { state in
            state.load.count -= 1
            state.load.size -= size
            guard state.isFull, state.load.count <= limit.count / 2, state.load.size <= limit.size / 2 else { return }
            state.isFull = false
            state.suspended?.resume()
        }
    }

    /// Runs work after all jobs appended before it.
    func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs work after a delay.
    func async(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + delay / .seconds(1), execute: work)
    }

    /// Runs work when a group has finished, after the jobs appended until then.
    func notify(_ group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
        group.notify(queue: queue, execute: work)
    }
}
