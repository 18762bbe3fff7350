/// Which parts of method and URL an entry must have in common with a request.
///
/// Equal parts make equal keys, so that entries are found without looking at others.
struct KeyRule: Hashable, Sendable {
    /// Parts that are compared as they are in the normal form of a URL.
    struct Parts: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let method = Parts(rawValue: 1)
        static let scheme = Parts(rawValue: 2)
        static let host = Parts(rawValue: 4)
        static let port = Parts(rawValue: 8)
        static let path = Parts(rawValue: 16)

        /// The segments of the path that are not empty, without regard to case.
        static let foldedPath = Parts(rawValue: 32)
        static let origin: Parts = [.scheme, .host, .port]
    }

    /// How queries are compared.
    enum Query: Hashable, Sendable {
        /// Not at all.
        case ignored

        /// By their items in any order, without those of certain names.
        case items(ignoring: Set<String>)

        /// By their items in their order.
        case ordered
    }

    var parts: Parts = []
    var query = Query.ignored

    /// The method, and the URL with its query in any order.
    static let methodAndURL = KeyRule(parts: [.method, .origin, .path], query: .items(ignoring: []))

    /// The rule that holds where this one and another one hold.
    func union(_ other: KeyRule) -> KeyRule {
        KeyRule(parts: parts.union(other.parts), query: query.and(other.query))
    }
}

extension KeyRule.Query {
    /// What is compared where this and another comparison have to succeed: the items that any of them looks at.
    fileprivate func and(_ other: Self) -> Self {
        switch (self, other) {
        case (.ordered, _), (_, .ordered): .ordered
        case (.ignored, let query), (let query, .ignored): query
        case (.items(let first), .items(let second)): .items(ignoring: first.intersection(second))
        }
    }
}
