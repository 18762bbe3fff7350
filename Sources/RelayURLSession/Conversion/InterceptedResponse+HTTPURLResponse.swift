package import Foundation
import HTTPArchive
import RelayCore

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension InterceptedResponse {
    /// Returns the response as a session delivers it.
    ///
    /// Repeated fields are joined with a comma and a space, as in live responses, including names that differ only in
    /// case. Fields whose name is not a token, such as `:status` in HTTP/2, are omitted.
    ///
    /// - Parameter url: The requested URL, used if the URL of this response is invalid.
    /// - Returns: The response, or nil if the status is not a valid HTTP status.
    package func httpURLResponse(requestedFrom url: URL) -> HTTPURLResponse? {
        guard 100...999 ~= status else { return nil }
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
    /// FoundationNetworking handles a 401 with a Basic challenge itself: it asks for credentials, and then sends them
    /// over the network or never completes the task. White space before a value has no meaning in HTTP
    /// ([RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)), and hides the challenge from the library.
    private func deliverable(_ value: String, of name: String) -> String {
        #if canImport(FoundationNetworking)
            status == 401 && name == "www-authenticate" ? " " + value : value
        #else
            value
        #endif
    }
}

extension InterceptedResponse {
    /// Creates a response from a session's response, whose body the session has decoded.
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
