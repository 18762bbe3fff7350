import FoundationInternals
import RelayCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What follows from a response.
enum ResponseDisposition {
    case end(HTTPURLResponse, Data)

    /// A redirect to be followed, if the delegate agrees; else the response is delivered that has it.
    case redirect(URLRequest, HTTPURLResponse, Data)

    case failure(URLError)

    /// Finds out what follows from a response, and stores its cookies.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request that it answers.
    ///   - exchange: The exchange that both belong to.
    ///   - isLive: Whether the response comes from a session, which stored its cookies and followed redirects.
    ///   - isLast: Whether it is no redirect, though its status may be that of one.
    ///   - head: Makes the response that the client is given, for the URL that was asked.
    init(
        after response: InterceptedResponse, to request: InterceptedRequest, in exchange: TaskLoad,
        isLive: Bool = false, isLast: Bool = false, head: (URL) -> HTTPURLResponse?
    ) {
        guard let url = Self.url(of: request, in: exchange), let head = head(url) else {
            self = .failure(URLError(.badServerResponse, "The status \(response.status) is none of HTTP."))
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

    /// The URL of a request; that of the task needs no parsing.
    private static func url(of request: InterceptedRequest, in exchange: TaskLoad) -> URL? {
        if let url = exchange.original.url, url.absoluteString == request.url { return url.absoluteURL }
        return URL(text: request.url)
    }
}
