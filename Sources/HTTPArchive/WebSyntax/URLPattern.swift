/// A pattern for URLs, the same in rules, filters and the options of commands.
///
/// A pattern has the form `[scheme://][host][:port][/path][?query]`. Without a scheme, a host or a port, it matches all of
/// them. `*` matches any characters except `/` and `?`, and any characters in the query. `**` matches any characters
/// everywhere. The host is case-insensitive. The fragment, the user and the spelling of percent-encoding are ignored.
///
/// A pattern of the form `scheme:text` also matches URLs without an authority: `data:**` matches `data:text/plain,x`.
package struct URLPattern: Hashable, Sendable {
    /// The host with its port if the pattern has them, unless `**` in it also matches paths.
    package let authority: String?

    private var scheme: String?
    private var port: String?

    /// Whether the pattern has a query.
    private let hasQuery: Bool

    /// The pattern of the host, the path and the query.
    private let resource: WildcardPattern

    /// The same pattern if the text after `**` in the host is part of the path, which is case-sensitive; nil if
    /// ``resource`` is also this pattern.
    private let pathResource: WildcardPattern?

    /// The pattern of the scheme and the following text for URLs without an authority, or nil if it has no such form.
    private let opaque: WildcardPattern?

    /// Parses a pattern.
    ///
    /// - Parameter text: The pattern. Every text is valid.
    package init(_ text: String) {
        let hasAnyScheme = text.hasPrefix(Self.anyScheme)
        let url = LiteralURL(hasAnyScheme ? text.dropFirst(Self.anyScheme.count) : text[...])
        let host = Self.normalized(host: url.host)
        let path = url.path.isEmpty && host.contains("**") ? "" : Self.normalized(path: url.path)
        let query = Self.normalized(url.query).split(separator: "*").joined(separator: "**")
        let end = url.query.hasSuffix("*") ? "**" : ""
        // A pattern without a host begins with its path.
        let start = host.isEmpty && !url.path.isEmpty ? "*" : host
        let rest = path + query + end
        self.init(
            url, resource: start + rest, pathResource: Self.pathText(of: url.host).map { $0 + rest },
            opaque: hasAnyScheme ? nil : Self.opaqueText(of: url))
    }

    /// Returns the host of a pattern if it is a path from `**` on, or nil if it has no `**` or no uppercase letters.
    private static func pathText(of host: Substring) -> String? {
        guard let wildcard = host.firstRange(of: "**") else { return nil }
        let text = normalized(host: host[..<wildcard.lowerBound]) + normalized(host[wildcard.lowerBound...])
        return text == normalized(host: host) ? nil : text
    }

    /// Creates a pattern for all URLs with a host.
    ///
    /// - Parameter host: The host, with a port or for all ports. `*` matches any characters.
    package init(host: String) {
        let url = LiteralURL(host)
        self.init(url, resource: Self.normalized(host: url.host) + "/**")
    }

    private init(_ url: LiteralURL, resource: String, pathResource: String? = nil, opaque: String? = nil) {
        scheme = url.scheme?.lowercased()
        hasQuery = !url.query.isEmpty
        port = url.port.flatMap { $0.isEmpty || $0 == "*" ? nil : String($0) }
        authority = url.authority.isEmpty || url.host.contains("**") ? nil : String(url.authority)
        self.resource = WildcardPattern(resource, separators: "/?")
        self.pathResource = pathResource.map { WildcardPattern($0, separators: "/?") }
        self.opaque = opaque.map { WildcardPattern($0, separators: "/?") }
    }

    /// Returns whether the pattern matches a URL.
    ///
    /// - Parameter url: Any text.
    /// - Returns: Whether it matches.
    /// - Complexity: O(*n*) in the length of the URL for common patterns.
    package func matches(_ url: String) -> Bool { matches(LiteralURL(url)) }

    /// Returns whether the pattern matches a URL.
    ///
    /// - Parameter url: Any text.
    /// - Returns: Whether it matches.
    package func matches(_ url: LiteralURL) -> Bool {
        if matchesResource(of: url) { return true }
        guard let opaque, let text = Self.opaqueText(of: url) else { return false }
        return opaque.matches(text)
    }

    private func matchesResource(of url: LiteralURL) -> Bool {
        if let scheme, url.scheme?.lowercased() != scheme { return false }
        if let port, Self.port(of: url) != port { return false }
        if url.port == nil, !url.path.isEmpty, url.host.utf8.allSatisfy(ByteSet.normalHost.contains),
            url.resource.utf8.allSatisfy(Self.normalCharacters.contains)
        {
            return resource.matches(url.resource) || pathResource?.matches(url.resource) == true
        }
        let text = url.normalizedHost + Self.normalized(path: url.path) + Self.normalized(url.query)
        return resource.matches(text) || pathResource?.matches(text) == true
    }

    /// Returns the normalized scheme and following text of a URL without an authority, such as `data:,x`, or nil for
    /// other URLs.
    ///
    /// A host and a port without a scheme, such as `localhost:80`, have the same form.
    private static func opaqueText(of url: LiteralURL) -> String? {
        guard url.scheme == nil, let scheme = LiteralURL.scheme(of: url.text) else { return nil }
        let rest = url.withoutFragment.utf8.dropFirst(scheme.utf8.count)
        return scheme.lowercased() + PercentEncoding.normalized(rest, delimiters: delimiters)
    }

    private static func port(of url: LiteralURL) -> String {
        if let port = url.port, !port.isEmpty { return String(port) }
        return url.defaultPort.map { String($0) } ?? ""
    }

    /// Returns a host in lowercase and in its ASCII form, label by label because a label with a wildcard has none.
    private static func normalized(host: Substring) -> String {
        guard host.contains("*") else { return LiteralURL.normalized(host: host) }
        return host.split(separator: ".", omittingEmptySubsequences: false).map { label in
            label.contains("*") ? label.lowercased() : LiteralURL.normalized(host: label)
        }.joined(separator: ".")
    }

    /// Returns a path that begins with a slash, which replaces a backslash as in browsers.
    private static func normalized(path: Substring) -> String {
        let hasStart = path.isEmpty || path.utf8.first == UInt8(ascii: "\\")
        return hasStart ? "/" + normalized(path.dropFirst()) : normalized(path)
    }

    private static func normalized(_ text: Substring) -> String {
        PercentEncoding.normalized(text.utf8, delimiters: delimiters)
    }

    /// The prefix of a pattern for every scheme.
    private static let anyScheme = "*" + "://"

    /// The characters that have a different meaning if they are not percent-encoded.
    private static let delimiters = ByteSet("/?&=+;#%*")

    /// The characters of URLs that are in their normal form.
    private static let normalCharacters = ByteSet.alphanumerics.union("-._~/?&=+,:;!$'()*@")
}

extension URLPattern {
    /// The only difference between a pattern and a URL.
    package enum Difference: Sendable, Hashable {
        /// The URL has a query, but the pattern has none.
        case unexpectedQuery

        /// The schemes differ.
        case scheme

        /// The ports differ.
        case port

        /// The URL has a slash at the end of its path, but the pattern has none.
        case trailingSlash

        /// The URL has no slash at the end of its path, but the pattern has one.
        case missingSlash
    }

    /// Returns the difference that prevents a match if it is the only one.
    ///
    /// - Parameter url: A URL that the pattern does not match.
    /// - Returns: The difference, or nil if the pattern matches or several parts differ.
    package func difference(from url: String) -> Difference? {
        if matches(url) { return nil }
        var anyScheme = self
        anyScheme.scheme = nil
        if anyScheme.matches(url) { return .scheme }
        var anyPort = self
        anyPort.port = nil
        if anyPort.matches(url) { return .port }
        let parts = LiteralURL(url)
        if !hasQuery, !parts.query.isEmpty, matches(String(parts.beforeQuery)) { return .unexpectedQuery }
        if parts.path.utf8.last == UInt8(ascii: "/") {
            if matches(parts.beforeQuery.dropLast() + String(parts.query)) { return .trailingSlash }
        } else if matches(parts.beforeQuery + "/" + parts.query) {
            return .missingSlash
        }
        return nil
    }
}
