import Dispatch
import Foundation
import Testing

import Relay
@testable import RelayCore
@testable import RelayURLSession

@Suite struct BackgroundQueueTests {
    private let queue = BackgroundQueue(label: "test")
    private let log = Log<Int>()

    /// Runs up to the end of what is in the queue.
    private func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    @Test(arguments: [1, 255, 256, 257, 5_000])
    func `jobs run one after the other in their order, before what is added after them`(count: Int) async {
        for number in 0..<count { queue.append { [log] in log.append(number) } }
        await settle()
        #expect(log.events == Array(0..<count))
    }

    @Test func `jobs run though nobody waits for them`() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        for number in 0..<10 { queue.append { [log] in log.append(number) } }
        queue.append { end.finish() }
        for await _ in ends {}
        #expect(log.events == Array(0..<10))
    }

    @Test func `no two run at the same time, and none is lost, whoever adds them`() async {
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

    @Test func `what waits for a group comes after the jobs that were there before its end`() async {
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
        /// `SCHED_IDLE`, of which the C library tells with GNU's extensions alone.
        private static let idle: Int32 = 5

        @Test func `the thread gives way, and none of the others`() async {
            let policy = await withCheckedContinuation { continuation in
                BackgroundThread.run { continuation.resume(returning: sched_getscheduler(0)) }
            }
            #expect(policy == Self.idle)
            #expect(sched_getscheduler(0) != Self.idle)
        }
    #endif
}
