#if canImport(FoundationNetworking)
    import CPlatform
    import Foundation
    package import FoundationNetworking
    import Synchronization

    /// A log of the messages that are sent and received for one request, as libcurl reports them.
    ///
    /// The log is written on the queue of the request's task.
    package final class TransferLog: Sendable {
        /// Unchecked, because it is used only on the task's queue.
        private struct Observed: @unchecked Sendable {
            /// The FoundationNetworking object that owns the libcurl handle.
            let owner: AnyObject

            let observation: OpaquePointer
        }

        private static let easyHandle = StoredProperty("easyHandle", of: .transferLog)
        private static let rawHandle = StoredProperty("rawHandle", of: .transferLog)

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
            // FoundationNetworking uses the handle on queues with the same target queue, so all calls are serialized.
            guard let loader, let owner: AnyObject = Self.easyHandle.reference(in: loader),
                let handle = Self.rawHandle.address(in: owner)
            else { return lose("The libcurl handle of a transfer was not found.") }
            // The retained context keeps the log alive until the observation ends.
            let context = Unmanaged.passRetained(self)
            let observer: transfer_observer = { context, event, bytes, count in
                let log = Unmanaged<TransferLog>.fromOpaque(context).takeUnretainedValue()
                log.messages.withLock { $0.note(event, UnsafeBufferPointer(start: bytes, count: count)) }
            }
            guard let observation = transfer_observe(handle, observer, context.toOpaque()) else {
                context.release()
                return lose("The transfer cannot be observed. Observing transfers requires libcurl 7.80 or later.")
            }
            let begun = Observed(owner: owner, observation: observation)
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
            let facts = withExtendedLifetime(observed.owner) { transfer_end(observed.observation) }
            Unmanaged.passUnretained(self).release()
            return { [self] in
                var messages = messages.withLock { $0 }
                messages.facts = TransferMessages.Facts(facts)
                return messages
            }
        }
    }

    /// A protocol class that observes a transfer from the start, but never loads requests itself.
    ///
    /// When a task is resumed, FoundationNetworking queries the protocol classes of its session on the task's queue. It
    /// then creates the loader, which starts in a later block on that queue. When a block enqueued by `canInit` runs,
    /// the loader exists but has not started.
    package final class TransferWatch: URLProtocol {
        @TaskLocal private static var current: (task: URLSessionTask, log: TransferLog)?

        /// Resumes a task for the first time.
        ///
        /// - Parameters:
        ///   - task: A task of a session with this class as its first protocol class.
        ///   - log: The log that observes the transfer.
        package static func resume(_ task: URLSessionTask, observedBy log: TransferLog) {
            $current.withValue((task, log)) { task.resume() }
        }

        package override class func canInit(with _: URLRequest) -> Bool {
            if let (task, log) = current { task.performOnItsQueue { log.begin(task.loader) } }
            return false
        }
    }
#endif
