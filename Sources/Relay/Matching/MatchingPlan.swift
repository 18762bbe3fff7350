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
