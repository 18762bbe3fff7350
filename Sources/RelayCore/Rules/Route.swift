import HTTPArchive

/// Where requests go instead: everything below one place, to another one.
///
/// With a route from `yourserver.com/foo` to `http://127.0.0.1:8000/bar`, a request for
/// `https://yourserver.com/foo/items?page=2` goes to `http://127.0.0.1:8000/bar/items?page=2`.
package struct Route: Sendable, Hashable {
    private let from: RouteEndpoint
    private let to: RouteEndpoint

    /// Creates a route between two places, each of them `[scheme://]host[:port][/path]`.
    ///
    /// - Parameters:
    ///   - from: Where requests were to go. A request is under it when host, port and path agree: the host without regard
    ///     to case, the port of the scheme where none is written, the path by whole segments. Its scheme counts only if
    ///     one is given.
    ///   - to: Where they go instead; without a scheme, that of each request stays.
    /// - Throws: `invalidRule` when one of the texts is no such place.
    init(from: String, to: String) throws(RelayError) {
        self.from = try RouteEndpoint(from)
        self.to = try RouteEndpoint(to)
    }

    /// The URL that a request goes to instead.
    ///
    /// - Parameter url: The URL of a request.
    /// - Returns: The URL with another scheme, host, port and beginning of the path, and with all else as it was, byte for
    ///   byte; `nil` when it is not under the place that this route leads from.
    /// - Complexity: O(*n*) in the length of the URL.
    package func rerouted(_ url: String) -> String? {
        from.moved(url, to: to)
    }

    /// The host that requests are rerouted from.
    var origin: RequestHost? { from.requestHost }

    /// The URL that leads to another one by this route, for responses and what they refer to.
    ///
    /// - Parameter url: A URL where requests go instead.
    /// - Returns: The URL where the request was to go; `nil` when `url` is not under the place that this route leads to. Its
    ///   scheme stays when the place that this route leads from names none.
    /// - Complexity: O(*n*) in the length of the URL.
    package func original(_ url: String) -> String? {
        to.moved(url, to: from)
    }
}

extension Route: CustomStringConvertible {
    /// Both places, such as `yourserver.com/foo → http://127.0.0.1:8000/bar`.
    package var description: String { "\(from) → \(to)" }
}

/// A place that a route leads from or to.
struct RouteEndpoint: Sendable, Hashable {
    private let scheme: String?
    private let host: String
    private let port: Int?

    /// The path without a slash at its end; empty, or begins with a slash.
    private let path: String

    /// Reads a place.
    ///
    /// - Parameter text: A text such as `[scheme://]host[:port][/path]`.
    /// - Throws: `invalidRule` when it is none.
    init(_ text: String) throws(RelayError) {
        let pieces = RawURLComponents(text)
        scheme = pieces.scheme?.lowercased()
        host = pieces.host
        port = pieces.port.flatMap { Int($0) }
        let slashes = pieces.path.utf8.reversed().prefix { $0 == UInt8(ascii: "/") }.count
        path = String(pieces.path.dropLast(slashes))
        if let fault = Self.fault(of: text, with: pieces) {
            throw RelayError(
                .invalidRule,
                "“\(SecretNames.masked(url: text))” is no place of a route, [scheme://]host[:port][/path]: \(fault).")
        }
    }

    /// What keeps a text from being a place; `nil` when it is one.
    private static func fault(of text: String, with pieces: RawURLComponents) -> String? {
        if let scheme = pieces.scheme?.lowercased(), !["http", "https"].contains(scheme) {
            return "its scheme is neither http nor https"
        }
        if text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0 == "\\" }) {
            return "it has white space, control characters or a backslash"
        }
        if !pieces.user.isEmpty { return "it has a user" }
        if !pieces.query.isEmpty || !pieces.fragment.isEmpty { return "it has a query or a fragment" }
        if pieces.host.isEmpty { return "it has no host" }
        if !isHost(pieces.host) { return "its host is none" }
        guard let port = pieces.port else { return nil }
        let isPort = port.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int(port).map { 1...65_535 ~= $0 } == true
        return isPort ? nil : "its port is no number from 1 to 65535"
    }

    /// Whether a text may be a host: a name, or an address of IPv6 in brackets.
    private static func isHost(_ text: String) -> Bool {
        guard text.hasPrefix("[") else { return !text.utf8.contains { ":[]*".utf8.contains($0) } }
        return text.utf8.count > 2 && text.hasSuffix("]")
            && !text.dropFirst().dropLast().utf8.contains { "[]".utf8.contains($0) }
    }

    /// A URL under this place, with another place instead.
    ///
    /// - Parameters:
    ///   - url: Any text.
    ///   - other: The other place.
    /// - Returns: `nil` when the URL is not under this place.
    func moved(_ url: String, to other: RouteEndpoint) -> String? {
        let pieces = RawURLComponents(url)
        guard pieces.host == host, scheme == nil || pieces.scheme?.lowercased() == scheme, isPort(of: pieces),
            let rest = rest(of: pieces.path)
        else { return nil }
        let start = other.scheme.map { "\($0)://" } ?? url[..<pieces.user.startIndex]
        return "\(start)\(pieces.user)\(other.authority)\(other.path)\(rest)\(pieces.query)\(pieces.fragment)"
    }

    private var authority: String { host + (port.map { ":\($0)" } ?? "") }

    private func isPort(of url: RawURLComponents) -> Bool {
        guard let port else {
            return url.port?.isEmpty != false || (url.effectivePort == url.defaultPort && url.defaultPort != nil)
        }
        return url.effectivePort == port
    }

    /// The host with its port.
    var requestHost: RequestHost? { RequestHost(host, port: port) }

    /// What follows this place in a path; `nil` when the path does not begin with it.
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
    /// The place as it may be written.
    var description: String { (scheme.map { "\($0)://" } ?? "") + authority + path }
}
