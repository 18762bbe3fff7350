import Foundation
import RelayCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The progress of a running request, for observers.
struct Observation: Sendable {
    private let request: InterceptedRequest
    private let source: ObservedExchange.Source
    private let start = ContinuousClock.now
    private var result: Result<Int, any Error> = .failure(URLError(.unknown))
    private var bodySize = 0

    /// Starts the observation when the source of the response is known.
    init(request: InterceptedRequest, source: ObservedExchange.Source) {
        self.request = request
        self.source = source
    }

    /// Updates the observation with a delivery.
    mutating func note(_ delivery: Delivery) {
        switch delivery {
        case .head(let head): result = .success(head.statusCode)
        case .data(let data): bodySize += data.count
        case .response(let head, let body):
            result = .success(head.statusCode)
            bodySize = body.count
        case .redirect(_, let head): result = .success(head.statusCode)
        case .failure(let error): result = .failure(error)
        case .end: break
        }
    }

    /// Reports the exchange to the observers of an interceptor.
    func end(tell interceptor: Interceptor) {
        interceptor.observe(
            ObservedExchange(
                request: request, source: source, result: result, bodySize: bodySize,
                duration: start.duration(to: .now)))
    }
}
