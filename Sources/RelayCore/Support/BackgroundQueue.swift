import Dispatch
import Synchronization

/// A queue that processes exchanges in the background and delays new requests while too many jobs are queued.
///
/// Jobs that wait run one after another in batches, so that they can share the cost of writing their results. Jobs for
/// the clients of a server wait only for jobs of about the same size, among which lighter ones run first, and small
/// jobs of groups that few jobs belong to. All other jobs run in the order in which they were added.
///
/// Callers run on the queues of sessions, so they are never blocked. Instead, the queue for decisions is suspended
/// while this queue is full.
final class BackgroundQueue: Sendable {
    /// The number and total size of unfinished jobs.
    struct Load: Sendable {
        /// The number of jobs.
        var count: Int

        /// The memory used by the jobs, in bytes.
        var size: Int

        /// The load at which requests are delayed: 64 jobs or 64 MB.
        ///
        /// Recording an exchange takes about as long as a request to a nearby server, so the queue is nearly empty
        /// unless requests are concurrent or the disk is slow. Each job can keep a file open, and Apple platforms allow
        /// 256 open files by default. Bodies larger than 1 MB are stored in files, so 64 bodies in memory take at most
        /// 64 MB.
        static let limit = Load(count: 64, size: 64 << 20)

        /// The load at which requests of a server's clients are delayed, which are handled at the same time.
        static let servedLimit = Load(count: 1024, size: 256 << 20)
    }

    /// A job and the steps after the batch that contains it.
    private struct Job {
        /// The memory used by the job, in bytes.
        let size: Int

        /// The group of a small job for a server's client; nil for other jobs.
        let group: Int?

        /// The number of bytes that the job processes.
        let weight: Int

        /// The time that orders the jobs.
        ///
        /// It is later for heavier jobs and large groups, so that others run first, but no job waits forever.
        let due: DispatchTime

        let run: @Sendable () -> Void

        /// Writes the results of all jobs since the last call; nil if the job has no result.
        let commit: (@Sendable () -> Void)?

        /// A closure to call when the results are written.
        let end: @Sendable () -> Void
    }

    /// The maximum number of jobs in a batch, which limits the time that the first of them waits.
    private static let batchCount = 16

    /// The number of processed bytes at which a batch ends.
    private static let batchWeight = 1 << 14

    private struct State {
        /// The jobs that wait, by the size of their work and the time when they are due.
        var jobs = [[Job]](repeating: [], count: WorkSize.allCases.count)

        /// The number of small jobs of each group of those for a server's clients.
        var counts: [Int: Int] = [:]

        /// The number of these jobs in all groups.
        var smallCount = 0

        var load = Load(count: 0, size: 0)

        /// Whether the queue is full.
        ///
        /// It remains full until the load falls to half the limit.
        var isFull = false

        /// The queue to suspend while this queue is full, or nil for none.
        var suspended: DispatchQueue?

        /// Takes the next jobs of a size of work.
        mutating func takeBatch(from lane: Int) -> ArraySlice<Job> {
            var weight = 0
            let batch = jobs[lane].prefix(batchCount).prefix { job in
                defer { weight += job.weight }
                return weight < batchWeight
            }
            jobs[lane].removeFirst(batch.count)
            for group in batch.compactMap(\.group) {
                counts[group] = counts[group].flatMap { $0 > 1 ? $0 - 1 : nil }
                smallCount -= 1
            }
            return batch
        }
    }

    private let limit: Load

    /// The serial queues, by the size of work.
    private let queues: [DispatchQueue]
    private let state = Mutex(State())

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - label: The queue's label in debuggers.
    ///   - limit: The load at which requests are delayed; ``Load/limit`` by default.
    init(label: String, limit: Load = .limit) {
        self.limit = limit
        // On Apple platforms, this priority lets requests run before jobs. Other platforms ignore the priority, but
        // have separate threads for each quality of service, so other work in the process cannot block the jobs by
        // occupying all threads.
        queues = WorkSize.allCases.map { _ in DispatchQueue(label: label, qos: .utility) }
    }

    /// The number and total size of unfinished jobs.
    var load: Load { state.withLock { $0.load } }

    /// Whether new requests are delayed.
    var isFull: Bool { state.withLock { $0.isFull } }

    /// Returns the number of jobs that wait and process few bytes, for clients of a server.
    ///
    /// - Parameter group: The group of the jobs, or nil for all groups.
    /// - Returns: The number of jobs.
    func smallCount(in group: Int?) -> Int {
        state.withLock { state in group.map { state.counts[$0] ?? 0 } ?? state.smallCount }
    }

    /// Returns whether a job of the given size, in bytes, fits within the memory limit.
    func hasRoom(for size: Int) -> Bool { state.withLock { $0.load.size + size <= limit.size } }

    /// Suspends another queue whenever this queue becomes full, until the load falls to half the limit.
    ///
    /// Jobs must not wait for the other queue. Queued jobs retain the other queue, so that it is never deallocated
    /// while it is suspended.
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
    ///   - size: The memory used by the job, in bytes; 0 by default.
    ///   - group: The group of the job among those for a server's clients; 0 by default.
    ///   - weight: The number of bytes that a job for a client of a server processes; nil (the default) for other jobs.
    ///   - job: The job.
    ///   - commit: Writes the results of all jobs since its last call; nil (the default) if the job has no
    ///     result. It is called once for several jobs that have waited.
    ///   - end: A closure that is called on the queue when the results are written; empty by default.
    func append(
        size: Int = 0, group: Int = 0, weight: Int? = nil, _ job: @escaping @Sendable () -> Void,
        committingBy commit: (@Sendable () -> Void)? = nil, then end: @escaping @Sendable () -> Void = {}
    ) {
        let lane = WorkSize(weight ?? 0).rawValue
        let limit = weight == nil ? limit : .servedLimit
        let isFirst = state.withLock { state in
            var due = DispatchTime.now() + Self.delay(for: weight ?? 0)
            let group = weight == nil || lane != WorkSize.small.rawValue ? nil : group
            if let group, let weight {
                let count = state.counts[group] ?? 0
                due = due + .microseconds(count * Self.share(for: weight))
                state.counts[group] = count + 1
                state.smallCount += 1
            }
            let job = Job(
                size: size, group: group, weight: weight ?? size, due: due, run: job, commit: commit, end: end)
            let index = state.jobs[lane].lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
            state.jobs[lane].insert(job, at: index)
            state.load.count += 1
            state.load.size += size
            if !state.isFull, state.load.count >= limit.count || state.load.size >= limit.size {
                state.isFull = true
                state.suspended?.suspend()
            }
            return state.jobs[lane].count == 1
        }
        if isFirst { queues[lane].async { [self] in runJobs(in: lane) } }
    }

    /// Returns the time by which a job can run later than one without weight.
    ///
    /// Jobs of up to about 1 KB take similar times, so they run nearly in the order in which they were added. Otherwise,
    /// many of them would keep a slightly heavier one waiting. The time grows faster than the weight, so a light job
    /// does not wait for many heavy ones.
    static func delay(for weight: Int) -> DispatchTimeInterval {
        guard weight > WorkSize.small.limit else { return .microseconds((weight * weight * weight) >> 19) }
        // The logarithm to base 2. Each level is more than the work of a thousand jobs, which can wait at the same time.
        let level = Int.bitWidth - weight.leadingZeroBitCount
        return .seconds(5 * level)
    }

    /// Returns the time by which a small job is later for each job of its group that waits, in microseconds.
    ///
    /// It is longer than the job takes, so that the jobs of a group with few jobs do not wait for many others.
    private static func share(for weight: Int) -> Int { 4_000 + 2 * weight }

    /// Runs the jobs that wait.
    private func runJobs(in lane: Int) {
        while case let batch = state.withLock({ $0.takeBatch(from: lane) }), !batch.isEmpty {
            for job in batch {
                job.run()
                if job.commit == nil { finish(job.size) }
            }
            batch.last { $0.commit != nil }?.commit?()
            for job in batch {
                if job.commit != nil { finish(job.size) }
                job.end()
            }
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

    /// Runs work after all previously appended jobs.
    func async(_ work: @escaping @Sendable () -> Void) { async(through: queues[...], work) }

    private func async(through queues: ArraySlice<DispatchQueue>, _ work: @escaping @Sendable () -> Void) {
        guard let last = queues.last else { return work() }
        last.async { [self] in async(through: queues.dropLast(), work) }
    }

    /// Runs work after a delay.
    func async(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        queues[0].asyncAfter(deadline: .now() + delay / .seconds(1), execute: work)
    }

    /// Runs work after a group has finished and all jobs appended by then have run.
    func notify(_ group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
        group.notify(queue: queues[0]) { [self] in async(work) }
    }
}
