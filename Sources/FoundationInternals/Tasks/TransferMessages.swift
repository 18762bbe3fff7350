#if canImport(FoundationNetworking)
    import CPlatform
    import Foundation

    /// The messages of one transfer as libcurl reports them, in the raw form in which they were sent and received.
    ///
    /// A transfer can have several messages of each kind, because of informational responses and of retries after a
    /// lost connection. Only the last messages are used.
    package struct TransferMessages: Sendable {
        /// The header section of the request with its request line, or empty if it was not reported completely.
        package var requestHead: [UInt8] { Self.isComplete(request) ? request : [] }

        /// The header section of the response with its status line, or empty if it was not reported completely.
        package var responseHead: [UInt8] { Self.isComplete(response) ? response : [] }

        /// The number of body bytes that were sent.
        package private(set) var requestBodySize = 0

        /// The time at which the request was about to be sent.
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
                // A field name cannot contain a slash. The empty line after an informational response is not reported.
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

        /// Whether a header section ends with an empty line.
        private static func isComplete(_ block: [UInt8]) -> Bool {
            block.suffix(4) == [13, 10, 13, 10] || block.suffix(2) == [10, 10] || block.suffix(3) == [10, 13, 10]
        }
    }

    extension TransferMessages {
        /// The measurements of a transfer that libcurl provides.
        package struct Facts: Sendable {
            /// The times since the start of the transfer, in microseconds; 0 for phases that were skipped.
            package var nameLookup: Int64 = 0, connect: Int64 = 0, appConnect: Int64 = 0
            package var beforeRequest: Int64 = 0, total: Int64 = 0

            /// The number of new connections; 0 if a connection was reused.
            package var connectionCount = 0

            /// The local port of the connection; 0 if there was no connection.
            package var localPort = 0

            /// The size of the response body before content decoding, in bytes.
            package var bodySize = 0

            /// The address of the server or proxy; empty if there was no connection.
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
