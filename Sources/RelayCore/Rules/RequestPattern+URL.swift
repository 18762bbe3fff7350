import Foundation
import HTTPArchive

extension RequestPattern {
    /// Creates a pattern for requests to a URL, and optionally with a method.
    ///
    /// - Parameter text: A URL pattern as in ``url(_:)``, which can follow a method, as in `GET api.example.com/items`.
    package init(methodAndURL text: String) {
        let words = text.split(separator: " ", maxSplits: 1)
        self = words.count == 2 ? .method(String(words[0])).and(.url(String(words[1]))) : .url(text)
    }

    /// Returns a pattern for URLs from a string that can contain wildcards.
    ///
    /// A pattern has the form `[scheme://][host][:port][/path][?query]`, such as `api.example.com/items/*`. If the
    /// scheme, host or port is missing, any value matches. `*` matches any characters except `/` and `?`. In the query,
    /// it matches any characters. `**` matches any characters. The host is case-insensitive. Fragments, user
    /// information, and differences in percent-encoding are ignored. URLs without a host match patterns with their
    /// scheme, such as `data:**`.
    ///
    /// - Parameter pattern: The pattern, which must match the complete URL. Every string is a valid pattern.
    /// - Returns: The pattern.
    public static func url(_ pattern: String) -> RequestPattern {
        let urls = URLPattern(pattern)
        return Self(
            MessageText.url(pattern), namesHost: urls.authority.flatMap { hostTest(for: LiteralURL($0)) },
            difference: { RuleDifference(of: urls, pattern, from: $0.url) }
        ) { urls.matches($0.url) }
    }

    /// Returns a pattern for one URL, including its scheme and query.
    ///
    /// - Parameter url: The URL. Equivalent URLs also match. They can differ in the case of the host, an explicit
    ///   default port, percent-encoding, or the fragment.
    /// - Returns: The pattern.
    public static func exactly(_ url: String) -> RequestPattern {
        let normal = NormalizedURL(url)
        let named = RequestHost(of: url)
        return Self("exactly \(MessageText.url(url))", namesHost: { host, _ in host == named }) {
            NormalizedURL($0.url) == normal
        }
    }

    /// Returns a pattern for URLs that contain at least one of the given words.
    ///
    /// - Parameter words: The case-sensitive words. If there are no words, every request matches.
    /// - Returns: The pattern.
    public static func keywords(_ words: String...) -> RequestPattern { keywords(words) }

    /// Returns a pattern for URLs that contain at least one of the given words.
    ///
    /// - Parameter words: The case-sensitive words. If there are no words, every request matches.
    /// - Returns: The pattern.
    public static func keywords(_ words: [String]) -> RequestPattern {
        if words.isEmpty || words.contains("") { return any }
        @Sendable func isAnyWord(in url: String) -> Bool {
            words.contains { url.range(of: $0, options: .literal) != nil }
        }
        let hosts = Set(words.compactMap { RequestHost(of: $0) })
        return Self(
            "URLs containing \(words.map(MessageText.text).joined(separator: " or "))",
            namesHost: { hosts.contains($0) || dependsOnHost(of: $1, isAnyWord) }
        ) { isAnyWord(in: $0.url) }
    }

    /// Returns a pattern for requests to a host.
    ///
    /// - Parameter name: The case-insensitive host, such as `api.example.com`, or `*.example.com` for all hosts with
    ///   that suffix. If the name includes a port, only that port matches. Otherwise, every port matches.
    /// - Returns: The pattern.
    public static func host(_ name: String) -> RequestPattern {
        let hosts = URLPattern(host: name)
        return Self("host \(name)", namesHost: hostTest(for: LiteralURL(name))) { hosts.matches($0.url) }
    }

    /// Returns a test for a host name with wildcards, or nil if the name contains no letters or digits.
    private static func hostTest(for wanted: LiteralURL) -> HostTest? {
        guard wanted.normalizedHost.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        let names = WildcardPattern(RequestHost.normalizedName(wanted.normalizedHost), separators: "")
        let port = wanted.port.flatMap { RequestHost("localhost", port: Int($0)) }?.port
        return { host, _ in
            names.matches(host.name) && (wanted.port == nil || !host.isLoopback || host.port == port)
        }
    }

    /// Returns a pattern for requests whose path begins with a prefix.
    ///
    /// - Parameter prefix: The leading path segments. For example, `/api/v1` matches `/api/v1/items` but not
    ///   `/api/v10`. Differences in percent-encoding and empty segments are ignored.
    /// - Returns: The pattern.
    public static func path(prefix: String) -> RequestPattern {
        let wanted = segments(prefix[...], first: .max)
        return Self("path \(MessageText.url(prefix))") {
            segments(LiteralURL($0.url).path, first: wanted.count) == wanted
        }
    }

    /// Returns the first segments of a path, with percent-encoding decoded.
    private static func segments(_ path: Substring, first count: Int) -> [String] {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: count)
        return segments.prefix(count).map { PercentEncoding.decoded($0) }
    }

    /// Returns a pattern for URLs that contain a match of a regular expression.
    ///
    /// - Parameter expression: An expression in the syntax of `NSRegularExpression`, applied to the URL string.
    /// - Returns: The pattern. A request fails with `invalidRule` if the search in its URL takes too much work.
    /// - Throws: `invalidRule` if the expression is invalid, with the position of the error.
    public static func matching(regularExpression expression: String) throws(RelayError) -> RequestPattern {
        Self(try URLExpression(expression))
    }

    /// Returns whether a test accepts a URL but rejects the same URL with a different host.
    fileprivate static func dependsOnHost(of url: String, _ accepts: (String) throws -> Bool) rethrows -> Bool {
        try accepts(url) && !accepts(LiteralURL(url).replacing(authority: "host.invalid"))
    }
}

/// A regular expression to search in URLs.
struct URLExpression: Sendable {
    let text: String
    private let compiled: NSRegularExpression

    init(_ text: String) throws(RelayError) {
        self.text = text
        compiled = try NSRegularExpression(ofRule: text)
    }

    /// Returns whether a URL contains a match.
    ///
    /// - Throws: `limitExceeded` if the search takes too much work, or more than the processor time in nanoseconds.
    func isFound(in url: String, within limit: UInt64) throws -> Bool {
        var isFound = false
        let name = "The regular expression '\(MessageText.text(text))'"
        try compiled.forEachMatch(in: url, within: limit, named: name) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    /// Returns whether a URL contains a match, but not with a different host.
    ///
    /// - Throws: As ``isFound(in:within:)``.
    func dependsOnHost(of url: String, within limit: UInt64) throws -> Bool {
        try RequestPattern.dependsOnHost(of: url) { try isFound(in: $0, within: limit) }
    }
}
