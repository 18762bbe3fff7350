/// Decides whether a recorded request is one that was asked, in one respect or in several.
///
/// Matchers are values: ``all(of:)`` and ``any(of:)`` make larger ones of them, and a ``RequestMatching`` says which ones
/// an archive is played by. All built-in ones cut a part out of both requests and compare these; entries with equal parts
/// are found without looking at the others, so an archive may have any size. Matchers of ``any(of:)`` and
/// ``custom(_:_:)`` look at each entry that all others leave.
public struct RequestMatcher: Sendable {
    /// What the matcher compares, in a word.
    public let name: String

    /// What has to be equal.
    let equivalence: Equivalence

    /// What has to be true besides.
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
    ///   - asked: The request that was asked.
    ///   - recorded: The recorded request.
    /// - Returns: Whether they match, and if not, everything that differs.
    public func verdict(asked: InterceptedRequest, recorded: InterceptedRequest) -> MatchVerdict {
        verdict(asked: ComparedRequest(asked), recorded: ComparedRequest(recorded))
    }

    func verdict(asked: ComparedRequest, recorded: ComparedRequest) -> MatchVerdict {
        let differences = equivalence.differences(asked: asked, recorded: recorded)
        return tests.reduce(MatchVerdict(differences: differences)) { $0.and($1(asked, recorded)) }
    }

    /// Compares a recorded request with the form of another one that it is most like.
    func verdict(of forms: [ComparedRequest], recorded: ComparedRequest) -> MatchVerdict {
        forms.map { verdict(asked: $0, recorded: recorded) }
            .min { ($0.isMatch ? 0 : 1, $0.differences.count) < ($1.isMatch ? 0 : 1, $1.differences.count) }
            ?? .mismatch([])
    }

    /// Whether all that has to be true besides is.
    func passesTests(asked: ComparedRequest, recorded: ComparedRequest) -> Bool {
        tests.allSatisfy { $0(asked, recorded).isMatch }
    }

    /// Whether somebody looks at bodies.
    var readsBodies: Bool { !equivalence.bodies.isEmpty || !tests.isEmpty }
}

extension RequestMatcher {
    /// Matches where all of the matchers do; of none, always.
    ///
    /// - Parameter matchers: The matchers.
    /// - Returns: One matcher, whose verdict has the differences of all.
    public static func all(of matchers: [RequestMatcher]) -> RequestMatcher {
        RequestMatcher(
            matchers.map(\.name).joined(separator: ", "),
            matchers.reduce(Equivalence()) { $0.union($1.equivalence) }, tests: matchers.flatMap(\.tests))
    }

    /// Matches where any of the matchers does; of none, never.
    ///
    /// - Parameter matchers: The matchers.
    /// - Returns: One matcher, whose verdict has the differences of the matcher that finds the fewest.
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

    /// Matches where a closure says so.
    ///
    /// The closure sees those entries that all other matchers leave, in the order of the file, each time that a request
    /// is answered; and the nearest ones where none does.
    ///
    /// - Parameters:
    ///   - name: What the matcher compares, in a word.
    ///   - compare: Compares the request that was asked with a recorded one. A body that the archive does not have is
    ///     `nil`. It may be called on any thread, for several requests at a time.
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
