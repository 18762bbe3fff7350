import Dispatch
import Foundation
import HTTPArchive
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Creates a ``CapturedExchange`` from a request to the network while its response is delivered to the caller.
final class ExchangeCapture: Sendable {
    private struct Arrival {
        var response: HTTPURLResponse?
        var arrived: ContinuousClock.Instant?
        var pieces: [Data] = []

        /// The number of received bytes that are not in the body yet.
        var waiting = 0

        /// Whether the body has bytes from an earlier response, which must be discarded.
        var isAnew = false
    }

    /// The body, used on the queue alone, and the error of collecting it.
    private struct Collected {
        var body = SpooledBody()
        var failure: HARError?
    }

    /// The number of bytes to move into the body at once, and the limit of waiting bytes before receiving blocks.
    private static let portion = 1 << 18
    private static let mostWaiting = 1 << 24

    private let request: URLRequest
    private let followsRedirects: Bool
    private let receiver: ExchangeReceiver
    private let date = Date()
    private let start = ContinuousClock.now
    private let arrival = Mutex(Arrival())
    private let collected = Mutex(Collected())

    /// Starts capturing a request.
    ///
    /// - Parameters:
    ///   - request: The request with the URL it is sent to.
    ///   - followsRedirects: Whether the response may be from another URL; `false` by default.
    ///   - receiver: Receives the exchange when it ends.
    init(_ request: URLRequest, followsRedirects: Bool = false, for receiver: ExchangeReceiver) {
        self.request = request
        self.followsRedirects = followsRedirects
        self.receiver = receiver
    }

    /// Records the head of the response, which replaces an earlier one that requested credentials.
    func note(_ response: HTTPURLResponse) {
        arrival.withLock { $0 = Arrival(response: response, arrived: .now, isAnew: $0.response != nil) }
    }

    /// Records a chunk of the body.
    func note(_ piece: Data) {
        let waiting = arrival.withLock { arrival in
            arrival.pieces.append(piece)
            let before = arrival.waiting
            arrival.waiting += piece.count
            return (before: before, now: arrival.waiting)
        }
        if waiting.before < Self.portion, waiting.now >= Self.portion { receiver.queue.async { self.collect() } }
        // If the disk is slower than the network, the entire body would otherwise be in memory.
        if waiting.now >= Self.mostWaiting { receiver.queue.wait() }
    }

    /// Ends the exchange and passes it to the receiver.
    ///
    /// - Parameters:
    ///   - error: The error, or nil for a complete exchange.
    ///   - facts: Returns the facts reported by the network, called on the queue; nil if there are no facts.
    func end(_ error: (any Error)?, facts: (@Sendable () -> TransferFacts)?) {
        let end = ContinuousClock.now
        receiver.take { [self] in
            collect()
            return exchange(until: end, error: error, facts: facts?())
        }
    }

    /// Moves received chunks into the body.
    private func collect() {
        let (pieces, isAnew) = arrival.withLock { arrival in
            defer {
                arrival.pieces = []
                arrival.waiting = 0
                arrival.isAnew = false
            }
            return (arrival.pieces, arrival.isAnew)
        }
        collected.withLock { collected in
            if isAnew { collected = Collected() }
            for piece in pieces where collected.failure == nil {
                do throws(HARError) { try collected.body.append(piece) } catch { collected.failure = error }
            }
        }
    }

    private func exchange(
        until end: ContinuousClock.Instant, error: (any Error)?, facts: TransferFacts?
    ) -> CapturedExchange {
        let (body, failure) = collected.withLock { ($0.body, $0.failure) }
        let (response, arrived) = arrival.withLock { ($0.response, $0.arrived) }
        let sent = InterceptedRequest(request, sentWith: facts?.requestHeaders, body: request.httpBody)
        var exchange = CapturedExchange(request: sent, start: date, body: body)
        exchange.error = error ?? failure
        exchange.head = facts?.head ?? response.map { CapturedExchange.Head($0) }
        if followsRedirects, let url = response?.url, url != request.url { exchange.clientURL = url.absoluteString }
        let answered = arrived ?? end
        exchange.timings =
            facts?.timings
            ?? CapturedExchange.Timings(
                wait: (answered - start).milliseconds, receive: max(0, (end - answered).milliseconds))
        if let facts { exchange.wire = facts.wire }
        return exchange
    }
}

extension InterceptedRequest {
    /// Creates a request with the header fields that were sent, or with its own fields if those are unknown.
    fileprivate init(_ request: URLRequest, sentWith headers: [HeaderField]?, body: Data?) {
        guard let headers else {
            self.init(request, body: body)
            return
        }
        self.init(
            method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "", headers: headers, body: body)
    }
}

extension CapturedExchange.Head {
    /// Creates a head from a response, whose fields are unordered and joined if they were repeated.
    init(_ response: HTTPURLResponse) {
        let whole = InterceptedResponse(response, url: "", body: Data())
        self.init(status: whole.status, headers: whole.headers)
    }
}
