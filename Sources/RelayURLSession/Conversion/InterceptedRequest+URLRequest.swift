package import Foundation
package import RelayCore

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension InterceptedRequest {
    /// Creates an intercepted request from the request of a task.
    ///
    /// - Parameters:
    ///   - request: The request passed to the protocol object.
    ///   - body: The body, from any source.
    ///   - additionalHeaders: The fields of the session's configuration, which do not replace fields of the request;
    ///     none by default.
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
    /// Creates a request with the method, URL, header fields and body of an intercepted one, or returns nil if
    /// Foundation cannot parse the URL.
    ///
    /// - Parameter request: The intercepted request.
    package init?(_ request: InterceptedRequest) {
        guard let url = URL(text: request.url) else { return nil }
        guard let own = URLRequest(url: url).replacing(with: request) else { return nil }
        self = own
    }

    /// Returns this request with the method, URL, header fields and body of another one.
    ///
    /// - Parameters:
    ///   - request: The other request.
    ///   - configuration: The configuration with the cookies for the new URL, or nil to keep the `Cookie` field.
    /// - Returns: The new request, or nil if Foundation cannot parse the URL.
    func replacing(with request: InterceptedRequest, cookiesOf configuration: URLSessionConfiguration? = nil) -> Self? {
        guard let url = URL(text: request.url) else { return nil }
        var changed = self
        changed.url = url
        changed.httpMethod = request.method
        for name in (allHTTPHeaderFields ?? [:]).keys { changed.setValue(nil, forHTTPHeaderField: name) }
        for field in request.headers { changed.addValue(field.value, forHTTPHeaderField: field.name) }
        if changed.httpBodyStream != nil { changed.httpBodyStream = nil }
        changed.httpBody = request.body
        return configuration.map(changed.addingCookies) ?? changed
    }

    /// Returns this request with the cookies that a session with a configuration would send.
    func addingCookies(of configuration: URLSessionConfiguration) -> Self {
        guard configuration.httpShouldSetCookies, httpShouldHandleCookies, let url,
            let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
        else { return self }
        var changed = self
        for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
            changed.setValue(value, forHTTPHeaderField: name)
        }
        return changed
    }
}
