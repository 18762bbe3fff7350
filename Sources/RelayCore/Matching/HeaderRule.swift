import Foundation
import HTTPArchive

/// Which header fields an entry must have in common with a request.
///
/// Values are compared as multisets by the name in lower case.
struct HeaderRule: Hashable, Sendable {
    /// The names in lower case.
    private let names: Set<String>

    /// Whether the names are those that count, or those that do not.
    private let areNamed: Bool

    /// Whether values are equal that differ in case alone.
    private var ignoresCase = false

    /// The fields of these names, and no others.
    static func named(_ names: [String]) -> HeaderRule {
        HeaderRule(names: Set(names.map { $0.lowercased() }), areNamed: true)
    }

    /// All fields but those of these names.
    static func all(ignoring names: Set<String>, ignoringCase: Bool = false) -> HeaderRule {
        HeaderRule(names: Set(names.map { $0.lowercased() }), areNamed: false, ignoresCase: ignoringCase)
    }

    /// The values of each name that counts, sorted.
    func values(of fields: [HeaderField]) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for field in fields where !field.name.hasPrefix(":") {
            let name = field.name.lowercased()
            guard names.contains(name) == areNamed, let value = Self.comparable(field.value, of: name) else { continue }
            values[name, default: []].append(ignoresCase ? value.lowercased() : value)
        }
        return values.mapValues { $0.sorted() }
    }

    /// What differs, by the names alone.
    func differences(asked: [HeaderField], recorded: [HeaderField]) -> [MatchDifference] {
        MatchDifference.ofNamedValues("header", recorded: values(of: recorded), asked: values(of: asked))
    }

    /// A value as it is compared; `nil` for one that says what its absence says (RFC 9110, section 12.5.1,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1).
    private static func comparable(_ value: String, of name: String) -> String? {
        let value = value.trimmingCharacters(in: .whitespaces)
        switch name {
        case "accept" where value == "*/*": return nil
        case "content-type":
            // The boundary is made anew for each request.
            guard let type = MediaType(value), type.essence.hasPrefix("multipart/") else { return value }
            let parameters = type.parameters.filter { $0.key != "boundary" }.sorted { $0.key < $1.key }
            return parameters.reduce(type.essence) { "\($0); \($1.key)=\($1.value)" }
        default: return value
        }
    }
}
