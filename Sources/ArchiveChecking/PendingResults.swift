import Dispatch
import Synchronization

/// Results that are computed on another thread.
final class PendingResults<Result: Sendable>: Sendable {
    private let group = DispatchGroup()
    private let results = Mutex<[Result]>([])

    /// Starts to compute the results.
    ///
    /// - Parameter compute: A closure, which is called on another thread.
    init(_ compute: @escaping @Sendable () -> [Result]) {
        DispatchQueue.global().async(group: group) { [self] in
            let computed = compute()
            results.withLock { $0 = computed }
        }
    }

    /// Waits until all results are computed, and returns them.
    func wait() -> [Result] {
        group.wait()
        return results.withLock { $0 }
    }
}
