import Foundation
import HTTPArchive

/// The header fields that a request and an entry must have in common.
///
/// Values are compared as multisets per lowercase name.
struct HeaderRule: Hashable, Sendable {
    /// The names in lowercase.
    private var names: Set<String>

    /// Whether `names` are the names to compare rather than the names to ignore.
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

    /// Returns the sorted values of each compared name.
    func values(of fields: [HeaderField]) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for field in fields where !field.name.hasPrefix(":") {
            let name = field.name.lowercased()
            guard names.contains(name) == areNamed, let value = Self.comparable(field.value, of: name) else { continue }
            values[name, default: []].append(ignoresCase ? value.lowercased() : value)
        }
        return values.mapValues { $0.sorted() }
    }

    /// Returns the fields whose values differ.
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

    /// Returns a value in its comparable form, or `nil` if the value is equivalent to a missing field (RFC 9110,
    /// section 12.5.1, https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1).
    private static func comparable(_ value: String, of name: String) -> String? {
        let value = value.trimmingCharacters(in: .whitespaces)
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
