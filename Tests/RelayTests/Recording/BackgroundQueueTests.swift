import Dispatch
import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct BackgroundQueueTests {
    private let log = Log<Int>()

    /// Waits until the jobs of a queue have finished.
    private func settle(_ queue: BackgroundQueue) async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    @Test(arguments: [1, 63, 64, 65, 5_000])
    func `jobs run one at a time, in order, before work that is added later`(count: Int) async {
        let queue = BackgroundQueue(label: "test")
        for number in 0..<count { queue.append { [log] in log.append(number) } }
        await settle(queue)
        #expect(log.events == Array(0..<count))
        #expect(queue.load.count == 0)
    }

    @Test func `jobs from concurrent callers run one at a time, and no job is lost`() async {
        let queue = BackgroundQueue(label: "test")
        nonisolated(unsafe) var count = 0
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2_000 {
                group.addTask {
                    if number.isMultiple(of: 7) { queue.async { count += 1 } } else { queue.append { count += 1 } }
                }
            }
        }
        await settle(queue)
        #expect(count == 2_000)
        #expect(!queue.isFull)
    }

    /// Adds a job that runs until the returned semaphore is signaled, and waits until it runs.
    private func block(_ queue: BackgroundQueue, weight: Int? = nil) async -> DispatchSemaphore {
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            queue.append(weight: weight) {
                continuation.resume()
                gate.wait()
            }
        }
        return gate
    }

    @Test func `the results of jobs that have waited are written together`() async {
        let queue = BackgroundQueue(label: "test")
        let gate = await block(queue)
        for number in 0..<20 {
            queue.append(
                { [log] in log.append(number) }, committingBy: { [log] in log.append(-1) },
                then: { [log] in log.append(100 + number) })
        }
        gate.signal()
        await settle(queue)
        let batches = [0..<16, 16..<20].map { Array($0) + [-1] + $0.map { 100 + $0 } }
        #expect(log.events == batches.flatMap { $0 })
        #expect(queue.load.count == 0)
    }

    @Test func `lighter jobs of a server's clients run before heavier ones that wait`() async {
        let queue = BackgroundQueue(label: "test")
        let gate = await block(queue, weight: 9_000)
        for (number, weight) in [60_000, 9_000, 20_000, 9_000].enumerated() {
            queue.append(weight: weight) { [log] in log.append(number) }
        }
        gate.signal()
        await settle(queue)
        #expect(log.events == [1, 3, 2, 0])
        #expect(queue.load.count == 0)
    }

    @Test func `small jobs of a server's clients do not wait for very many of another group`() async {
        let queue = BackgroundQueue(label: "test")
        let gate = await block(queue)
        for number in 0..<2_000 { queue.append(group: 1, weight: 10) { [log] in log.append(number) } }
        for number in 2_000..<2_002 { queue.append(group: 2, weight: 1_000) { [log] in log.append(number) } }
        #expect(queue.smallCount(in: 1) == 2_000)
        #expect(queue.smallCount(in: 2) == 2)
        #expect(queue.smallCount(in: nil) == 2_002)
        gate.signal()
        await settle(queue)
        // Each group keeps its order.
        #expect(log.events.filter { $0 < 2_000 } == Array(0..<2_000))
        #expect(log.events.filter { $0 >= 2_000 } == [2_000, 2_001])
        // The last job of the large group is due 8 seconds after it was added.
        #expect(log.events.last == 1_999)
        #expect(queue.smallCount(in: 1) == 0)
        #expect(queue.smallCount(in: nil) == 0)
    }

    @Test func `jobs that are not for a server's clients keep their order in all groups`() async {
        let queue = BackgroundQueue(label: "test")
        let gate = await block(queue)
        for number in 0..<40 { queue.append(group: number % 2) { [log] in log.append(number) } }
        gate.signal()
        await settle(queue)
        #expect(log.events == Array(0..<40))
    }

    @Test(arguments: [0, 500, 1_023, 1_024, 2_048])
    func `a small job of a server's client runs soon, even if lighter ones are added all the time`(weight: Int) {
        let start = DispatchTime(uptimeNanoseconds: 1_000)
        let due = start + BackgroundQueue.delay(for: weight)
        #expect(due <= start + .milliseconds(17))
        // Adding a byte does not let a job wait for many others.
        #expect(start + BackgroundQueue.delay(for: weight + 1) <= due + .microseconds(30))
        #expect(due + .milliseconds(200) <= start + BackgroundQueue.delay(for: 8_192))
        #expect(start + BackgroundQueue.delay(for: 8_192) + .seconds(60) <= start + BackgroundQueue.delay(for: 8_193))
    }

    @Test func `a heavy job of a server's client does not delay a light one, and other work waits for both`() async {
        let queue = BackgroundQueue(label: "test")
        let gate = DispatchSemaphore(value: 0)
        queue.append(weight: 10 << 20) { [log] in
            gate.wait()
            log.append(1)
        }
        await withCheckedContinuation { continuation in
            queue.append(weight: 10) { [log] in
                log.append(0)
            } then: {
                continuation.resume()
            }
        }
        queue.async { [log] in log.append(2) }
        gate.signal()
        await settle(queue)
        #expect(log.events == [0, 1, 2])
    }

    @Test func `jobs of a server's clients suspend another queue only at a much higher load`() async {
        let queue = BackgroundQueue(label: "test")
        let gate = DispatchSemaphore(value: 0)
        for number in 1...1_024 {
            queue.append(weight: 10) { gate.wait() }
            #expect(queue.isFull == (number == 1_024))
        }
        #expect(1_000...1_024 ~= queue.smallCount(in: 0))
        for _ in 1...1_024 { gate.signal() }
        await settle(queue)
        #expect(!queue.isFull)
    }

    @Test func `a job that waits for a group runs after the jobs that were added before the group ended`() async {
        let queue = BackgroundQueue(label: "test")
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

    @Test func `another queue is suspended at the maximum number of jobs and resumed at half of it`() async {
        let queue = BackgroundQueue(label: "test", limit: .init(count: 4, size: .max))
        let decisions = DispatchQueue(label: "decisions")
        queue.suspendsWhileFull(decisions)
        let (gate, resumed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for number in 0..<6 {
            queue.append { [log] in
                gate.wait()
                // The other queue is resumed after the fourth of six jobs.
                if number == 4 { resumed.wait() }
                log.append(number)
            }
            #expect(queue.isFull == (number >= 3))
        }
        decisions.async { [log] in
            log.append(-1)
            resumed.signal()
        }
        for _ in 0..<6 { gate.signal() }
        await settle(queue)
        #expect(log.events == [0, 1, 2, 3, -1, 4, 5])
        #expect(!queue.isFull)
    }

    @Test func `another queue is suspended while the jobs exceed the maximum size`() async {
        let queue = BackgroundQueue(label: "test", limit: .init(count: 100, size: 1_000))
        let decisions = DispatchQueue(label: "decisions")
        queue.suspendsWhileFull(decisions)
        let gate = DispatchSemaphore(value: 0)
        queue.append(size: 999) { gate.wait() }
        #expect(!queue.isFull && queue.hasRoom(for: 1) && !queue.hasRoom(for: 2))
        queue.append(size: 500) { [log] in
            gate.wait()
            log.append(1)
        }
        #expect(queue.isFull && queue.load.size == 1_499)
        await withCheckedContinuation { continuation in
            decisions.async { [log] in
                log.append(2)
                continuation.resume()
            }
            for _ in 0..<2 { gate.signal() }
        }
        await settle(queue)
        #expect(log.events.sorted() == [1, 2])
        #expect(queue.load.size == 0 && !queue.isFull)
    }

    @Test func `a suspended queue is resumed even if its interceptor is deallocated`() async {
        let queue = BackgroundQueue(label: "test", limit: .init(count: 1, size: .max))
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            let decisions = DispatchQueue(label: "decisions")
            queue.suspendsWhileFull(decisions)
            queue.append { gate.wait() }
            decisions.async { continuation.resume() }
            gate.signal()
        }
        #expect(!queue.isFull)
    }

    #if os(Linux)
        @Test func `jobs run while all threads of other queues are blocked`() async {
            let gate = DispatchSemaphore(value: 0)
            // Dispatch creates at most 255 threads for the queues of a quality-of-service class. This test uses the
            // background class so that parallel tests are not affected.
            for number in 0..<300 { DispatchQueue(label: "\(number)", qos: .background).async { gate.wait() } }
            let queue = BackgroundQueue(label: "test")
            queue.append { [log] in log.append(1) }
            await settle(queue)
            for _ in 0..<300 { gate.signal() }
            #expect(log.events == [1])
        }
    #endif
}
