#if canImport(FoundationNetworking)
    import CPlatform
    import Foundation
    import HTTPArchive

    /// The messages of one transfer, put together from the pieces that libcurl tells of.
    ///
    /// There may be several of each kind: answers that only announce others, and attempts on a connection that was lost.
    /// The last ones count.
    struct TransferMessages {
        private var request: [UInt8] = []
        private var response: [UInt8] = []
        private var requestBodySize = 0
        private var isInBody = false

        private var ready: ContinuousClock.Instant?
        private var lastSent: ContinuousClock.Instant?
        private var firstReceived: ContinuousClock.Instant?

        /// Takes note of a piece.
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
                // No name of a field has a slash. The empty line after what only announces an answer is not told of.
                if bytes.starts(with: "HTTP/".utf8) {
                    response = []
                    firstReceived = .now
                }
                response += bytes
            case transfer_data_in:
                isInBody = true
            default:
                // Fields after a body are none of those before it.
                break
            }
        }

        /// What the messages say.
        ///
        /// - Parameters:
        ///   - facts: What libcurl says of the transfer.
        ///   - start: When the request was made.
        /// - Returns: What is known of it.
        func facts(with facts: transfer_facts, start: ContinuousClock.Instant) -> TransferFacts {
            var result = TransferFacts()
            if Self.isComplete(request) {
                let block = HeaderBlock(request)
                result.requestHeaders = block.fields
                result.wire.requestHeadersSize = block.size
                result.wire.requestBodySize = requestBodySize
            }
            if Self.isComplete(response) {
                let block = HeaderBlock(response)
                let words = block.words
                if words.count > 1, let status = Int(words[1]) {
                    result.wire.httpVersion = words[0]
                    result.head = LiveExchange.Head(
                        status: status, statusText: words.count > 2 ? words[2] : "", headers: block.fields)
                    result.wire.responseHeadersSize = block.size
                    result.wire.responseBodySize = Int(facts.body_size)
                }
            }
            let address = withUnsafeBytes(of: facts.address) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if !address.isEmpty { result.wire.serverIPAddress = address }
            if facts.local_port > 0 { result.wire.connection = String(facts.local_port) }
            result.timings = timings(with: facts, start: start)
            return result
        }

        /// How the time was spent, in the terms of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/#timings).
        ///
        /// All parts but `ssl`, which is part of `connect`, are together the time from the start to the last byte.
        private func timings(with facts: transfer_facts, start: ContinuousClock.Instant) -> LiveExchange.Timings? {
            guard let ready else { return nil }
            let begin = ready - .microseconds(facts.before_request)
            let connected = facts.connections > 0 ? max(facts.connect, facts.app_connect) : 0
            let sending = begin + .microseconds(connected)
            let sent = max(lastSent ?? sending, sending)
            let answered = max(firstReceived ?? sent, sent)
            let end = max(begin + .microseconds(facts.total), answered)
            var timings = LiveExchange.Timings(
                blocked: max(0, (begin - start).milliseconds), send: (sent - sending).milliseconds,
                wait: (answered - sent).milliseconds, receive: (end - answered).milliseconds)
            if connected > 0 {
                timings.dns = Double(facts.name_lookup) / 1e3
                timings.connect = Double(connected - facts.name_lookup) / 1e3
                if facts.app_connect > 0 { timings.ssl = Double(facts.app_connect - facts.connect) / 1e3 }
            }
            return timings
        }

        /// Whether an empty line ends it.
        private static func isComplete(_ block: [UInt8]) -> Bool {
            block.suffix(4) == [13, 10, 13, 10] || block.suffix(2) == [10, 10] || block.suffix(3) == [10, 13, 10]
        }
    }
#endif
