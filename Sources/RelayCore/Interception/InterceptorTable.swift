import Synchronization

/// The live interceptors by number, for callers that can store only a number.
///
/// The table does not retain interceptors. Entries are removed when interceptors are deallocated. A lookup takes
/// constant time.
package enum InterceptorTable {
    private struct Entry {
        weak var interceptor: Interceptor?
    }

    private static let lastNumber = Atomic(0)
    private static let entries = Mutex<[Int: Entry]>([:])

    /// Returns a new number, unique within the process.
    static func makeNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

    static func insert(_ interceptor: Interceptor) {
        entries.withLock { $0[interceptor.number] = Entry(interceptor: interceptor) }
    }

    static func remove(_ number: Int) {
        entries.withLock { _ = $0.removeValue(forKey: number) }
    }

    /// Returns the interceptor of a number, or nil if it was deallocated.
    package static func interceptor(_ number: Int) -> Interceptor? {
        entries.withLock { $0[number]?.interceptor }
    }
}
