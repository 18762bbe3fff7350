public import Foundation

/// A request as an interceptor sees it.
public struct InterceptedRequest: Hashable, Sendable {
    /// The method, such as `GET`.
    public var method: String

    /// The absolute URL as text.
    public var url: String

    /// The header fields, those of the session's configuration included.
    ///
    /// A client that keeps fields in a dictionary loses their order; they are then sorted by name.
    public var headers: [HeaderField]

    /// The whole body, or `nil` when there is none.
    public var body: Data?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method; `GET` by default.
    ///   - url: The absolute URL as text.
    ///   - headers: The header fields; none by default.
    ///   - body: The whole body, or `nil` (the default) when there is none.
    public init(method: String = "GET", url: String, headers: [HeaderField] = [], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension InterceptedRequest {
    /// How many redirects in a row are followed before the request fails.
    package static let redirectLimit = 20

    /// The request that follows a redirect, by the rules of [RFC 9110, 15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4).
    ///
    /// After 301 and 302, POST becomes GET; after 303, everything but HEAD does; 307 and 308 change nothing. A method
    /// that becomes GET loses the body and the fields that describe it. Another origin sees no credentials.
    ///
    /// - Parameter response: The response to this request.
    /// - Returns: The next request, or `nil` when the response is no redirect, or one to nowhere that HTTP could go.
    package func redirected(by response: InterceptedResponse) -> InterceptedRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headers.values(named: "location").first,
            let base = URL(text: url), let target = Self.target(location, from: base)
        else { return nil }
        var next = self
        next.url = target.absoluteString
        if changesToGet(after: response.status) {
            next.method = "GET"
            next.body = nil
            next.headers.remove(named: Self.bodyFields)
        }
        if Self.origin(of: target) != Self.origin(of: base) { next.headers.remove(named: Self.credentialFields) }
        return next
    }

    private func changesToGet(after status: Int) -> Bool {
        switch status {
        case 301, 302: method == "POST"
        case 303: method != "HEAD" && method != "GET"
        default: false
        }
    }

    /// The place that a `Location` names; it has the fragment of `base` when it has none of its own.
    private static func target(_ location: String, from base: URL) -> URL? {
        let text = location.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let target = URL(text: text, relativeTo: base)?.absoluteURL, target.isHTTP, target.host() != nil else {
            return nil
        }
        guard target.fragment == nil, let fragment = base.fragment else { return target }
        return URL(text: target.absoluteString + "#" + fragment)
    }

    private static func origin(of url: URL) -> [String] {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return [scheme, url.host()?.lowercased() ?? "", String(port)]
    }

    private static let bodyFields: Set = [
        "content-encoding", "content-language", "content-length", "content-location", "content-type",
        "transfer-encoding",
    ]

    private static let credentialFields: Set = ["authorization", "cookie", "proxy-authorization"]
}

extension URL {
    /// Whether the scheme is `http` or `https`, in any case.
    package var isHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }

    /// The schemes, in lower case, that lead sessions to a server.
    static let networkSchemes: Set = ["http", "https", "ws", "wss", "ftp", "ftps"]

    /// Whether a session would ask a server for the URL.
    package var isOnNetwork: Bool { scheme.map { Self.networkSchemes.contains($0.lowercased()) } ?? false }
}
