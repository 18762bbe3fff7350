#if canImport(FoundationNetworking)
    import CPlatform
    import FoundationNetworking
    import Synchronization

    /// A log of the messages that are sent and received for one request, as libcurl reports them.
    ///
    /// The log is written on the queue of the request's task.
    package final class TransferLog: Sendable {
        /// Unchecked, because it is used only on the task's queue.
        private struct Observed: @unchecked Sendable {
            let handle: EasyHandle
            let observation: OpaquePointer
        }

        /// The time at which the log was created.
        package let start = ContinuousClock.now

        private let observed = Mutex<Observed?>(nil)
        private let messages = Mutex(TransferMessages())

        /// Creates an empty log.
        package init() {}

        /// Starts observing a transfer.
        ///
        /// Must be called on the task's queue.
        ///
        /// If the platform does not support this, the log stays empty, and a missing capability is recorded.
        ///
        /// - Parameter loader: The object that loads the task, or nil if it is unknown. It must not have started
        ///   loading.
        func begin(_ loader: URLProtocol?) {
            if let refusal = Interposition.refusal { return lose(refusal) }
            guard LibraryCurl.isObservable else { return lose("The functions of libcurl were not found.") }
            guard let loader, let handle = EasyHandle(of: loader) else {
                return lose("The libcurl handle of a transfer was not found.")
            }
            // The retained context keeps the log alive until the observation ends.
            let context = Unmanaged.passRetained(self)
            let observation = handle.observe(context.toOpaque()) { context, event, bytes, count in
                let log = Unmanaged<TransferLog>.fromOpaque(context).takeUnretainedValue()
                log.messages.withLock { $0.note(event, UnsafeBufferPointer(start: bytes, count: count)) }
            }
            guard let observation else {
                context.release()
                return lose("The transfer cannot be observed. Observing transfers requires libcurl 7.80 or later.")
            }
            let begun = Observed(handle: handle, observation: observation)
            observed.withLock { $0 = begun }
        }

        private func lose(_ reason: String) { CapabilityTable.lose(.transferLog, because: reason) }

        /// Ends the observation after the transfer.
        ///
        /// Must be called on the task's queue.
        ///
        /// - Returns: A function that returns the messages, or nil if nothing was observed.
        package func end() -> (@Sendable () -> TransferMessages)? {
            guard let observed = observed.withLock({ $0.take() }) else { return nil }
            let facts = withExtendedLifetime(observed.handle) { transfer_end(observed.observation) }
            Unmanaged.passUnretained(self).release()
            return { [self] in
                var messages = messages.withLock { $0 }
                messages.facts = TransferMessages.Facts(facts)
                return messages
            }
        }
    }
#endif
