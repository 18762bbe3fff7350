import Synchronization

#if THREAD_SANITIZER
    import HTTPArchive

    typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif

/// A value that is created when it is first used.
final class OnFirstUse<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    /// Returns the value, creating it if necessary.
    ///
    /// Other callers wait in the meantime.
    func value(_ make: () -> Value) -> Value {
        value.withLock { value in
            if let value { return value }
            let made = make()
            value = made
            return made
        }
    }
}
