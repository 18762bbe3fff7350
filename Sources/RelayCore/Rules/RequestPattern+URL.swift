import Foundation
import HTTPArchive

extension RequestPattern {
    /// Returns a pattern for URLs with wildcards.
    ///
    /// A URL is split into its host, the segments of its path, then each name and value of its query, in this order.
    /// The query is split only if there is exactly one `?`. Host and port form one part, which is case-insensitive. The
    /// scheme, user, fragment and empty parts are ignored. Percent-encoding is removed before splitting.
    ///
    /// A pattern part that begins with `*` matches any single part. `**` matches one or more remaining parts and ends
    /// the pattern. All other parts must be equal, and their number must be the same.
    ///
    /// - Parameter pattern: The pattern, such as `api.example.com/items/*/info` or `api.example.com/**`.
    /// - Returns: The pattern. Every text is valid.
    public static func url(_ pattern: String) -> RequestPattern {
        let parts = URLPattern(pattern)
        return Self(MessageText.url(pattern), namesHost: { host, _ in host == parts.host }) { parts.matches($0.url) }
    }

    /// Returns a pattern for one URL, including its scheme and query.
    ///
    /// - Parameter url: The URL. Equivalent URLs also match: another case of the host, the default port, different
    ///   percent-encoding, or a fragment.
    /// - Returns: The pattern.
    public static func exactly(_ url: String) -> RequestPattern {
        let normal = NormalizedURL(url)
        let named = RequestHost(of: url)
        return Self("exactly \(MessageText.url(url))", namesHost: { host, _ in host == named }) {
            NormalizedURL($0.url) == normal
        }
    }

    /// Returns a pattern for URLs that contain any of several words.
    ///
    /// - Parameter words: The words, which are case-sensitive. Without words, every request matches.
    /// - Returns: The pattern.
    public static func keywords(_ words: String...) -> RequestPattern { keywords(words) }

    /// Returns a pattern for URLs that contain any of several words.
    ///
    /// - Parameter words: The words, which are case-sensitive. Without words, every request matches.
    /// - Returns: The pattern.
    public static func keywords(_ words: [String]) -> RequestPattern {
        if words.isEmpty || words.contains("") { return any }
        @Sendable func isAnyWord(in url: String) -> Bool {
            words.contains { url.range(of: $0, options: .literal) != nil }
        }
        let hosts = Set(words.compactMap { RequestHost(of: $0) })
        return Self(
            "URLs with \(words.map(MessageText.text).joined(separator: " or "))",
            namesHost: { hosts.contains($0) || dependsOnHost(of: $1, isAnyWord) }
        ) { isAnyWord(in: $0.url) }
    }

    /// Returns a pattern for the requests to a host.
    ///
    /// - Parameter name: The case-insensitive host, such as `api.example.com`, or `*.example.com` for all hosts with
    ///   that suffix. A port must be equal if it is given; otherwise every port matches.
    /// - Returns: The pattern.
    public static func host(_ name: String) -> RequestPattern {
        let wanted = LiteralURL(name)
        let host = WildcardPattern(wanted.normalizedHost, separators: "")
        let port = wanted.port.map { Int($0) }
        return Self("host \(name)", namesHost: hostTest(for: wanted)) { request in
            let components = LiteralURL(request.url)
            return host.matches(components.normalizedHost) && (port == nil || components.effectivePort == port)
        }
    }

    /// Returns the test of a host name with wildcards, or nil if the name consists of wildcards alone.
    private static func hostTest(for wanted: LiteralURL) -> HostTest? {
        guard wanted.normalizedHost.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        let names = WildcardPattern(RequestHost.normalizedName(wanted.normalizedHost), separators: "")
        let port = wanted.port.flatMap { RequestHost("localhost", port: Int($0)) }?.port
        return { host, _ in
            names.matches(host.name) && (wanted.port == nil || !host.isLoopback || host.port == port)
        }
    }

    /// Returns a pattern for the requests whose path begins with a prefix.
    ///
    /// - Parameter prefix: The leading segments. For example, `/api/v1` matches `/api/v1/items` but not `/api/v10`.
    ///   Percent-encoding and empty segments are ignored.
    /// - Returns: The pattern.
    public static func path(prefix: String) -> RequestPattern {
        let wanted = segments(prefix[...], first: .max)
        return Self("path \(MessageText.url(prefix))") {
            segments(LiteralURL($0.url).path, first: wanted.count) == wanted
        }
    }

    /// Returns the first segments of a path, without percent-encoding.
    private static func segments(_ path: Substring, first count: Int) -> [String] {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: count)
        return segments.prefix(count).map { PercentEncoding.decoded($0) }
    }

    /// Returns a pattern for URLs that contain a match of a regular expression.
    ///
    /// - Parameter expression: An expression in the syntax of `NSRegularExpression`, applied to the URL as text.
    /// - Returns: The pattern.
    /// - Throws: `invalidRule` if the expression is invalid, with the position of the error.
    public static func matching(regularExpression expression: String) throws(RelayError) -> RequestPattern {
        guard let compiled = try? NSRegularExpression(pattern: expression) else {
            let understood = expression.indices.prefix(1_000).reversed().first { end in
                (try? NSRegularExpression(pattern: String(expression[..<end]))) != nil
            }
            let position = expression.distance(from: expression.startIndex, to: understood ?? expression.startIndex) + 1
            throw RelayError(
                .invalidRule,
                "“\(MessageText.text(expression))” is not a valid regular expression: error at or after character \(position)."
            )
        }
        @Sendable func finds(in url: String) -> Bool {
            compiled.firstMatch(in: url, range: NSRange(url.startIndex..., in: url)) != nil
        }
        return Self(
            "URLs like \(MessageText.text(expression))", mayTakeLong: true, namesHost: { dependsOnHost(of: $1, finds) }
        ) { finds(in: $0.url) }
    }

    /// Whether a test accepts a URL because of its host: it rejects the same URL with another host.
    private static func dependsOnHost(of url: String, _ accepts: (String) -> Bool) -> Bool {
        accepts(url) && !accepts(LiteralURL(url).replacing(authority: "host.invalid"))
    }
}
