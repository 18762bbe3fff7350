#if canImport(FoundationNetworking)
    import CStructure
    import FoundationNetworking
    import HTTPArchive
    import Synchronization

    /// What passes over the wire for one request, as libcurl tells of it.
    ///
    /// It is written and read on the queue of the request's task.
    final class TransferLog: Sendable {
        /// Unchecked, since it is used on the task's queue alone.
        private struct Observed: @unchecked Sendable {
            let handle: EasyHandle
            let observation: OpaquePointer
        }

        private let start = ContinuousClock.now
        private let observed = Mutex<Observed?>(nil)
        private let messages = Mutex(TransferMessages())

        /// Begins, where that is possible; to be called on the task's queue, before the task loads anything.
        func begin(_ task: URLSessionTask) {
            guard let handle = EasyHandle(of: task) else { return }
            // It is there until the observation ends.
            let context = Unmanaged.passRetained(self)
            let observation = handle.observe(context.toOpaque()) { context, event, bytes, count in
                let log = Unmanaged<TransferLog>.fromOpaque(context).takeUnretainedValue()
                log.messages.withLock { $0.note(event, UnsafeBufferPointer(start: bytes, count: count)) }
            }
            guard let observation else { return context.release() }
            let begun = Observed(handle: handle, observation: observation)
            observed.withLock { $0 = begun }
        }

        /// Ends; to be called on the task's queue, when nothing comes any more.
        ///
        /// - Returns: What came to be known, found out when it is asked for; `nil` when nothing was observed.
        func end() -> (@Sendable () -> TransferFacts)? {
            guard let observed = observed.withLock({ $0.take() }) else { return nil }
            let facts = withExtendedLifetime(observed.handle) { transfer_end(observed.observation) }
            Unmanaged.passUnretained(self).release()
            return { [self] in messages.withLock { $0 }.facts(with: facts, start: start) }
        }
    }
#endif
