/// Compares a request with a recorded request in one or more respects.
///
/// Combine matchers with ``all(of:)`` and ``any(of:)``, and select the matchers of an archive with a
/// ``RequestMatching``. Built-in matchers extract and compare parts of both requests. They find equal parts in an
/// index, so archives can have any size. Matchers created by ``any(of:)`` and ``custom(_:_:)`` are called for each
/// entry that satisfies all others.
public struct RequestMatcher: Sendable {
    /// The compared part, in one word.
    public let name: String

    /// The parts that must be equal.
    let equivalence: Equivalence

    /// Additional conditions.
    let tests: [@Sendable (_ asked: ComparedRequest, _ recorded: ComparedRequest) -> MatchVerdict]

    init(
        _ name: String, _ equivalence: Equivalence,
        tests: [@Sendable (_ asked: ComparedRequest, _ recorded: ComparedRequest) -> MatchVerdict] = []
    ) {
        self.name = name
        self.equivalence = equivalence
        self.tests = tests
    }

    /// Compares two requests.
    ///
    /// - Parameters:
    ///   - asked: The request to answer.
    ///   - recorded: The recorded request.
    /// - Returns: A match, or all differences.
    public func verdict(asked: InterceptedRequest, recorded: InterceptedRequest) -> MatchVerdict {
        verdict(asked: ComparedRequest(asked), recorded: ComparedRequest(recorded))
    }

    func verdict(asked: ComparedRequest, recorded: ComparedRequest) -> MatchVerdict {
        let differences = equivalence.differences(asked: asked, recorded: recorded)
        return tests.reduce(MatchVerdict(differences: differences)) { $0.and($1(asked, recorded)) }
    }

    /// Returns the verdict for the form of a request that is most similar to a recorded request.
    func verdict(of forms: [ComparedRequest], recorded: ComparedRequest) -> MatchVerdict {
        forms.map { verdict(asked: $0, recorded: recorded) }
            .min { ($0.isMatch ? 0 : 1, $0.differences.count) < ($1.isMatch ? 0 : 1, $1.differences.count) }
            ?? .mismatch([])
    }

    /// Whether the requests satisfy the additional conditions.
    func passesTests(asked: ComparedRequest, recorded: ComparedRequest) -> Bool {
        tests.allSatisfy { $0(asked, recorded).isMatch }
    }

    /// Whether the comparison needs bodies.
    var readsBodies: Bool { !equivalence.bodies.isEmpty || !tests.isEmpty }
}

extension RequestMatcher {
    /// Returns a matcher that matches if all of the given matchers do.
    ///
    /// The result for an empty array always matches.
    ///
    /// - Parameter matchers: The matchers.
    /// - Returns: A matcher whose verdict has the differences of all matchers.
    public static func all(of matchers: [RequestMatcher]) -> RequestMatcher {
        RequestMatcher(
            matchers.map(\.name).joined(separator: ", "),
            matchers.reduce(Equivalence()) { $0.union($1.equivalence) }, tests: matchers.flatMap(\.tests))
    }

    /// Returns a matcher that matches if any of the given matchers does.
    ///
    /// The result for an empty array never matches.
    ///
    /// - Parameter matchers: The matchers.
    /// - Returns: A matcher whose verdict has the differences of the matcher with the fewest.
    public static func any(of matchers: [RequestMatcher]) -> RequestMatcher {
        if let only = matchers.first, matchers.count == 1 { return only }
        return RequestMatcher(matchers.map(\.name).joined(separator: " or "), Equivalence()) { asked, recorded in
            var nearest = MatchVerdict.mismatch([])
            for (index, matcher) in matchers.enumerated() {
                let verdict = matcher.verdict(asked: asked, recorded: recorded)
                if verdict.isMatch { return .match }
                if index == 0 || verdict.differences.count < nearest.differences.count { nearest = verdict }
            }
            return nearest
        }
    }

    /// Returns a matcher that calls a closure.
    ///
    /// For each request, the closure is called with the entries that satisfy all other matchers, in file order. If none
    /// of them matches, it is also called with the nearest entries to explain the miss.
    ///
    /// - Parameters:
    ///   - name: The compared part, in one word.
    ///   - compare: A closure that compares a request with a recorded one. The body is `nil` if the archive does not
    ///     contain it. The closure may be called concurrently on any thread.
    /// - Returns: The matcher.
    public static func custom(
        _ name: String,
        _ compare: @escaping @Sendable (_ asked: InterceptedRequest, _ recorded: InterceptedRequest) -> MatchVerdict
    ) -> RequestMatcher {
        RequestMatcher(name, Equivalence()) { compare($0.request, $1.request) }
    }

    private init(
        _ name: String, _ equivalence: Equivalence,
        test: @escaping @Sendable (_ asked: ComparedRequest, _ recorded: ComparedRequest) -> MatchVerdict
    ) {
        self.init(name, equivalence, tests: [test])
    }
}

extension RequestMatcher {
    /// A matcher for the method, case-insensitively.
    public static let method = key("method", [.method])

    /// A matcher for the scheme, `http` or `https`.
    public static let scheme = key("scheme", [.scheme])

    /// A matcher for the host without its port, case-insensitively.
    public static let host = key("host", [.host])

    /// A matcher for the port, which by default is the one of the scheme.
    public static let port = key("port", [.port])

    /// A matcher for the path, regardless of percent-encoding; an empty path equals `/`.
    public static let path = key("path", [.path])

    /// A matcher for the path that ignores case, percent-encoding, and empty segments such as after a trailing slash.
    public static let pathIgnoringCase = key("path", [.foldedPath])

    /// A matcher for the normalized URL ([RFC 3986, section 6.2](https://www.rfc-editor.org/rfc/rfc3986#section-6.2))
    /// without user and fragment, with query items in any order.
    public static let url = url(ignoringQueryItems: [])

    /// A matcher for the query items, in any order.
    public static let query = query(ignoring: [])

    /// A matcher for the query items, in order.
    public static let orderedQuery = key("ordered query", [], query: .ordered)

    /// Returns a matcher that compares the query items in any order, except those with certain names.
    ///
    /// - Parameter names: The ignored names, without percent-encoding.
    /// - Returns: The matcher.
    public static func query(ignoring names: Set<String>) -> RequestMatcher {
        key("query", [], query: .items(ignoring: names))
    }

    /// Returns a matcher that compares the normalized URL, except user, fragment, and query items with certain names.
    ///
    /// - Parameter names: The ignored names, without percent-encoding.
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
