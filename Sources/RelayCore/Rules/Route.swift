import HTTPArchive

/// A route that sends all requests for URLs below one endpoint to another endpoint.
///
/// With a route from `yourserver.com/foo` to `http://127.0.0.1:8000/bar`, a request for
/// `https://yourserver.com/foo/items?page=2` goes to `http://127.0.0.1:8000/bar/items?page=2`.
package struct Route: Sendable, Hashable {
    private let from: RouteEndpoint
    private let to: RouteEndpoint

    /// Creates a route between two endpoints, each in the form `[scheme://]host[:port][/path]`.
    ///
    /// - Parameters:
    ///   - from: The original endpoint. A request matches if its host, port and leading path segments equal the
    ///     endpoint's. The host is case-insensitive, and the port defaults to the port of the scheme. The scheme is
    ///     compared only if the endpoint has one.
    ///   - to: The new endpoint. If it has no scheme, the request's scheme is kept.
    /// - Throws: `invalidRule` if either string is not a valid endpoint.
    init(from: String, to: String) throws(RelayError) {
        self.from = try RouteEndpoint(from)
        self.to = try RouteEndpoint(to)
    }

    /// Returns the URL to send a request to.
    ///
    /// - Parameter url: The URL of a request.
    /// - Returns: The URL with its scheme, host, port and path prefix replaced and all other bytes unchanged, or nil if
    ///   the URL is not below the original endpoint.
    /// - Complexity: O(*n*) in the length of the URL.
    package func rerouted(_ url: String) -> String? {
        from.moved(url, to: to)
    }

    /// The host of the original endpoint.
    var origin: RequestHost? { from.requestHost }

    /// Returns the original URL for a rerouted URL, for use in responses and redirects.
    ///
    /// - Parameter url: A rerouted URL.
    /// - Returns: The original URL, or nil if `url` is not below the new endpoint. If the original endpoint has no
    ///   scheme, the scheme of `url` is kept.
    /// - Complexity: O(*n*) in the length of the URL.
    package func original(_ url: String) -> String? {
        to.moved(url, to: from)
    }
}

extension Route: CustomStringConvertible {
    /// Both endpoints, such as `yourserver.com/foo → http://127.0.0.1:8000/bar`.
    package var description: String { "\(from) → \(to)" }
}

/// The origin or the destination of a route.
struct RouteEndpoint: Sendable, Hashable {
    private let scheme: String?
    private let host: String
    private let port: Int?

    /// The path without trailing slashes, either empty or with a leading slash.
    private let path: String

    /// Parses an endpoint.
    ///
    /// - Parameter text: A string in the form `[scheme://]host[:port][/path]`.
    /// - Throws: `invalidRule` if the string is not a valid endpoint.
    init(_ text: String) throws(RelayError) {
        let parsed = LiteralURL(text)
        scheme = parsed.scheme?.lowercased()
        host = parsed.normalizedHost
        port = parsed.port.flatMap { Int($0) }
        let slashes = parsed.path.utf8.reversed().prefix { $0 == UInt8(ascii: "/") }.count
        path = String(parsed.path.dropLast(slashes))
        if let fault = Self.fault(of: text, with: parsed) {
            throw RelayError(
                .invalidRule,
                "'\(MessageText.url(text))' is not a valid route ([scheme://]host[:port][/path]): \(fault).")
        }
    }

    /// Returns the reason a string is not a valid endpoint, or nil if it is valid.
    private static func fault(of text: String, with parsed: LiteralURL) -> String? {
        if let scheme = parsed.scheme?.lowercased(), !["http", "https"].contains(scheme) {
            return "its scheme is neither http nor https"
        }
        if text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0 == "\\" }) {
            return "it contains whitespace, control characters or a backslash"
        }
        if !parsed.user.isEmpty { return "it contains a user name" }
        if !parsed.query.isEmpty || !parsed.fragment.isEmpty { return "it has a query or a fragment" }
        if parsed.host.isEmpty { return "it has no host" }
        if !isHost(parsed.normalizedHost) { return "its host is invalid" }
        guard let port = parsed.port else { return nil }
        let isPort = port.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int(port).map { 1...65_535 ~= $0 } == true
        return isPort ? nil : "its port is not a number from 1 to 65535"
    }

    /// Returns whether a string is a valid host: a name, or an IPv6 address in brackets.
    private static func isHost(_ text: String) -> Bool {
        guard text.hasPrefix("[") else { return !text.utf8.contains { ":[]*".utf8.contains($0) } }
        return text.utf8.count > 2 && text.hasSuffix("]")
            && !text.dropFirst().dropLast().utf8.contains { "[]".utf8.contains($0) }
    }

    /// Returns the URL below another endpoint that corresponds to a URL below this endpoint.
    ///
    /// - Parameters:
    ///   - url: The URL to convert, which can be any string.
    ///   - other: The other endpoint.
    /// - Returns: The new URL, or nil if `url` is not below this endpoint.
    func moved(_ url: String, to other: RouteEndpoint) -> String? {
        let parsed = LiteralURL(url)
        // Browsers treat a backslash after the host as a slash.
        let hasBackslash = parsed.path.utf8.first == UInt8(ascii: "\\")
        let path = hasBackslash ? "/" + parsed.path.dropFirst() : parsed.path
        guard parsed.normalizedHost == host, scheme == nil || parsed.scheme?.lowercased() == scheme, isPort(of: parsed),
            let rest = rest(of: path)
        else { return nil }
        let start = other.scheme.map { "\($0)://" } ?? String(parsed.beforeUser)
        return "\(start)\(parsed.user)\(other.authority)\(other.path)\(rest)\(parsed.query)\(parsed.fragment)"
    }

    private var authority: String { host + (port.map { ":\($0)" } ?? "") }

    private func isPort(of url: LiteralURL) -> Bool {
        guard let port else {
            return url.port?.isEmpty != false || (url.effectivePort == url.defaultPort && url.defaultPort != nil)
        }
        return url.effectivePort == port
    }

    /// The host and port of the endpoint.
    var requestHost: RequestHost? { RequestHost(host, port: port) }

    /// Returns the part of a path after this endpoint's path, or nil if the prefix differs.
    private func rest(of path: Substring) -> Substring? {
        var rest = path.utf8
        for segment in self.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        {
            guard rest.popFirst() == UInt8(ascii: "/") else { return nil }
            let next = rest.prefix { $0 != UInt8(ascii: "/") }
            guard PercentEncoding.decoded(next) == PercentEncoding.decoded(segment) else { return nil }
            rest = rest[next.endIndex...]
        }
        return Substring(rest)
    }
}

extension RouteEndpoint: CustomStringConvertible {
    /// The endpoint in the form that ``init(_:)`` parses.
    var description: String { (scheme.map { "\($0)://" } ?? "") + authority + path }
}
