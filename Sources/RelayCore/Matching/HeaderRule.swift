import Foundation
import HTTPArchive

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
        MatchDifference.ofNamedValues("header", recorded: values(of: recorded), requested: values(of: requested)) {
            name, values in
            values.map { messages.header(name, $0) }.joined(separator: ", ")
        }
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
