package import RelayCore
package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension InterceptedRequest {
    /// The request of a task.
    ///
    /// - Parameters:
    ///   - request: The request as its protocol object sees it.
    ///   - body: The body, wherever it came from.
    ///   - additionalHeaders: The fields of the session's configuration; those of the request go before them. None by
    ///     default.
    package init(_ request: URLRequest, body: Data?, additionalHeaders: [AnyHashable: Any]? = nil) {
        let own = request.allHTTPHeaderFields ?? [:]
        let names = Set(own.keys.map { $0.lowercased() })
        var fields = own.map { HeaderField(name: $0, value: $1) }
        for case let (name as String, value as String) in additionalHeaders ?? [:]
        where !names.contains(name.lowercased()) {
            fields.append(HeaderField(name: name, value: value))
        }
        fields.sort { ($0.name.lowercased(), $0.value) < ($1.name.lowercased(), $1.value) }
        self.init(
            method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "", headers: fields, body: body)
    }
}

extension URLRequest {
    /// A request with the method, URL, header fields and body of one that an interceptor was asked for; `nil` when the URL is
    /// none to Foundation.
    ///
    /// - Parameter request: What to take them from.
    package init?(_ request: InterceptedRequest) {
        guard let url = URL(text: request.url) else { return nil }
        guard let own = URLRequest(url: url).replacing(with: request) else { return nil }
        self = own
    }

    /// This request with the method, URL, header fields and body of another.
    ///
    /// - Parameters:
    ///   - request: What to take them from.
    ///   - configuration: Where the cookies for the new URL are, or `nil` to leave the field as it is.
    /// - Returns: The request, or `nil` when the URL is none to Foundation.
    func replacing(with request: InterceptedRequest, cookiesOf configuration: URLSessionConfiguration? = nil) -> Self? {
        guard let url = URL(text: request.url) else { return nil }
        var changed = self
        changed.url = url
        changed.httpMethod = request.method
        for name in (allHTTPHeaderFields ?? [:]).keys { changed.setValue(nil, forHTTPHeaderField: name) }
        for field in request.headers { changed.addValue(field.value, forHTTPHeaderField: field.name) }
        if changed.httpBodyStream != nil { changed.httpBodyStream = nil }
        changed.httpBody = request.body
        if let configuration, configuration.httpShouldSetCookies, httpShouldHandleCookies,
            let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
        {
            for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
                changed.setValue(value, forHTTPHeaderField: name)
            }
        }
        return changed
    }
}
