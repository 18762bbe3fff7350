#if canImport(FoundationNetworking)
    import CPlatform
    import Foundation

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
