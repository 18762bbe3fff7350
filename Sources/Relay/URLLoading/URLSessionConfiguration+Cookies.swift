import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// Stores what a response sets, as a session does with a live one.
    ///
    /// Each field is parsed by itself, since a cookie's date holds a comma. `httpShouldSetCookies` is only about what
    /// is sent.
    ///
    /// - Parameters:
    ///   - response: A response; a redirect is one too.
    ///   - url: Where it came from.
    ///   - request: The request of the task.
    func storeCookies(of response: InterceptedResponse, from url: URL, requestedBy request: URLRequest) {
        guard let storage = httpCookieStorage, request.httpShouldHandleCookies, accepts(url, in: request) else {
            return
        }
        for value in response.headers.values(named: "set-cookie") {
            let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: url)
            storage.setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL)
        }
    }

    private func accepts(_ url: URL, in request: URLRequest) -> Bool {
        switch httpCookieAcceptPolicy {
        case .never:
            return false
        case .onlyFromMainDocumentDomain:
            guard let main = request.mainDocumentURL?.host()?.lowercased(), let host = url.host()?.lowercased() else {
                return true
            }
            return host == main || host.hasSuffix("." + main)
        default:
            return true
        }
    }
}
