/// A condition for a request to match a recorded request.
///
/// Combine matchers with ``all(of:)`` and ``any(of:)``, and use them in a ``RequestMatching``. Most built-in matchers
/// look up equal parts in an index, so they are fast for archives of any size. Matchers created with ``any(of:)`` and
/// ``custom(_:_:)`` are called for each entry that satisfies all other matchers.
public struct RequestMatcher: Sendable {
    /// The compared part, in a word or two.
    public let name: String

    /// The parts that must be equal.
    let equivalence: Equivalence

    /// A condition that cannot be compared by key or digest.
    typealias Test = @Sendable (_ requested: ComparedRequest, _ recorded: ComparedRequest) -> MatchVerdict

    /// The additional conditions.
    let tests: [Test]

    init(_ name: String, _ equivalence: Equivalence, tests: [Test] = []) {
        self.name = name
        self.equivalence = equivalence
        self.tests = tests
    }

    init(_ name: String, _ equivalence: Equivalence = Equivalence(), test: @escaping Test) {
        self.init(name, equivalence, tests: [test])
    }

    /// Compares two requests.
    ///
    /// - Parameters:
    ///   - requested: The request to answer.
    ///   - recorded: The recorded request.
    /// - Returns: A match, or a mismatch with all differences.
    public func verdict(requested: InterceptedRequest, recorded: InterceptedRequest) -> MatchVerdict {
        verdict(requested: ComparedRequest(requested), recorded: ComparedRequest(recorded))
    }

    func verdict(requested: ComparedRequest, recorded: ComparedRequest) -> MatchVerdict {
        let differences = equivalence.differences(requested: requested, recorded: recorded)
        return tests.reduce(MatchVerdict(differences: differences)) { $0.and($1(requested, recorded)) }
    }

    /// Returns the best verdict among several forms of a request, such as its original and redacted forms.
    func verdict(of forms: [ComparedRequest], recorded: ComparedRequest) -> MatchVerdict {
        forms.map { verdict(requested: $0, recorded: recorded) }
            .min { ($0.isMatch ? 0 : 1, $0.differences.count) < ($1.isMatch ? 0 : 1, $1.differences.count) }
            ?? .mismatch([])
    }

    /// Whether the requests satisfy the additional conditions.
    func passesTests(requested: ComparedRequest, recorded: ComparedRequest) -> Bool {
        tests.allSatisfy { $0(requested, recorded).isMatch }
    }

    /// Whether the matcher needs bodies.
    var readsBodies: Bool { !equivalence.bodies.isEmpty || !tests.isEmpty }
}

extension RequestMatcher {
    /// Returns a matcher that matches if all of the given matchers match.
    ///
    /// If the array is empty, the returned matcher matches every request.
    ///
    /// - Parameter matchers: The matchers.
    /// - Returns: A matcher that reports the differences found by all of the given matchers.
    public static func all(of matchers: [RequestMatcher]) -> RequestMatcher {
        RequestMatcher(
            matchers.map(\.name).joined(separator: ", "),
            matchers.reduce(Equivalence()) { $0.union($1.equivalence) }, tests: matchers.flatMap(\.tests))
    }

    /// Returns a matcher that matches if at least one of the given matchers matches.
    ///
    /// If the array is empty, the returned matcher matches no request.
    ///
    /// - Parameter matchers: The matchers.
    /// - Returns: A matcher that reports the fewest differences found by any of the given matchers.
    public static func any(of matchers: [RequestMatcher]) -> RequestMatcher {
        if let only = matchers.first, matchers.count == 1 { return only }
        return RequestMatcher(matchers.map(\.name).joined(separator: " or ")) { requested, recorded in
            var nearest = MatchVerdict.mismatch([])
            for (index, matcher) in matchers.enumerated() {
                let verdict = matcher.verdict(requested: requested, recorded: recorded)
                if verdict.isMatch { return .match }
                if index == 0 || verdict.differences.count < nearest.differences.count { nearest = verdict }
            }
            return nearest
        }
    }

    /// Returns a matcher that calls a closure.
    ///
    /// For each request, the closure is called with the entries that satisfy all other matchers, in file order. If
    /// there is no match, it is also called with the most similar entries to explain the miss.
    ///
    /// - Parameters:
    ///   - name: The compared part, in a word or two.
    ///   - compare: A closure that compares a request with a recorded request. The recorded body is `nil` if it is
    ///     missing from the archive. The closure may be called concurrently on any thread.
    /// - Returns: The matcher.
    public static func custom(
        _ name: String,
        _ compare: @escaping @Sendable (_ requested: InterceptedRequest, _ recorded: InterceptedRequest) -> MatchVerdict
    ) -> RequestMatcher {
        RequestMatcher(name) { compare($0.request, $1.request) }
    }
}

extension RequestMatcher {
    /// A matcher for the method, ignoring case.
    public static let method = key("method", [.method])

    /// A matcher for the scheme, `http` or `https`.
    public static let scheme = key("scheme", [.scheme])

    /// A matcher for the host without its port, ignoring case.
    public static let host = key("host", [.host])

    /// A matcher for the port, or the default port of the scheme if the URL has none.
    public static let port = key("port", [.port])

    /// A matcher for the path, regardless of percent-encoding.
    ///
    /// An empty path is equivalent to `/`.
    public static let path = key("path", [.path])

    /// A matcher for the path, ignoring case, percent-encoding, and empty segments, such as after a trailing slash.
    public static let pathIgnoringCase = key("path", [.foldedPath])

    /// A matcher for the normalized URL ([RFC 3986, section 6.2](https://www.rfc-editor.org/rfc/rfc3986#section-6.2))
    /// without user information or fragment, and with query items in any order.
    public static let url = url(ignoringQueryItems: [])

    /// A matcher for the literal URL, without normalization.
    public static let literalURL = RequestMatcher("literal URL", url.equivalence) { requested, recorded in
        let urls = (requested.request.url, recorded.request.url)
        guard urls.0 != urls.1 else { return .match }
        return .mismatch("URL", recorded: requested.messages.url(urls.1), requested: requested.messages.url(urls.0))
    }

    /// A matcher for the fragment, the part of the URL after `#`.
    ///
    /// An empty fragment is equivalent to a missing one.
    ///
    /// Like browsers, Relay records URLs without fragments.
    public static let fragment = RequestMatcher("fragment") { requested, recorded in
        let fragments = (requested.fragment, recorded.fragment)
        guard fragments.0 != fragments.1 else { return .match }
        let texts = [fragments.1, fragments.0].map { text in
            text.isEmpty ? nil : String(requested.messages.url("#" + text).dropFirst())
        }
        return .mismatch("fragment", recorded: texts[0], requested: texts[1])
    }

    /// A matcher for the query items, in any order.
    public static let query = query(ignoring: [])

    /// A matcher for the query items, in order.
    public static let orderedQuery = key("ordered query", [], query: .ordered)

    /// Returns a matcher that compares the query items in any order, except those with the given names.
    ///
    /// - Parameter names: The names to ignore, without percent-encoding.
    /// - Returns: The matcher.
    public static func query(ignoring names: Set<String>) -> RequestMatcher {
        key("query", [], query: .items(ignoring: names))
    }

    /// Returns a matcher that compares the normalized URL, ignoring user information, the fragment, and query items
    /// with the given names.
    ///
    /// - Parameter names: The names to ignore, without percent-encoding.
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
