import Dispatch
import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite struct BackgroundQueueTests {
    private let queue = BackgroundQueue(label: "test")
    private let log = Log<Int>()

    /// Waits until the queue is empty.
    private func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    @Test(arguments: [1, 255, 256, 257, 5_000])
    func `jobs run one at a time, in order, before jobs that are added later`(count: Int) async {
        for number in 0..<count { queue.append { [log] in log.append(number) } }
        await settle()
        #expect(log.events == Array(0..<count))
    }

    @Test func `jobs run without a waiting caller`() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        for number in 0..<10 { queue.append { [log] in log.append(number) } }
        queue.append { end.finish() }
        for await _ in ends {}
        #expect(log.events == Array(0..<10))
    }

    @Test func `no two jobs run at the same time, and none is lost with concurrent callers`() async {
        nonisolated(unsafe) var count = 0
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2_000 {
                group.addTask { [queue] in
                    if number.isMultiple(of: 7) { queue.async { count += 1 } } else { queue.append { count += 1 } }
                }
            }
        }
        await settle()
        #expect(count == 2_000)
    }

    @Test func `a job that waits for a group runs after the jobs added before the end of the group`() async {
        let group = DispatchGroup()
        group.enter()
        await withCheckedContinuation { continuation in
            queue.notify(group) { [log] in
                log.append(-1)
                continuation.resume()
            }
            for number in 0..<10 { queue.append { [log] in log.append(number) } }
            group.leave()
        }
        #expect(log.events == Array(0..<10) + [-1])
    }

    #if canImport(Glibc)
        /// `SCHED_IDLE`, which the C library declares only with GNU extensions.
        private static let idle: Int32 = 5

        @Test func `only the background thread has low priority`() async {
            let policy = await withCheckedContinuation { continuation in
                BackgroundThread.run { continuation.resume(returning: sched_getscheduler(0)) }
            }
            #expect(policy == Self.idle)
            #expect(sched_getscheduler(0) != Self.idle)
        }
    #endif
}
