import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Keeps a session from following redirects, so that each of them is an answer.
final class RedirectStop: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
