/// The parts of two requests that must be equal for a match.
///
/// The method and the URL are compared by key, and all other parts by digest, so a lookup does not compare every
/// request.
struct Equivalence: Sendable {
    /// The compared parts of the method and the URL.
    var key = KeyRule()

    /// The compared header fields.
    var headers: [HeaderRule] = []

    /// The compared representations of the body.
    var bodies: [BodyRule] = []

    /// Whether neither header fields nor bodies are compared.
    var isKeyOnly: Bool { headers.isEmpty && bodies.isEmpty }

    /// Returns an equivalence that compares the parts of both equivalences.
    func union(_ other: Equivalence) -> Equivalence {
        Equivalence(
            key: key.union(other.key), headers: headers + other.headers, bodies: bodies + other.bodies)
    }

    /// Returns a digest of the compared parts of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - withKey: Whether to include the method and the URL.
    /// - Returns: The digest. Equal parts have equal digests.
    func digest(of request: ComparedRequest, withKey: Bool) -> Digest {
        guard bodies.isEmpty || request.isBodyCaptured else { return .unknown }
        var maker = DigestMaker()
        if withKey { RequestKey(method: request.request.method, url: request.url, rule: key).add(to: &maker) }
        for rule in headers { maker.add(rule.values(of: request.request.headers)) }
        for rule in bodies { rule.content(of: request).add(to: &maker) }
        return maker.digest
    }

    /// Returns the differences between two requests, or an empty array if they match.
    func differences(requested: ComparedRequest, recorded: ComparedRequest) -> [MatchDifference] {
        var differences = key.differences(requested: requested, recorded: recorded)
        for rule in headers {
            differences += rule.differences(
                requested: requested.request.headers, recorded: recorded.request.headers, requested.messages)
        }
        for rule in bodies {
            differences += rule.content(of: requested)
                .differences(from: rule.content(of: recorded), requested.messages)
        }
        return differences
    }
}
