import Foundation
import FoundationInternals
import HTTPArchive
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A recorder that creates a ``CapturedExchange`` from a network request while its response is delivered.
///
/// Bodies are stored on the threads that receive them. Large bodies are stored in files, so a slow disk delays
/// receiving.
final class ExchangeCapture: Sendable {
    private struct Received {
        var response: HTTPURLResponse?
        var arrival: ContinuousClock.Instant?
        var body = SpooledBody()
        var chunks = ChunkLog()

        /// The error if the body could not be stored.
        var failure: HARError?
    }

    private let request: URLRequest
    private let followsRedirects: Bool
    private let receiver: ExchangeReceiver
    private let date = Date()
    private let start = ContinuousClock.now
    private let received = Mutex(Received())

    /// Starts capturing a request.
    ///
    /// - Parameters:
    ///   - request: The request with the URL that it is sent to.
    ///   - followsRedirects: Whether the response can come from another URL; `false` by default.
    ///   - receiver: Receives the exchange when it ends.
    init(_ request: URLRequest, followsRedirects: Bool = false, for receiver: ExchangeReceiver) {
        self.request = request
        self.followsRedirects = followsRedirects
        self.receiver = receiver
    }

    /// Records the head of the response, which replaces an earlier response that requested credentials.
    func note(_ response: HTTPURLResponse) {
        let chunks = ChunkLog(contentType: response.value(forHTTPHeaderField: "Content-Type"))
        received.withLock { $0 = Received(response: response, arrival: .now, chunks: chunks) }
    }

    /// Records a chunk of the body.
    func note(_ chunk: Data) {
        let time = (.now - start).milliseconds
        received.withLock { received in
            received.chunks.note(chunk.count, at: time)
            guard received.failure == nil else { return }
            do throws(HARError) { try received.body.append(chunk) } catch { received.failure = error }
        }
    }

    /// Ends the exchange and passes it to the receiver.
    ///
    /// - Parameters:
    ///   - error: The error, or nil for a complete exchange.
    ///   - facts: A function that returns the facts reported by the network, or nil if no facts are known. It is called
    ///     on the receiver's queue.
    func end(_ error: (any Error)?, facts: (@Sendable () -> TransferFacts)?) {
        let end = ContinuousClock.now
        let received = received.withLock { received in
            defer { received.body = SpooledBody() }
            return received
        }
        receiver.take(received.body, requestSize: request.httpBody?.count ?? 0) { [self] body in
            var received = received
            received.body = body
            return exchange(received, until: end, error: error, facts: facts?())
        }
    }

    private func exchange(
        _ received: Received, until end: ContinuousClock.Instant, error: (any Error)?, facts: TransferFacts?
    ) -> CapturedExchange {
        var sent = InterceptedRequest(request, body: request.httpBody)
        if let headers = facts?.requestHeaders { sent.headers = headers }
        var exchange = CapturedExchange(request: sent, start: date, body: received.body)
        exchange.error = error ?? received.failure
        exchange.head =
            facts?.head
            ?? received.response.map { response in
                // The fields are unordered, and repeated fields are joined.
                let whole = InterceptedResponse(response, url: "", body: Data())
                return CapturedExchange.Head(status: whole.status, headers: whole.headers)
            }
        if followsRedirects, let url = received.response?.url, url != request.url {
            exchange.clientURL = url.absoluteString
        }
        let answered = received.arrival ?? end
        exchange.timings =
            facts?.timings
            ?? CapturedExchange.Timings(
                wait: (answered - start).milliseconds, receive: max(0, (end - answered).milliseconds))
        if let facts { exchange.wire = facts.wire }
        exchange.customFields["_chunks"] = received.chunks.field
        if facts == nil, let missing = CapabilityTable.missing(.transferLog) {
            exchange.comment = "\(missing.reason) \(missing.capability.effect)"
        }
        return exchange
    }
}

/// The facts that the network reports about an exchange in addition to its response.
///
/// Unknown facts are nil.
struct TransferFacts: Sendable {
    /// The header fields that were sent, including those that the network added.
    var requestHeaders: [HeaderField]?

    /// The head of the last response.
    var head: CapturedExchange.Head?

    /// The sizes and addresses on the wire.
    var wire = CapturedExchange.Wire()

    /// The durations of the exchange's phases.
    var timings: CapturedExchange.Timings?
}

extension Duration {
    /// The duration in milliseconds, with fractions.
    var milliseconds: Double { Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15 }
}

#if canImport(FoundationNetworking)
    extension TransferFacts {
        /// Creates the facts of a transfer from the messages that libcurl reported.
        ///
        /// - Parameters:
        ///   - messages: The messages.
        ///   - start: The time at which the request was made.
        init(_ messages: TransferMessages, start: ContinuousClock.Instant) {
            if !messages.requestHead.isEmpty {
                let block = HeaderBlock(messages.requestHead)
                requestHeaders = block.fields
                wire.requestHeadersSize = block.size
                wire.requestBodySize = messages.requestBodySize
            }
            let facts = messages.facts
            if !messages.responseHead.isEmpty {
                let block = HeaderBlock(messages.responseHead)
                let words = block.words
                if words.count > 1, let status = Int(words[1]) {
                    wire.httpVersion = words[0]
                    head = CapturedExchange.Head(
                        status: status, statusText: words.count > 2 ? words[2] : "", headers: block.fields)
                    wire.responseHeadersSize = block.size
                    wire.responseBodySize = facts.bodySize
                }
            }
            if !facts.address.isEmpty { wire.serverIPAddress = facts.address }
            if facts.localPort > 0 { wire.connection = String(facts.localPort) }
            timings = Self.timings(messages, start: start)
        }

        /// Returns the durations of the phases as defined in HAR 1.2
        /// (http://www.softwareishard.com/blog/har-12-spec/#timings).
        ///
        /// All phases except `ssl`, which is part of `connect`, add up to the time from the start to the last byte.
        private static func timings(
            _ messages: TransferMessages, start: ContinuousClock.Instant
        ) -> CapturedExchange.Timings? {
            guard let ready = messages.ready else { return nil }
            let facts = messages.facts
            let begin = ready - .microseconds(facts.beforeRequest)
            let connected = facts.connectionCount > 0 ? max(facts.connect, facts.appConnect) : 0
            let sending = begin + .microseconds(connected)
            let sent = max(messages.lastSent ?? sending, sending)
            let answered = max(messages.firstReceived ?? sent, sent)
            let end = max(begin + .microseconds(facts.total), answered)
            var timings = CapturedExchange.Timings(
                blocked: max(0, (begin - start).milliseconds), send: (sent - sending).milliseconds,
                wait: (answered - sent).milliseconds, receive: (end - answered).milliseconds)
            if connected > 0 {
                timings.dns = Double(facts.nameLookup) / 1e3
                timings.connect = Double(connected - facts.nameLookup) / 1e3
                if facts.appConnect > 0 { timings.ssl = Double(facts.appConnect - facts.connect) / 1e3 }
            }
            return timings
        }
    }

    extension TransferLog {
        /// Ends the log.
        ///
        /// Must be called on the task's queue.
        ///
        /// - Returns: A function that returns the facts of the transfer, or nil if nothing was observed.
        func endWithFacts() -> (@Sendable () -> TransferFacts)? {
            guard let messages = end() else { return nil }
            return { [start] in TransferFacts(messages(), start: start) }
        }
    }
#else
    extension TransferFacts {
        /// Creates the facts from a session's metrics on Apple platforms, or returns nil if nothing was sent.
        ///
        /// Header fields are unordered, and repeated fields are joined, as in `URLRequest` and `HTTPURLResponse`.
        ///
        /// - Parameter metrics: The metrics of a task. The last transaction over the network is used.
        init?(_ metrics: URLSessionTaskMetrics) {
            let transactions = metrics.transactionMetrics.filter { $0.resourceFetchType == .networkLoad }
            guard let transaction = transactions.last else { return nil }
            requestHeaders = InterceptedRequest(transaction.request, body: nil).headers
            wire.httpVersion = transaction.networkProtocolName.map(Self.version)
            wire.requestHeadersSize = Self.size(transaction.countOfRequestHeaderBytesSent)
            wire.requestBodySize = Int(transaction.countOfRequestBodyBytesSent)
            if transaction.response != nil {
                wire.responseHeadersSize = Self.size(transaction.countOfResponseHeaderBytesReceived)
                wire.responseBodySize = Int(transaction.countOfResponseBodyBytesReceived)
            }
            wire.serverIPAddress = transaction.remoteAddress
            wire.connection = transaction.localPort.map(String.init)
            timings = Self.timings(transaction)
        }

        /// Returns the size of a header section, or nil if it is unknown.
        private static func size(_ count: Int64) -> Int? { count > 0 ? Int(count) : nil }

        /// Returns the version for an ALPN protocol name, as written in status lines.
        private static func version(_ name: String) -> String {
            switch name.lowercased() {
            case "h2", "h2c": "HTTP/2"
            case "h3": "HTTP/3"
            default: name.uppercased()
            }
        }

        /// Returns the durations of the phases as defined in HAR 1.2
        /// (http://www.softwareishard.com/blog/har-12-spec/#timings).
        private static func timings(_ transaction: URLSessionTaskTransactionMetrics) -> CapturedExchange.Timings? {
            guard let start = transaction.fetchStartDate else { return nil }
            let sending = transaction.requestStartDate ?? transaction.responseEndDate ?? start
            let dns = milliseconds(from: transaction.domainLookupStartDate, to: transaction.domainLookupEndDate)
            let connect = milliseconds(from: transaction.connectStartDate, to: transaction.connectEndDate)
            let before = sending.timeIntervalSince(start) * 1e3
            return CapturedExchange.Timings(
                blocked: max(0, before - (dns ?? 0) - (connect ?? 0)), dns: dns, connect: connect,
                send: milliseconds(from: transaction.requestStartDate, to: transaction.requestEndDate) ?? 0,
                wait: milliseconds(from: transaction.requestEndDate, to: transaction.responseStartDate) ?? 0,
                receive: milliseconds(from: transaction.responseStartDate, to: transaction.responseEndDate) ?? 0,
                ssl: milliseconds(
                    from: transaction.secureConnectionStartDate, to: transaction.secureConnectionEndDate))
        }

        private static func milliseconds(from start: Date?, to end: Date?) -> Double? {
            guard let start, let end else { return nil }
            return max(0, end.timeIntervalSince(start) * 1e3)
        }
    }
#endif
