import Synchronization
import Testing

@testable import har

@Suite(.limited) struct OrderedWorkTests {
    private struct Failed: Error {
        let number: Int
    }

    /// Squares numbers, and returns the elements and their results in the order of their use.
    private func squares(
        of count: Int, sizes: [Int]? = nil, sizeLimit: Int, countLimit: Int,
        _ body: @escaping @Sendable (Int) throws(Failed) -> Void = { _ in }
    ) throws(Failed) -> [[Int]] {
        let sizes = sizes ?? [Int](repeating: 1, count: count)
        let work = OrderedWork(on: Array(0..<count), sizes: sizes, sizeLimit: sizeLimit, countLimit: countLimit) {
            number throws(Failed) in
            try body(number)
            return number * number
        }
        var used: [[Int]] = []
        try work.run { used.append([$0, $1]) }
        return used
    }

    @Test(arguments: [(1, 1), (1, 8), (8, 1), (100, 3), (10_000, 10_000)])
    func `results are used in order`(sizeLimit: Int, countLimit: Int) throws {
        let used = try squares(of: 1000, sizeLimit: sizeLimit, countLimit: countLimit)
        #expect(used == (0..<1000).map { [$0, $0 * $0] })
    }

    @Test func `there can be no elements`() throws {
        #expect(try squares(of: 0, sizeLimit: 1, countLimit: 1).isEmpty)
    }

    @Test func `an element larger than the limit is computed alone`() throws {
        let running = Atomic(0)
        let largest = Atomic(0)
        let sizes = (0..<200).map { $0 % 3 == 0 ? 50 : 1 }
        let used = try squares(of: 200, sizes: sizes, sizeLimit: 10, countLimit: 100) { number in
            let size = running.add(sizes[number], ordering: .sequentiallyConsistent).newValue
            largest.max(size, ordering: .sequentiallyConsistent)
            running.subtract(sizes[number], ordering: .sequentiallyConsistent)
        }
        #expect(used.count == 200)
        #expect(largest.load(ordering: .sequentiallyConsistent) <= 50 + 9)
    }

    @Test func `the first error in the order of the elements is thrown after the results before it`() {
        for _ in 0..<50 {
            var used: [Int] = []
            let work = OrderedWork(
                on: Array(0..<100), sizes: [Int](repeating: 1, count: 100), sizeLimit: 50, countLimit: 50
            ) { number throws(Failed) in
                if number % 20 == 13 { throw Failed(number: number) }
                return number
            }
            do throws(Failed) {
                try work.run { _, number in used.append(number) }
                Issue.record("no error")
            } catch {
                #expect(error.number == 13)
            }
            #expect(used == Array(0..<13))
        }
    }

    @Test func `an error of the use ends the work`() {
        let work = OrderedWork(
            on: Array(0..<100), sizes: [Int](repeating: 1, count: 100), sizeLimit: 50, countLimit: 50
        ) { number throws(Failed) in number }
        #expect(throws: Failed.self) {
            try work.run { number, _ throws(Failed) in
                if number == 7 { throw Failed(number: number) }
            }
        }
    }
}
