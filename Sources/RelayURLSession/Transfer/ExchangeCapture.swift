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
        received.withLock { $0 = Received(response: response, arrival: .now) }
    }

    /// Records a chunk of the body.
    func note(_ chunk: Data) {
        received.withLock { received in
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
        exchange.head = facts?.head ?? received.response.map { CapturedExchange.Head($0) }
        if followsRedirects, let url = received.response?.url, url != request.url {
            exchange.clientURL = url.absoluteString
        }
        let answered = received.arrival ?? end
        exchange.timings =
            facts?.timings
            ?? CapturedExchange.Timings(
                wait: (answered - start).milliseconds, receive: max(0, (end - answered).milliseconds))
        if let facts { exchange.wire = facts.wire }
        if facts == nil, let missing = CapabilityTable.missing(.transferLog) {
            exchange.comment = "\(missing.reason) \(missing.capability.effect)"
        }
        return exchange
    }
}

extension CapturedExchange.Head {
    /// Creates a head from a response, whose fields are unordered and whose repeated fields are joined.
    init(_ response: HTTPURLResponse) {
        let whole = InterceptedResponse(response, url: "", body: Data())
        self.init(status: whole.status, headers: whole.headers)
    }
}
