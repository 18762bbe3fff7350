public import HTTPArchive

/// The rules for selecting an archive entry to answer a request.
///
/// Entries that satisfy all required matchers are candidates. The preferred matchers then narrow the candidates in
/// order. A matcher that no candidate satisfies is skipped. The ``repetition`` selects one of the remaining entries.
///
/// ```swift
/// var matching = RequestMatching.standard
/// matching.required.append(.header("Accept"))
/// matching.repetition = .once
/// ```
public struct RequestMatching: Sendable {
    /// The handling of repeated requests.
    public enum Repetition: Sendable, Hashable {
        /// Uses the entries in order, and then repeats the last entry.
        case nextThenLast

        /// Uses each entry once, in order. Further requests are misses.
        case once

        /// Uses the first entry for every request.
        case first

        /// Uses the entries in order, starting over after the last entry.
        case cycle
    }

    /// The matchers that an entry must satisfy.
    public var required: [RequestMatcher]

    /// The matchers that select among several candidates, in order of precedence.
    public var preferred: [RequestMatcher]

    /// The handling of repeated requests; ``Repetition/nextThenLast`` by default.
    public var repetition: Repetition

    /// Whether each entry is replayed once, in recorded order, for any request; `false` by default.
    ///
    /// If `true`, all other properties are ignored.
    public var playsInRecordedOrder: Bool

    /// Creates rules for selecting entries.
    ///
    /// - Parameters:
    ///   - required: The matchers that an entry must satisfy.
    ///   - preferred: The matchers that select among several candidates; none by default.
    ///   - repetition: The handling of repeated requests; ``Repetition/nextThenLast`` by default.
    ///   - playsInRecordedOrder: Whether each entry is replayed once, in recorded order, for any request; `false` by
    ///     default.
    public init(
        required: [RequestMatcher], preferred: [RequestMatcher] = [], repetition: Repetition = .nextThenLast,
        playsInRecordedOrder: Bool = false
    ) {
        self.required = required
        self.preferred = preferred
        self.repetition = repetition
        self.playsInRecordedOrder = playsInRecordedOrder
    }
}

extension RequestMatching {
    /// Rules that match the method and URL, and prefer entries with the same body.
    public static let standard = RequestMatching(required: [.method, .url], preferred: [.body])

    /// Rules that match the method, URL, body, and all header fields except ``RequestMatcher/volatileHeaders``.
    public static let strict = RequestMatching(required: [.method, .url, .headers(), .body])

    /// Rules that match only the path, and prefer entries with the same method, host, query and body, in that order.
    public static let loose = RequestMatching(required: [.path], preferred: [.method, .host, .query, .body])

    /// Rules that match the method, path and query for any host, and prefer entries with the same host, then body.
    public static let anyHost = RequestMatching(required: [.method, .path, .query], preferred: [.host, .body])

    /// Rules that match the method and the URL without its query, and prefer entries with the same query, then body.
    public static let anyQuery = RequestMatching(
        required: [.method, .scheme, .host, .port, .path], preferred: [.query, .body])

    /// Rules that match the method, URL and body, to distinguish requests that modify data.
    public static let methodURLAndBody = RequestMatching(required: [.method, .url, .body])

    /// Rules that match the method, the URL without its query, and the GraphQL operation with its variables.
    ///
    /// Other requests are matched by query and body.
    public static let graphQL = RequestMatching(
        required: [.method, .scheme, .host, .port, .path, .graphQL], preferred: [.query])

    /// Rules that match the method, URL, model, messages and tools of a request to a language model.
    ///
    /// These members of the JSON body are compared, as common APIs use them: `model`, `messages`, `system`, `tools`,
    /// `stream`, `input`, `instructions`, `prompt`, `contents` and `systemInstruction`. All other members, such as seeds and
    /// metadata, and identifiers at any depth are ignored.
    public static let languageModel = RequestMatching(required: [
        .method, .url,
        .jsonBody(
            members: [
                "model", "messages", "system", "tools", "stream", "input", "instructions", "prompt", "contents",
                "systemInstruction",
            ], ignoring: ["/**/id", "/**/call_id", "/**/tool_call_id", "/**/tool_use_id"]),
    ])

    /// Rules that replay each entry once, in recorded order, for any request.
    public static let recordedOrder = RequestMatching(required: [], repetition: .once, playsInRecordedOrder: true)

    /// Returns rules that match the method, URL and JSON body, ignoring certain values in the body.
    ///
    /// - Parameter pointers: The locations of values to ignore, such as timestamps or generated identifiers.
    /// - Returns: The rules.
    public static func json(ignoring pointers: [JSONPointer]) -> RequestMatching {
        RequestMatching(required: [.method, .url, .jsonBody(ignoring: pointers)])
    }
}

/// A compiled ``RequestMatching``.
final class MatchingPlan: Sendable {
    /// The rule for the keys that identify candidates.
    let key: KeyRule

    /// The conjunction of all required matchers.
    let required: RequestMatcher

    /// The matchers that select among candidates, in order of precedence.
    let preferred: [RequestMatcher]

    /// The page whose entries are preferred among equally good matches, or nil for no preference.
    let page: String?

    let repetition: RequestMatching.Repetition
    let playsInRecordedOrder: Bool

    /// Whether any matcher needs bodies.
    let readsBodies: Bool

    /// Whether bodies are compared only to select among candidates.
    let prefersBodies: Bool

    init(_ matching: RequestMatching, page: String? = nil) {
        self.page = page
        required = .all(of: matching.required)
        key = required.equivalence.key
        preferred = matching.preferred
        repetition = matching.repetition
        playsInRecordedOrder = matching.playsInRecordedOrder
        prefersBodies =
            !required.readsBodies && !playsInRecordedOrder && preferred.contains { !$0.equivalence.bodies.isEmpty }
        readsBodies = required.readsBodies || preferred.contains(where: \.readsBodies)
    }

    /// Whether the required matchers compare header fields or bodies by digest.
    var hasRequiredParts: Bool { !required.equivalence.headers.isEmpty || !required.equivalence.bodies.isEmpty }

    /// Whether a matching key is sufficient, so that a single candidate is selected without reading it.
    var isDecidedByKey: Bool { !hasRequiredParts && required.tests.isEmpty }

    /// Whether the required matchers are equivalent to the required matchers of ``RequestMatching/standard``.
    var isStandard: Bool { isDecidedByKey && key == .methodAndURL }

    /// Returns a digest of the parts of a request that a matcher compares.
    ///
    /// - Parameters:
    ///   - part: The matcher.
    ///   - request: The request.
    /// - Returns: The digest. Equal parts have equal digests.
    func digest(of part: Part, in request: ComparedRequest) -> Digest {
        switch part {
        case .required: required.equivalence.digest(of: request, withKey: false)
        case .preferred(let index): preferred[index].equivalence.digest(of: request, withKey: true)
        }
    }

    /// A matcher with a separate digest.
    enum Part: Hashable, Sendable {
        /// The required matchers, except the key.
        case required

        /// One of the preferred matchers.
        case preferred(Int)
    }
}

extension RequestMatching {
    /// Returns rules that also ignore certain query items, header fields, values in JSON bodies, and fields of forms.
    ///
    /// ```swift
    /// let matching = RequestMatching.standard.ignoring(queryItems: ["timestamp"], json: ["/requestID"])
    /// ```
    ///
    /// Matchers are unchanged if they compare query items in order, compare GraphQL variables, or call a closure.
    ///
    /// - Parameters:
    ///   - items: The names of query items, without percent-encoding; none by default.
    ///   - headers: The case-insensitive names of header fields; none by default.
    ///   - pointers: The locations of values in JSON bodies, which need not exist; none by default.
    ///   - fields: The names of fields in URL-encoded and multipart forms; none by default.
    /// - Returns: The rules, otherwise unchanged.
    public func ignoring(
        queryItems items: Set<String> = [], headers: [String] = [], json pointers: [JSONPointer] = [],
        formFields fields: Set<String> = []
    ) -> RequestMatching {
        var result = self
        result.required = required.map { $0.ignoring(items, headers, pointers, fields) }
        result.preferred = preferred.map { $0.ignoring(items, headers, pointers, fields) }
        return result
    }
}

extension RequestMatcher {
    fileprivate func ignoring(
        _ items: Set<String>, _ headers: [String], _ pointers: [JSONPointer], _ fields: Set<String>
    ) -> RequestMatcher {
        var equivalence = equivalence
        if case .items(let ignored) = equivalence.key.query {
            equivalence.key.query = .items(ignoring: ignored.union(items))
        }
        equivalence.headers = equivalence.headers.map { $0.ignoring(headers) }
        equivalence.bodies = equivalence.bodies.map { $0.ignoring(pointers, fields) }
        return RequestMatcher(name, equivalence, tests: tests)
    }
}
