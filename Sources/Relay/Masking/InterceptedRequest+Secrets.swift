import HTTPArchive

extension InterceptedRequest {
    /// This request with `•••` for what is secret in its URL, its header fields and its body.
    ///
    /// - Complexity: O(*n*) in the size of the request.
    var withoutSecrets: InterceptedRequest {
        var request = self
        request.url = SecretNames.masked(url: url, user: SecretNames.mask)
        request.headers = headers.map {
            HeaderField(name: $0.name, value: SecretNames.masked(value: $0.value, of: $0.name))
        }
        request.body = body.map { SecretNames.masked(body: $0, type: headers.values(named: "content-type").first) }
        return request
    }
}

extension SecretNames {
    /// The value of a header field, without secrets.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name of the field.
    /// - Returns: The value; of credentials their scheme, of cookies their names, of referring URLs what is public.
    static func masked(value: String, of name: String) -> String {
        if value.isEmpty { return value }
        switch name.lowercased() {
        case "authorization", "proxy-authorization":
            let scheme = value.prefix { $0 != " " }
            return scheme.endIndex == value.endIndex ? mask : "\(scheme) \(mask)"
        case "cookie":
            return value.split(separator: ";", omittingEmptySubsequences: false).map { cookie in
                cookie.firstIndex(of: "=").map { cookie[...$0] + mask } ?? cookie
            }.joined(separator: ";")
        case "referer":
            return masked(url: value)
        default:
            return isSecret(name) ? mask : value
        }
    }
}
