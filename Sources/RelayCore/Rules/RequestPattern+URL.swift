import Foundation
import HTTPArchive

extension RequestPattern {
    /// The requests whose URL has the parts of a pattern.
    ///
    /// A URL is cut into its host, the segments of its path, then each name and value of its query, in their order; the
    /// query is cut only if there is exactly one `?`. Host and port are one part, in which case does not matter. The
    /// scheme, a user, the fragment and empty parts do not count, and percent-encoding is removed before the URL is cut.
    ///
    /// A part of the pattern that begins with `*` stands for any one part, but `**` alone for all that follow, at least
    /// one, and ends the pattern. All other parts must be equal, and there must be equally many.
    ///
    /// - Parameter pattern: The pattern, such as `api.example.com/items/*/info` or `api.example.com/**`.
    /// - Returns: The pattern; every text is one.
    public static func url(_ pattern: String) -> RequestPattern {
        let parts = URLPattern(pattern)
        return Self(pattern, namesHost: { host, _ in host == parts.host }) { parts.matches($0.url) }
    }

    /// The requests for one URL, its scheme and its query included.
    ///
    /// - Parameter url: The URL. Other spellings of it fit as well: those with another case in the host, the default port,
    ///   other percent-encoding or a fragment.
    /// - Returns: The pattern.
    public static func exactly(_ url: String) -> RequestPattern {
        let normal = NormalizedURL(url)
        let named = RequestHost(of: url)
        return Self("exactly \(SecretNames.masked(url: url))", namesHost: { host, _ in host == named }) {
            NormalizedURL($0.url) == normal
        }
    }

    /// The requests whose URL contains any of some words.
    ///
    /// - Parameter words: The words, whose case matters; every request fits when there is none.
    /// - Returns: The pattern.
    public static func keywords(_ words: String...) -> RequestPattern { keywords(words) }

    /// The requests whose URL contains any of some words.
    ///
    /// - Parameter words: The words, whose case matters; every request fits when there is none.
    /// - Returns: The pattern.
    public static func keywords(_ words: [String]) -> RequestPattern {
        if words.isEmpty || words.contains("") { return any }
        @Sendable func isAnyWord(in url: String) -> Bool {
            words.contains { url.range(of: $0, options: .literal) != nil }
        }
        let hosts = Set(words.compactMap { RequestHost(of: $0) })
        return Self(
            "URLs with \(words.joined(separator: " or "))",
            namesHost: { hosts.contains($0) || dependsOnHost(of: $1, isAnyWord) }
        ) { isAnyWord(in: $0.url) }
    }

    /// The requests to a host.
    ///
    /// - Parameter name: The host without regard to case, such as `api.example.com`, or `*.example.com` for every host
    ///   that ends so. With a port, that port is asked for; without one, any is.
    /// - Returns: The pattern.
    public static func host(_ name: String) -> RequestPattern {
        let wanted = RawURLComponents(name)
        let host = WildcardPattern(wanted.host, separators: "")
        let port = wanted.port.map { Int($0) }
        return Self("host \(name)", namesHost: hostTest(for: wanted)) { request in
            let pieces = RawURLComponents(request.url)
            return host.matches(pieces.host) && (port == nil || pieces.effectivePort == port)
        }
    }

    /// Returns the test of a host's name with wildcards, or nil if the name is nothing but wildcards.
    private static func hostTest(for wanted: RawURLComponents) -> HostTest? {
        guard wanted.host.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        let names = WildcardPattern(RequestHost.normalizedName(wanted.host), separators: "")
        let port = wanted.port.flatMap { RequestHost("localhost", port: Int($0)) }?.port
        return { host, _ in
            names.matches(host.name) && (wanted.port == nil || !host.isLoopback || host.port == port)
        }
    }

    /// The requests whose path begins with some segments.
    ///
    /// - Parameter prefix: The segments, such as `/api/v1`, which `/api/v1/items` begins with, and `/api/v10` does not.
    ///   Percent-encoding and empty segments do not count.
    /// - Returns: The pattern.
    public static func path(prefix: String) -> RequestPattern {
        let wanted = segments(prefix[...], first: .max)
        return Self("path \(prefix)") { segments(RawURLComponents($0.url).path, first: wanted.count) == wanted }
    }

    /// The first segments of a path, without percent-encoding.
    private static func segments(_ path: Substring, first count: Int) -> [String] {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: count)
        return segments.prefix(count).map { PercentEncoding.decoded($0) }
    }

    /// The requests in whose URL a regular expression finds something.
    ///
    /// - Parameter expression: An expression as `NSRegularExpression` takes them. It is applied to the URL as text.
    /// - Returns: The pattern.
    /// - Throws: `invalidRule` when it is none, with the character from which on it cannot be understood.
    public static func matching(regularExpression expression: String) throws(RelayError) -> RequestPattern {
        guard let compiled = try? NSRegularExpression(pattern: expression) else {
            let understood = expression.indices.prefix(1_000).reversed().first { end in
                (try? NSRegularExpression(pattern: String(expression[..<end]))) != nil
            }
            let place = expression.distance(from: expression.startIndex, to: understood ?? expression.startIndex) + 1
            throw RelayError(
                .invalidRule, "“\(expression)” is no regular expression: character \(place) or what follows is wrong.")
        }
        @Sendable func finds(in url: String) -> Bool {
            compiled.firstMatch(in: url, range: NSRange(url.startIndex..., in: url)) != nil
        }
        return Self(
            "URLs like \(expression)", mayTakeLong: true, namesHost: { dependsOnHost(of: $1, finds) }
        ) { finds(in: $0.url) }
    }

    /// Whether a test that takes whole URLs accepts one because of its host: it does not accept it with another one.
    private static func dependsOnHost(of url: String, _ accepts: (String) -> Bool) -> Bool {
        let authority = RawURLComponents(url).authority
        let other = url.replacingCharacters(in: authority.startIndex..<authority.endIndex, with: "host.invalid")
        return accepts(url) && !accepts(other)
    }
}
