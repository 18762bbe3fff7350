import Foundation
import HTTPArchive

extension SecretNames {
    /// The replacement for secrets in messages.
    static let mask = "•••"

    private static let secrets = SecretMask(mask)

    /// Returns a URL without user and password and without the values of secret items in its query and fragment.
    ///
    /// - Parameters:
    ///   - url: The URL as text.
    ///   - user: The replacement for the user and password before the `@`; `nil` (the default) also removes the `@`.
    /// - Returns: The URL, otherwise unchanged.
    package static func masked(url: String, user: String? = nil) -> String { secrets.masked(url: url, user: user) }

    /// Returns the items of a query or form without the values of secret items.
    static func masked(form text: Substring) -> String { secrets.masked(form: String(text)) }

    /// Returns a body without the values of secret JSON members and form fields.
    static func masked(body: Data, type: String?) -> Data { secrets.masked(body: body, type: type) }
}

extension InterceptedRequest {
    /// The request with secrets in its URL, header fields and body replaced by `•••`.
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
    /// Returns the value of a header field without secrets.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name of the field.
    /// - Returns: The masked value, which keeps the scheme of credentials, the names of cookies, and the public parts
    ///   of referring URLs.
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

extension InterceptedRequest {
    /// The request with each placeholder of a secret replaced by the bare placeholder word.
    var withoutKeys: InterceptedRequest {
        var request = self
        request.url = HARRedactor.withoutKeys(url)
        request.headers = headers.map { field in
            HeaderField(name: field.name, value: HARRedactor.withoutKeys(field.value))
        }
        // Placeholders are ASCII, so a body that is not valid UTF-8 is left unchanged.
        guard let body, let text = String(validating: body, as: UTF8.self) else { return request }
        let bare = HARRedactor.withoutKeys(text)
        if bare != text { request.body = Data(bare.utf8) }
        return request
    }

    /// Whether the request contains placeholders of redacted secrets, in any form.
    var isRedacted: Bool {
        HARRedactor.isRedacted(url) || headers.contains { HARRedactor.isRedacted($0.value) }
            || body.map { HARRedactor.isRedacted(String(decoding: $0, as: UTF8.self)) } ?? false
    }

    /// The placeholders in the request, which distinguish this request from similar requests with other secrets.
    ///
    /// Placeholders in cookies are excluded, because cookies change with each session.
    var placeholders: [String] {
        let fields = headers.filter { $0.name.lowercased() != "cookie" }.map(\.value)
        let body = body.map { String(decoding: $0, as: UTF8.self) }
        let texts = [url] + fields + [body].compactMap { $0 }
        return Set(texts.flatMap(HARRedactor.placeholders)).sorted()
    }
}
