import Foundation
import HTTPArchive

extension SecretNames {
    /// What stands in place of a secret in messages.
    static let mask = "•••"

    private static let secrets = SecretMask(mask)

    /// A URL without user and password, and without the values of secret items in its query and its fragment.
    ///
    /// - Parameters:
    ///   - url: The URL as text.
    ///   - user: What stands in place of a user and a password, before the `@`; `nil` (the default) leaves out the `@` too.
    /// - Returns: The URL, with all else as it was written.
    package static func masked(url: String, user: String? = nil) -> String { secrets.masked(url: url, user: user) }

    /// Items as a query or a form has them, without the values of those that are secrets.
    static func masked(form text: Substring) -> String { secrets.masked(form: String(text)) }

    /// A JSON text without the values of members that are secrets.
    static func masked(json: String) -> String { secrets.masked(json: json) }

    /// A body without the values of JSON members and of form fields that are secrets.
    static func masked(body: Data, type: String?) -> Data { secrets.masked(body: body, type: type) }
}

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

extension InterceptedRequest {
    /// The request with the bare word in place of each placeholder of a secret.
    var withoutKeys: InterceptedRequest {
        var request = self
        request.url = HARRedactor.withoutKeys(url)
        request.headers = headers.map { field in
            HeaderField(name: field.name, value: HARRedactor.withoutKeys(field.value))
        }
        // A body that is no text has placeholders as little as a text has bytes that are none.
        guard let body, let text = String(validating: body, as: UTF8.self) else { return request }
        let bare = HARRedactor.withoutKeys(text)
        if bare != text { request.body = Data(bare.utf8) }
        return request
    }

    /// Whether secrets were taken out of it, whatever stands in their places.
    var isRedacted: Bool {
        HARRedactor.isRedacted(url) || headers.contains { HARRedactor.isRedacted($0.value) }
            || body.map { HARRedactor.isRedacted(String(decoding: $0, as: UTF8.self)) } ?? false
    }

    /// What tells the secrets of this request from those of others like it: its placeholders.
    ///
    /// Those of cookies are not among them, since they change with each session.
    var placeholders: [String] {
        let fields = headers.filter { $0.name.lowercased() != "cookie" }.map(\.value)
        let body = body.map { String(decoding: $0, as: UTF8.self) }
        let texts = [url] + fields + [body].compactMap { $0 }
        return Set(texts.flatMap(HARRedactor.placeholders)).sorted()
    }
}
