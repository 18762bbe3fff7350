import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What is known of a request in hand, for those who want to know of it.
struct Observation: Sendable {
    private let request: InterceptedRequest
    private let source: ObservedExchange.Source
    private let start = ContinuousClock.now
    private var result: Result<Int, any Error> = .failure(URLError(.unknown))
    private var bodySize = 0

    /// Begins when the request is decided on.
    init(request: InterceptedRequest, source: ObservedExchange.Source) {
        self.request = request
        self.source = source
    }

    /// Takes note of what is delivered.
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

    /// Tells those who want to know.
    func end(tell interceptor: Interceptor) {
        interceptor.observe(
            ObservedExchange(
                request: request, source: source, result: result, bodySize: bodySize,
                duration: start.duration(to: .now)))
    }
}
