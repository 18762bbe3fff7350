import Foundation
import HTTPArchive

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

/// The header fields that a request and an entry must have in common.
///
/// Names are compared case-insensitively. The values of a name are compared in any order.
struct HeaderRule: Hashable, Sendable {
    /// The lowercase names.
    private var names: Set<String>

    /// Whether `names` lists the fields to compare rather than the fields to ignore.
    private let areNamed: Bool

    /// Whether values are compared case-insensitively.
    private var ignoresCase = false

    /// Returns a rule that compares only the fields with the given names.
    static func named(_ names: [String]) -> HeaderRule {
        HeaderRule(names: Set(names.map { $0.lowercased() }), areNamed: true)
    }

    /// Returns a rule that compares all fields except those with the given names.
    static func all(ignoring names: Set<String>, ignoringCase: Bool = false) -> HeaderRule {
        HeaderRule(names: Set(names.map { $0.lowercased() }), areNamed: false, ignoresCase: ignoringCase)
    }

    /// Returns the sorted values of each compared field.
    func values(of fields: [HeaderField]) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for field in fields where !field.name.hasPrefix(":") {
            let name = field.name.lowercased()
            guard names.contains(name) == areNamed, let value = Self.comparable(field.value, of: name) else { continue }
            values[name, default: []].append(ignoresCase ? value.lowercased() : value)
        }
        return values.mapValues { $0.sorted() }
    }

    /// Returns a difference for each field whose values differ.
    func differences(
        requested: [HeaderField], recorded: [HeaderField], _ messages: MessageRedaction
    ) -> [MatchDifference] {
        MatchDifference.ofNamedValues(
            "header", recorded: values(of: recorded), requested: values(of: requested),
            text: messages.header)
    }

    /// Returns a rule that also ignores fields with the given names.
    func ignoring(_ ignored: [String]) -> HeaderRule {
        var rule = self
        let ignored = ignored.map { $0.lowercased() }
        rule.names = areNamed ? names.subtracting(ignored) : names.union(ignored)
        return rule
    }

    /// Returns a normalized value for comparison, or `nil` if the value is equivalent to a missing field (RFC 9110,
    /// section 12.5.1, https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1).
    private static func comparable(_ value: String, of name: String) -> String? {
        let value = value.trimming(.whitespaces)
        switch name {
        case "accept" where value == "*/*": return nil
        case "content-type":
            // Clients generate a new boundary for each request.
            guard let type = MediaType(value), type.essence.hasPrefix("multipart/") else { return value }
            let parameters = type.parameters.filter { $0.key != "boundary" }.sorted { $0.key < $1.key }
            return parameters.reduce(type.essence) { "\($0); \($1.key)=\($1.value)" }
        default: return value
        }
    }
}
