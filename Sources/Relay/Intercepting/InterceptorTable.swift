import Synchronization

/// The interceptors alive, by number, for those edges that can carry nothing but a number.
///
/// It keeps none of them alive, but for a moment where it is told to, and holds no entry of one that is gone. Finding one
/// takes constant time.
enum InterceptorTable {
    private struct Entry {
        weak var interceptor: Interceptor?
        var reserved: Interceptor?
        var reservations = 0
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

    /// Keeps an interceptor alive until it is claimed, once for each reservation.
    static func reserve(_ number: Int) {
        entries.withLock { entries in
            guard let interceptor = entries[number]?.interceptor else { return }
            entries[number]?.reserved = interceptor
            entries[number]?.reservations += 1
        }
    }

    /// The interceptor of a number, with one reservation less, or `nil` when it is gone.
    static func claim(_ number: Int) -> Interceptor? {
        entries.withLock { entries in
            guard var entry = entries[number], let interceptor = entry.interceptor else { return nil }
            entry.reservations = max(0, entry.reservations - 1)
            if entry.reservations == 0 { entry.reserved = nil }
            entries[number] = entry
            return interceptor
        }
    }

    /// The interceptor of a number, or `nil` when it is gone.
    static func interceptor(_ number: Int) -> Interceptor? {
        entries.withLock { $0[number]?.interceptor }
    }
}
