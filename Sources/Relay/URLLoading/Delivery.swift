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
