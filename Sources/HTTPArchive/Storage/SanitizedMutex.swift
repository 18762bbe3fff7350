#if THREAD_SANITIZER
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// A lock that the thread sanitizer sees.
    ///
    /// In a build for it this takes the place of the lock of `Synchronization`, which is a futex on Linux: that is not
    /// seen, so that all is reported that it guards.
    package struct SanitizedMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        /// Creates an unlocked lock with what it guards.
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

        /// Runs `body` with what is guarded, for one caller at a time.
        ///
        /// - Parameter body: What is run.
        /// - Returns: What `body` returns.
        /// - Throws: What `body` throws.
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
