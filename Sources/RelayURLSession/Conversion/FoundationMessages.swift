package import Foundation
import HTTPArchive
package import RelayCore

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension InterceptedRequest {
    /// Creates an intercepted request from a task's request.
    ///
    /// - Parameters:
    ///   - request: The request passed to the protocol object.
    ///   - body: The body, which may be missing from `request`.
    ///   - additionalHeaders: The header fields of the session's configuration, which do not replace fields of the
    ///     request; none by default.
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
    /// Creates a request with the method, URL, header fields and body of an intercepted request, or returns nil if
    /// Foundation cannot parse the URL.
    ///
    /// - Parameter request: The intercepted request.
    package init?(_ request: InterceptedRequest) {
        guard let url = URL(text: request.url), let own = URLRequest(url: url).replacing(with: request) else {
            return nil
        }
        self = own
    }

    /// Returns this request with the method, URL, header fields and body of another request.
    ///
    /// - Parameter request: The other request.
    /// - Returns: The new request, or nil if Foundation cannot parse the URL.
    func replacing(with request: InterceptedRequest) -> Self? {
        guard let url = URL(text: request.url) else { return nil }
        var changed = self
        changed.url = url
        changed.httpMethod = request.method
        for name in (allHTTPHeaderFields ?? [:]).keys { changed.setValue(nil, forHTTPHeaderField: name) }
        for field in request.headers { changed.addValue(field.value, forHTTPHeaderField: field.name) }
        if changed.httpBodyStream != nil { changed.httpBodyStream = nil }
        changed.httpBody = request.body
        return changed
    }

    /// Returns this request with the cookies that a session with the given configuration would send.
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

extension InterceptedResponse {
    /// Returns the response as a session delivers it.
    ///
    /// The values of repeated fields are joined with a comma and a space, as in live responses, even if their names
    /// differ in case. Fields whose names are not tokens, such as `:status` in HTTP/2, are omitted.
    ///
    /// - Parameters:
    ///   - url: The requested URL, used if the URL of this response is invalid.
    ///   - allowsAnyStatus: Whether any status is valid; `false` by default.
    /// - Returns: The response, or nil if the status is not a valid HTTP status.
    package func httpURLResponse(
        requestedFrom url: URL, allowingAnyStatus allowsAnyStatus: Bool = false
    ) -> HTTPURLResponse? {
        guard allowsAnyStatus || 100...999 ~= status else { return nil }
        var spellings: [String: String] = [:]
        var fields: [String: String] = [:]
        for field in headers where FieldSyntax.isToken(field.name) {
            let key = field.name.lowercased()
            let name = spellings[key] ?? field.name
            spellings[key] = name
            let value = FieldSyntax.singleLine(field.value)
            fields[name] = fields[name].map { "\($0), \(value)" } ?? deliverable(value, of: key)
        }
        let ownURL = self.url == url.absoluteString ? url : URL(text: self.url)
        return HTTPURLResponse(
            url: ownURL ?? url, statusCode: status, httpVersion: httpVersion, headerFields: fields)
    }

    /// Returns the value of a field, with a leading space if it is a challenge that must be hidden.
    ///
    /// FoundationNetworking handles a 401 response with a Basic challenge itself. It requests credentials, and then
    /// sends them over the network or never completes the task. Whitespace before a value has no meaning in HTTP ([RFC
    /// 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)), but hides the challenge from
    /// FoundationNetworking.
    private func deliverable(_ value: String, of name: String) -> String {
        #if canImport(FoundationNetworking)
            status == 401 && name == "www-authenticate" ? " " + value : value
        #else
            value
        #endif
    }

    /// Creates a response from a session's response and its decoded body.
    ///
    /// - Parameters:
    ///   - response: The response without its body.
    ///   - url: The requested URL.
    ///   - body: The decoded body.
    package init(_ response: HTTPURLResponse, url: String, body: Data) {
        let headers = response.allHeaderFields.compactMap { name, value -> HeaderField? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HeaderField(name: name, value: value)
        }
        self.init(
            url: response.url?.absoluteString ?? url, status: response.statusCode,
            headers: headers.sorted { $0.name < $1.name }, body: body)
    }
}
