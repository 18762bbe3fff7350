#if THREAD_SANITIZER
    import Foundation

    /// A mutex that the thread sanitizer recognizes.
    ///
    /// Builds with the thread sanitizer use this type instead of `Synchronization.Mutex`, which is a futex on Linux.
    /// The sanitizer does not recognize the futex, so it reports accesses to the protected value as data races.
    package struct SanitizedMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        /// Creates an unlocked mutex that protects a value.
        package init(_ value: consuming sending Value) {
            lock = .allocate(capacity: 1)
            pthread_mutex_init(lock, nil)
            self.value = .allocate(capacity: 1)
            self.value.initialize(to: value)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }

        /// Runs `body` with exclusive access to the protected value.
        ///
        /// - Parameter body: The critical section.
        /// - Returns: The result of `body`.
        /// - Throws: The error of `body`.
        package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }
    }

    typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
