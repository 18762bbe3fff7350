import RelayCore
import Dispatch
import Foundation
import HTTPArchive
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes a ``CapturedExchange`` of a request on the network, beside the way of its answer to the caller.
final class ExchangeCapture: Sendable {
    private struct Arrival {
        var response: HTTPURLResponse?
        var arrived: ContinuousClock.Instant?
        var pieces: [Data] = []

        /// The number of bytes that have come and are not in the body yet.
        var waiting = 0

        /// Whether what is in the body belongs to an earlier answer.
        var isAnew = false
    }

    /// What is collected in the queue alone, and where that failed.
    private struct Collected {
        var body = SpooledBody()
        var failure: HARError?
    }

    /// How many bytes go to the body at once, and how many may wait for it before the network does.
    private static let portion = 1 << 18
    private static let mostWaiting = 1 << 24

    private let request: URLRequest
    private let followsRedirects: Bool
    private let receiver: ExchangeReceiver
    private let date = Date()
    private let start = ContinuousClock.now
    private let arrival = Mutex(Arrival())
    private let collected = Mutex(Collected())

    /// Begins with a request.
    ///
    /// - Parameters:
    ///   - request: The request, at the place that it is sent to.
    ///   - followsRedirects: Whether the answer may come from elsewhere; `false` by default.
    ///   - receiver: Is given the exchange once it is over.
    init(_ request: URLRequest, followsRedirects: Bool = false, for receiver: ExchangeReceiver) {
        self.request = request
        self.followsRedirects = followsRedirects
        self.receiver = receiver
    }

    /// Takes note of the beginning of the answer, which takes the place of one that asked for credentials.
    func note(_ response: HTTPURLResponse) {
        arrival.withLock { $0 = Arrival(response: response, arrived: .now, isAnew: $0.response != nil) }
    }

    /// Takes note of a piece of the body.
    func note(_ piece: Data) {
        let waiting = arrival.withLock { arrival in
            arrival.pieces.append(piece)
            let before = arrival.waiting
            arrival.waiting += piece.count
            return (before: before, now: arrival.waiting)
        }
        if waiting.before < Self.portion, waiting.now >= Self.portion { receiver.queue.async { self.collect() } }
        // A disk slower than the network would have all of a body in memory.
        if waiting.now >= Self.mostWaiting { receiver.queue.wait() }
    }

    /// Ends the exchange, and has it recorded.
    ///
    /// - Parameters:
    ///   - error: Why it broke off; `nil` for one that is whole.
    ///   - facts: Finds out, in the queue, what the network says of it; `nil` where that is nothing.
    func end(_ error: (any Error)?, facts: (@Sendable () -> TransferFacts)?) {
        let end = ContinuousClock.now
        receiver.take { [self] in
            collect()
            return exchange(until: end, error: error, facts: facts?())
        }
    }

    /// Moves what has come into the body.
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
    /// A request as it was sent: with the fields that are known of it, or those that it was made with.
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
    /// What a response tells of it, whose fields have no order and are joined where they were repeated.
    init(_ response: HTTPURLResponse) {
        let whole = InterceptedResponse(response, url: "", body: Data())
        self.init(status: whole.status, headers: whole.headers)
    }
}
