public import HTTPArchive

/// How the entry of an archive is chosen that answers a request.
///
/// Entries that fulfil all required matchers are candidates. The preferred ones decide among them, one after the other;
/// one that no candidate fulfils decides nothing. Of the entries that are left, the ``repetition`` says whose turn it is.
///
/// ```swift
/// var matching = RequestMatching.standard
/// matching.required.append(.header("Accept"))
/// matching.repetition = .once
/// ```
public struct RequestMatching: Sendable {
    /// What happens when a request comes again.
    public enum Repetition: Sendable, Hashable {
        /// It gets the next entry; when there is none any more, the last one again.
        case nextThenLast

        /// It gets the next entry; when there is none any more, no entry answers it.
        case once

        /// It always gets the first entry.
        case first

        /// It gets the next entry; after the last comes the first.
        case cycle
    }

    /// What an entry has to have in common with a request.
    public var required: [RequestMatcher]

    /// What decides between entries that all could answer, the first before the next.
    public var preferred: [RequestMatcher]

    /// What happens when a request comes again; ``Repetition/nextThenLast`` by default.
    public var repetition: Repetition

    /// Whether the archive is a queue, which gives its entries in the order recorded, each once, whatever is asked.
    ///
    /// `false` by default. If it is, nothing else counts.
    public var playsInRecordedOrder: Bool

    /// Says how entries are chosen.
    ///
    /// - Parameters:
    ///   - required: What an entry has to have in common with a request.
    ///   - preferred: What decides between entries that all could answer; nothing by default.
    ///   - repetition: What happens when a request comes again; ``Repetition/nextThenLast`` by default.
    ///   - playsInRecordedOrder: Whether the archive is a queue, whatever is asked; `false` by default.
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
    /// Method and URL; where several entries have them, the body decides.
    public static let standard = RequestMatching(required: [.method, .url], preferred: [.body])

    /// Method, URL, body, and all header fields but the ``RequestMatcher/volatileHeaders``.
    public static let strict = RequestMatching(required: [.method, .url, .headers(), .body])

    /// The path alone; where several entries have it, method, host, query and body decide, in that order.
    public static let loose = RequestMatching(required: [.path], preferred: [.method, .host, .query, .body])

    /// Method, path and query, whatever host the archive was recorded from; host and then body decide.
    public static let anyHost = RequestMatching(required: [.method, .path, .query], preferred: [.host, .body])

    /// Method and URL without its query; where several entries have them, query and then body decide.
    public static let anyQuery = RequestMatching(
        required: [.method, .scheme, .host, .port, .path], preferred: [.query, .body])

    /// Method, URL and body; requests that change something are told apart by what they send.
    public static let methodURLAndBody = RequestMatching(required: [.method, .url, .body])

    /// Method, URL without its query, and the operation of GraphQL with its variables; of requests that are none of
    /// GraphQL, query and body.
    public static let graphQL = RequestMatching(
        required: [.method, .scheme, .host, .port, .path, .graphQL], preferred: [.query])

    /// The archive as a queue: its entries in the order recorded, each once, whatever is asked.
    public static let recordedOrder = RequestMatching(required: [], repetition: .once, playsInRecordedOrder: true)

    /// Method, URL and the body as JSON, but for the values at some places.
    ///
    /// - Parameter pointers: The places, such as that of a time or an identifier made anew.
    /// - Returns: How entries are chosen.
    public static func json(ignoring pointers: [JSONPointer]) -> RequestMatching {
        RequestMatching(required: [.method, .url, .jsonBody(ignoring: pointers)])
    }
}

/// A ``RequestMatching`` as it is carried out.
final class MatchingPlan: Sendable {
    /// What makes the key that finds the candidates.
    let key: KeyRule

    /// All required matchers in one.
    let required: RequestMatcher

    /// What decides between candidates, the first before the next.
    let preferred: [RequestMatcher]

    /// The page whose entries go before others that match equally, or nil for none.
    let page: String?

    let repetition: RequestMatching.Repetition
    let playsInRecordedOrder: Bool

    /// Whether somebody looks at bodies.
    let readsBodies: Bool

    /// Whether anything is required besides the key that has a digest.
    let hasRequiredParts: Bool

    /// Whether a single candidate is the answer without a look at it.
    let isDecidedByKey: Bool

    init(_ matching: RequestMatching, page: String? = nil) {
        self.page = page
        required = .all(of: matching.required)
        key = required.equivalence.key
        preferred = matching.preferred
        repetition = matching.repetition
        playsInRecordedOrder = matching.playsInRecordedOrder
        hasRequiredParts = !required.equivalence.isKeyOnly
        isDecidedByKey = !hasRequiredParts && required.tests.isEmpty
        readsBodies = required.readsBodies || preferred.contains(where: \.readsBodies)
    }

    /// What stands for the parts of a request that a matcher compares.
    ///
    /// - Parameters:
    ///   - part: The matcher.
    ///   - request: The request.
    /// - Returns: Equal digests for equal parts.
    func digest(of part: Part, in request: ComparedRequest) -> Digest {
        switch part {
        case .required: required.equivalence.digest(of: request, withKey: false)
        case .preferred(let index): preferred[index].equivalence.digest(of: request, withKey: true)
        }
    }

    /// A matcher with a digest of its own.
    enum Part: Hashable, Sendable {
        /// What is required besides the key.
        case required

        /// One of the preferred matchers.
        case preferred(Int)
    }
}
