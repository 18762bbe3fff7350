public import Foundation
import HTTPArchive

/// A request as seen by an interceptor.
public struct InterceptedRequest: Hashable, Sendable {
    /// The method, such as `GET`.
    public var method: String

    /// The absolute URL as text.
    public var url: String

    /// The header fields, including fields from the session's configuration.
    ///
    /// The fields are sorted by name if the client stores them in a dictionary, which loses their order.
    public var headers: [HeaderField]

    /// The whole body, or `nil` if the request has no body.
    public var body: Data?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method; `GET` by default.
    ///   - url: The absolute URL as text.
    ///   - headers: The header fields; none by default.
    ///   - body: The whole body, or `nil` (the default) for no body.
    public init(method: String = "GET", url: String, headers: [HeaderField] = [], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension InterceptedRequest {
    /// The maximum number of consecutive redirects before a request fails.
    package static let redirectLimit = 20

    /// Returns the request that follows a redirect, according to
    /// [RFC 9110, 15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4).
    ///
    /// After 301 and 302, POST becomes GET. After 303, every method except HEAD becomes GET. 307 and 308 preserve the
    /// method. A method that becomes GET loses the body and the fields that describe it. A request to another origin
    /// loses its credentials.
    ///
    /// - Parameter response: The response to this request.
    /// - Returns: The next request, or `nil` if the response is not a redirect or its location is not a valid HTTP URL.
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

    /// Returns the URL of a `Location` field, with the fragment of `base` if the location has no fragment.
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
        let port = url.port ?? LiteralURL.defaultPort(of: scheme) ?? 80
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

    /// The lowercase schemes that a session loads from a server.
    static let networkSchemes: Set = ["http", "https", "ws", "wss", "ftp", "ftps"]

    /// Whether a session loads the URL from a server.
    package var isOnNetwork: Bool { scheme.map { Self.networkSchemes.contains($0.lowercased()) } ?? false }
}
