import RelayCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A step of what a task's client is told.
enum Delivery: Sendable {
    /// A whole response.
    case response(HTTPURLResponse, Data)

    /// The beginning of a response.
    case head(HTTPURLResponse)

    /// The next piece of its body.
    case data(Data)

    /// Its end.
    case end

    case failure(any Error)

    /// The URL loading system is to follow a redirect; for platforms where it can be told to.
    case redirect(URLRequest, HTTPURLResponse)

    /// Whether nothing comes after it.
    var isLast: Bool {
        switch self {
        case .head, .data: false
        case .response, .end, .failure, .redirect: true
        }
    }
}

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
