import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request from another client, as an object in a seen-file.
struct Asked: Decodable {
    let method: String
    let url: String
    let headers: [[String]]
    let body: Data?

    /// The event after which the request is canceled, `sent` or `answered`, or `nil` if it is not canceled.
    let abort: String?

    /// The request for `URLSession`, or `nil` if the URL is invalid.
    var request: URLRequest? {
        guard let url = URL(string: url.legal) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        for header in headers {
            request.addValue(header[1], forHTTPHeaderField: header[0])
        }
        request.httpBody = body
        return request
    }
}

extension String {
    /// The URL, with characters that RFC 3986 does not allow in a path or query percent-encoded.
    ///
    /// Browsers leave characters such as `|` and `[` in a URL. If a URL contains such characters, `URL(string:)`
    /// encodes each `%` again, even in valid escape sequences.
    fileprivate var legal: String {
        let escaped = replacing(/%(?![0-9A-Fa-f]{2})/, with: "%25")
        let allowed = CharacterSet(charactersIn: ":/?#@!$&'()*+,;=-._~%").union(.letters).union(.decimalDigits)
        return escaped.addingPercentEncoding(withAllowedCharacters: allowed) ?? self
    }
}
