import Foundation
import FoundationInternals
import RelayCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The step that follows a response.
enum ResponseDisposition {
    case end(HTTPURLResponse, Data)

    /// A redirect to follow if the delegate agrees; otherwise the redirect response itself is delivered.
    case redirect(URLRequest, HTTPURLResponse, Data)

    case failure(URLError)

    /// Determines the step that follows a response, and stores the response's cookies.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request of the response.
    ///   - exchange: The exchange of both.
    ///   - isLive: Whether the response is from a session, which already stored its cookies and followed redirects.
    ///   - isLast: Whether the response is final, even if it has a redirect status.
    ///   - head: Creates the response for the client from the requested URL.
    init(
        after response: InterceptedResponse, to request: InterceptedRequest, in exchange: TaskLoad,
        isLive: Bool = false, isLast: Bool = false, head: (URL) -> HTTPURLResponse?
    ) {
        guard let url = Self.url(of: request, in: exchange), let head = head(url) else {
            self = .failure(URLError(.badServerResponse, "The status \(response.status) is not a valid HTTP status."))
            return
        }
        if isLive {
            self = .end(head, response.body)
            return
        }
        let (configuration, cookies) = (exchange.configuration, exchange.interceptor.cookies)
        cookies.store(response, from: url, requestedBy: exchange.original, in: configuration)
        if !isLast, let next = request.redirected(by: response),
            let proposed = exchange.original.replacing(with: next, cookiesOf: configuration)
        {
            self = .redirect(cookies.adding(to: proposed, in: configuration) ?? proposed, head, response.body)
        } else {
            self = .end(head, response.body)
        }
    }

    /// Returns the URL of a request, without parsing if it is the URL of the task.
    private static func url(of request: InterceptedRequest, in exchange: TaskLoad) -> URL? {
        if let url = exchange.original.url, url.absoluteString == request.url { return url.absoluteURL }
        return URL(text: request.url)
    }
}
