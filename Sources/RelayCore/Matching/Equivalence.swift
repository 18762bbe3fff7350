/// What of a request has to be equal: parts that are cut out of it and compared on their own.
///
/// Parts of method and URL make keys, the others digests; either way, equal ones are found without comparing all.
struct Equivalence: Sendable {
    /// What counts of method and URL.
    var key = KeyRule()

    /// What counts of header fields.
    var headers: [HeaderRule] = []

    /// What counts of the body.
    var bodies: [BodyRule] = []

    /// Whether nothing but method and URL counts.
    var isKeyOnly: Bool { headers.isEmpty && bodies.isEmpty }

    /// What has to be equal for this one and another one.
    func union(_ other: Equivalence) -> Equivalence {
        Equivalence(
            key: key.union(other.key), headers: headers + other.headers, bodies: bodies + other.bodies)
    }

    /// What stands for the parts of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - withKey: Whether method and URL are among the parts.
    /// - Returns: Equal digests for equal parts.
    func digest(of request: ComparedRequest, withKey: Bool) -> Digest {
        guard bodies.isEmpty || request.isBodyCaptured else { return .unknown }
        var maker = DigestMaker()
        if withKey { RequestKey(method: request.request.method, url: request.url, rule: key).add(to: &maker) }
        for rule in headers { maker.add(rule.values(of: request.request.headers)) }
        for rule in bodies { rule.content(of: request).add(to: &maker) }
        return maker.digest
    }

    /// What differs between two requests, part by part; nothing where they match.
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
