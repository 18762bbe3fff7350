/// The parts of two requests that must be equal for a match.
///
/// Parts of method and URL are compared as keys, and all others as digests, so that a lookup finds equal requests
/// without comparing all of them.
struct Equivalence: Sendable {
    /// The compared parts of method and URL.
    var key = KeyRule()

    /// The compared header fields.
    var headers: [HeaderRule] = []

    /// The compared representations of the body.
    var bodies: [BodyRule] = []

    /// Whether only method and URL are compared.
    var isKeyOnly: Bool { headers.isEmpty && bodies.isEmpty }

    /// Returns an equivalence that requires the parts of both.
    func union(_ other: Equivalence) -> Equivalence {
        Equivalence(
            key: key.union(other.key), headers: headers + other.headers, bodies: bodies + other.bodies)
    }

    /// Returns a digest of the compared parts of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - withKey: Whether to include method and URL.
    /// - Returns: The digest, which is the same for equal parts.
    func digest(of request: ComparedRequest, withKey: Bool) -> Digest {
        guard bodies.isEmpty || request.isBodyCaptured else { return .unknown }
        var maker = DigestMaker()
        if withKey { RequestKey(method: request.request.method, url: request.url, rule: key).add(to: &maker) }
        for rule in headers { maker.add(rule.values(of: request.request.headers)) }
        for rule in bodies { rule.content(of: request).add(to: &maker) }
        return maker.digest
    }

    /// Returns the differences between two requests, part by part; empty if they match.
    func differences(asked: ComparedRequest, recorded: ComparedRequest) -> [MatchDifference] {
        var differences = key.differences(asked: asked, recorded: recorded)
        for rule in headers {
            differences += rule.differences(asked: asked.request.headers, recorded: recorded.request.headers)
        }
        for rule in bodies {
            differences += rule.content(of: asked).differences(from: rule.content(of: recorded))
        }
        return differences
    }
}
