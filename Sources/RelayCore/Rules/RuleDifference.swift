import HTTPArchive

/// The reason why a rule does not match a request that is similar to its pattern.
struct RuleDifference: Sendable {
    /// The description of the difference, in complete sentences.
    let text: String

    /// The approximate number of changes that would make the pattern match, which is lowest for the most similar rules.
    let cost: Int

    init(_ text: String, cost: Int = 1) {
        self.text = text
        self.cost = cost
    }

    /// Compares a URL pattern with a URL.
    ///
    /// Returns nil if they are not similar.
    ///
    /// The result is nil if they are not similar.
    ///
    /// - Parameters:
    ///   - pattern: A pattern that does not match.
    ///   - text: The pattern as written.
    ///   - url: The URL.
    init?(of pattern: URLPattern, _ text: String, from url: String) {
        switch pattern.difference(from: url) {
        case .unexpectedQuery: self.init("The request has a query. To match any query, append `?*` to the pattern.")
        case .scheme: self.init("The schemes differ. To match any scheme, remove it from the pattern.")
        case .port: self.init("The ports differ. To match any port, remove it from the pattern.")
        case .trailingSlash: self.init("The path of the request ends with a slash.")
        case .missingSlash: self.init("The path of the request does not end with a slash.")
        case nil: self.init(comparing: LiteralURL(text), with: LiteralURL(url))
        }
    }

    /// Compares the hosts, paths and queries of a pattern and a URL.
    ///
    /// Returns nil if they are not similar.
    private init?(comparing pattern: LiteralURL, with url: LiteralURL) {
        let hosts = EditDistance.distance(pattern.normalizedHost, url.normalizedHost)
        let paths = EditDistance.distance(pattern.path, url.path)
        let hasHost = !pattern.host.isEmpty
        if hasHost, hosts == 0, paths == 0 {
            self.init("The queries differ.", cost: 2)
        } else if hasHost, hosts == 0, Self.isSimilar(paths, pattern.path) {
            self.init("The paths differ.", cost: 1 + paths)
        } else if hasHost, paths == 0, !pattern.path.isEmpty || Self.isSimilar(hosts, pattern.host) {
            self.init("The hosts differ.", cost: 1 + hosts)
        } else {
            return nil
        }
    }

    /// Returns whether a text that differs in a number of letters is likely to be a variant or a misspelling.
    private static func isSimilar(_ distance: Int, _ text: Substring) -> Bool {
        distance * 3 <= max(text.utf8.count, 3)
    }
}
