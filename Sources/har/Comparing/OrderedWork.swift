import Dispatch
import Foundation

/// Computes results on all processors, for one thread that uses them in order.
///
/// While a result takes long, the next ones are computed, up to a limit on the size of their elements.
final class OrderedWork<Element: Sendable, Output: Sendable, Failure: Error>: @unchecked Sendable {
    private let elements: [Element]
    private let sizes: [Int]
    private let sizeLimit: Int
    private let countLimit: Int
    private let transform: @Sendable (Element) throws(Failure) -> Output

    /// Guards the following properties; broadcast after every change.
    private let condition = NSCondition()

    /// The results that were not used yet, by position.
    private var results: [Int: Result<Output, Failure>] = [:]

    /// The position of the next element to take.
    private var next = 0

    /// The position of the next result to use.
    private var used = 0

    /// The total size of the elements that were taken, and whose results were not used yet.
    private var sizeInUse = 0

    private var isCanceled = false
    private var helperCount = 0

    /// Creates the work.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - sizes: The size of each element.
    ///   - sizeLimit: The size of the elements in memory at the same time, unless a single one is larger.
    ///   - countLimit: The number of elements in memory at the same time.
    ///   - transform: A closure that computes a result, which is called on any thread.
    init(
        on elements: [Element], sizes: [Int], sizeLimit: Int, countLimit: Int,
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Output
    ) {
        self.elements = elements
        self.sizes = sizes
        self.sizeLimit = sizeLimit
        self.countLimit = countLimit
        self.transform = transform
    }

    /// Computes all results, and uses them in the order of the elements, on the current thread.
    ///
    /// - Parameter use: A closure that receives an element and its result.
    /// - Throws: The first error of the computation in the order of the elements, or an error of `use`.
    func run(_ use: (Element, Output) throws(Failure) -> Void) throws(Failure) {
        startHelpers()
        defer { cancel() }
        while used < elements.count {
            if let result = condition.withLock({ results.removeValue(forKey: used) }) {
                try use(elements[used], result.get())
                condition.withLock {
                    sizeInUse -= sizes[used]
                    used += 1
                    condition.broadcast()
                }
            } else if let position = take(isHelper: false) {
                compute(at: position)
            }
        }
    }

    /// Starts a thread for each further processor.
    private func startHelpers() {
        helperCount = min(ProcessInfo.processInfo.activeProcessorCount, elements.count) - 1
        for _ in 0..<max(0, helperCount) {
            DispatchQueue.global().async {
                while let position = self.take(isHelper: true) { self.compute(at: position) }
                self.condition.withLock {
                    self.helperCount -= 1
                    self.condition.broadcast()
                }
            }
        }
    }

    private func compute(at position: Int) {
        let result = Result { () throws(Failure) in try transform(elements[position]) }
        condition.withLock {
            results[position] = result
            condition.broadcast()
        }
    }

    /// Returns the position of the next element to compute.
    ///
    /// - Parameter isHelper: Whether to wait until an element can be taken. Otherwise, the method also returns when the
    ///   next result is available.
    /// - Returns: The position, or nil if all elements were taken or the next result is available.
    private func take(isHelper: Bool) -> Int? {
        condition.withLock {
            while true {
                if isCanceled || isHelper && next == elements.count { return nil }
                if !isHelper, results[used] != nil { return nil }
                if next < elements.count, next == used || isInLimits(sizes[next]) {
                    defer { next += 1 }
                    sizeInUse += sizes[next]
                    return next
                }
                condition.wait()
            }
        }
    }

    private func isInLimits(_ size: Int) -> Bool { next - used < countLimit && sizeInUse + size <= sizeLimit }

    /// Stops the threads, and waits until they have ended.
    private func cancel() {
        condition.withLock {
            isCanceled = true
            results = [:]
            condition.broadcast()
            while helperCount > 0 { condition.wait() }
        }
    }
}
