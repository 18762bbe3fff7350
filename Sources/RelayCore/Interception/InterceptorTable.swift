import Synchronization

/// The interceptors alive, by number, for those edges that can carry nothing but a number.
///
/// It keeps none of them alive, and holds no entry of one that is gone. Finding one takes constant time.
package enum InterceptorTable {
    private struct Entry {
        weak var interceptor: Interceptor?
    }

    private static let lastNumber = Atomic(0)
    private static let entries = Mutex<[Int: Entry]>([:])

    /// A number that was never given before.
    static func makeNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

    static func insert(_ interceptor: Interceptor) {
        entries.withLock { $0[interceptor.number] = Entry(interceptor: interceptor) }
    }

    static func remove(_ number: Int) {
        entries.withLock { _ = $0.removeValue(forKey: number) }
    }

    /// The interceptor of a number, or `nil` when it is gone.
    package static func interceptor(_ number: Int) -> Interceptor? {
        entries.withLock { $0[number]?.interceptor }
    }
}
