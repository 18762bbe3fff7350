#if THREAD_SANITIZER
    import HTTPArchive

    typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
