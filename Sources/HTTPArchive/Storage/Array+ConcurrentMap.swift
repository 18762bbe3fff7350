import Dispatch
import Foundation
import Synchronization

extension Array where Element: Sendable {
    /// Returns the results of a closure for all elements, using all processors.
    ///
    /// - Parameter transform: A closure, which is called on any thread.
    /// - Returns: The results, in the order of the elements.
    /// - Throws: The error for the first element that has one.
    package func concurrentMap<Output: Sendable, Failure: Error>(
        _ transform: @Sendable (Element) throws(Failure) -> Output
    ) throws(Failure) -> [Output] {
        let results = Mutex([Result<Output, Failure>?](repeating: nil, count: count))
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: Swift.min(count, ProcessInfo.processInfo.activeProcessorCount)) {
            _ in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                let result = Result { () throws(Failure) in try transform(self[index]) }
                results.withLock { $0[index] = result }
            }
        }
        var outputs: [Output] = []
        outputs.reserveCapacity(count)
        for case let result? in results.withLock({ $0 }) { outputs.append(try result.get()) }
        return outputs
    }
}
