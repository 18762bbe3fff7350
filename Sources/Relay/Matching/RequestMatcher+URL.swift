extension RequestMatcher {
    /// The method, in any case.
    public static let method = key("method", [.method])

    /// The scheme, `http` or `https`.
    public static let scheme = key("scheme", [.scheme])

    /// The host without its port, in any case.
    public static let host = key("host", [.host])

    /// The port, which is that of the scheme where the URL names none.
    public static let port = key("port", [.port])

    /// The path, however its characters are encoded; `/` is the same as none.
    public static let path = key("path", [.path])

    /// The path in any case and encoding; empty segments, such as behind a last slash, do not count.
    public static let pathIgnoringCase = key("path", [.foldedPath])

    /// The whole URL in its normal form ([RFC 3986, section 6.2](https://www.rfc-editor.org/rfc/rfc3986#section-6.2)),
    /// but for user and fragment; the order of the query's items does not matter.
    public static let url = url(ignoringQueryItems: [])

    /// The items of the query, in any order.
    public static let query = query(ignoring: [])

    /// The items of the query, in their order.
    public static let orderedQuery = key("ordered query", [], query: .ordered)

    /// The items of the query, in any order, but for those of certain names.
    ///
    /// - Parameter names: The names as they are meant, without percent-encoding.
    /// - Returns: The matcher.
    public static func query(ignoring names: Set<String>) -> RequestMatcher {
        key("query", [], query: .items(ignoring: names))
    }

    /// The URL in its normal form, but for user, fragment, and those items of the query that have certain names.
    ///
    /// - Parameter names: The names as they are meant, without percent-encoding.
    /// - Returns: The matcher.
    public static func url(ignoringQueryItems names: Set<String>) -> RequestMatcher {
        key("url", [.origin, .path], query: .items(ignoring: names))
    }

    private static func key(
        _ name: String, _ parts: KeyRule.Parts, query: KeyRule.Query = .ignored
    ) -> RequestMatcher {
        RequestMatcher(name, Equivalence(key: KeyRule(parts: parts, query: query)))
    }
}
