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

    /// The raw messages of one transfer, as reported by libcurl.
    ///
    /// A transfer can have several messages of each kind, because of informational responses and retries after a lost
    /// connection. Only the last message of each kind is kept.
    package struct TransferMessages: Sendable {
        /// The request line and header section of the request, or an empty array if libcurl reported them incompletely.
        package var requestHead: [UInt8] { Self.isComplete(request) ? request : [] }

        /// The status line and header section of the response, or an empty array if libcurl reported them incompletely.
        package var responseHead: [UInt8] { Self.isComplete(response) ? response : [] }

        /// The number of body bytes that were sent.
        package private(set) var requestBodySize = 0

        /// The time just before the request was sent.
        package private(set) var ready: ContinuousClock.Instant?

        /// The time at which the last byte of the request was sent.
        package private(set) var lastSent: ContinuousClock.Instant?

        /// The time at which the response began.
        package private(set) var firstReceived: ContinuousClock.Instant?

        /// The measurements that libcurl provides at the end of the transfer.
        package var facts = Facts()

        private var request: [UInt8] = []
        private var response: [UInt8] = []
        private var isInBody = false

        /// Adds a message or a part of a message.
        mutating func note(_ event: transfer_event, _ bytes: UnsafeBufferPointer<UInt8>) {
            switch event {
            case transfer_before_request:
                self = Self()
                ready = .now
            case transfer_header_out:
                if Self.isComplete(request) {
                    request = []
                    requestBodySize = 0
                }
                request += bytes
                lastSent = .now
            case transfer_data_out:
                requestBodySize += bytes.count
                lastSent = .now
            case transfer_header_in where !isInBody:
                // Only a status line begins with "HTTP/", because field names cannot contain a slash. libcurl does not
                // report the empty line after an informational response.
                if bytes.starts(with: "HTTP/".utf8) {
                    response = []
                    firstReceived = .now
                }
                response += bytes
            case transfer_data_in:
                isInBody = true
            default:
                // Trailer fields are not part of the header section.
                break
            }
        }

        /// Returns whether a header section ends with an empty line.
        private static func isComplete(_ block: [UInt8]) -> Bool {
            block.suffix(4) == [13, 10, 13, 10] || block.suffix(2) == [10, 10] || block.suffix(3) == [10, 13, 10]
        }
    }

    extension TransferMessages {
        /// Measurements of a transfer, as provided by libcurl.
        package struct Facts: Sendable {
            /// The times since the start of the transfer, in microseconds; 0 for phases that were skipped.
            package var nameLookup: Int64 = 0, connect: Int64 = 0, appConnect: Int64 = 0
            package var beforeRequest: Int64 = 0, total: Int64 = 0

            /// The number of new connections; 0 if a connection was reused.
            package var connectionCount = 0

            /// The local port of the connection; 0 without a connection.
            package var localPort = 0

            /// The size of the response body before content decoding, in bytes.
            package var bodySize = 0

            /// The address of the server or proxy; empty without a connection.
            package var address = ""

            init() {}

            init(_ facts: transfer_facts) {
                nameLookup = facts.name_lookup
                connect = facts.connect
                appConnect = facts.app_connect
                beforeRequest = facts.before_request
                total = facts.total
                connectionCount = Int(facts.connections)
                localPort = Int(facts.local_port)
                bodySize = Int(facts.body_size)
                address = withUnsafeBytes(of: facts.address) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            }
        }
    }
#endif
