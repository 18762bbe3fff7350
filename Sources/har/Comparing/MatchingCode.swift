import ArchiveInspection
import HTTPArchive
import Relay

/// Generates the Swift code of a matching.
enum MatchingCode {
    /// Returns the matching that ignores volatile fields of requests.
    ///
    /// Header fields that ``RequestMatching/strict`` ignores are left out.
    ///
    /// - Parameter fields: The volatile fields of requests and responses.
    /// - Returns: An expression, such as `RequestMatching.standard.ignoring(queryItems: ["t"])`.
    static func matching(ignoring fields: some Collection<VolatileField>) -> String {
        let headers = fields.filter {
            $0.part == "request header" && !RequestMatcher.volatileHeaders.contains($0.name)
        }
        let items = fields.filter { $0.part == "query" && $0.name != VolatileField.unnamed }
        let arguments = [
            ("queryItems", items), ("headers", headers),
            ("json", fields.filter { $0.part == "request body" && $0.name.hasPrefix("/") }),
            ("formFields", fields.filter { $0.part == "request body" && !$0.name.hasPrefix("/") }),
        ].filter { !$0.1.isEmpty }.map { label, fields in
            "\(label): [\(fields.map(\.name).sorted().map(literal).joined(separator: ", "))]"
        }
        return "RequestMatching.standard" + (arguments.isEmpty ? "" : ".ignoring(\(arguments.joined(separator: ", ")))")
    }

    /// Returns a description of volatile fields that the matching does not ignore, or nil if it ignores all of them.
    ///
    /// - Parameter fields: The volatile fields of requests and responses.
    /// - Returns: The description.
    static func limitation(of fields: some Collection<VolatileField>) -> String? {
        guard fields.contains(where: { $0.part == "query" && $0.name == VolatileField.unnamed }) else { return nil }
        return "the matching does not ignore query items without a name; write a matcher with a closure for it"
    }

    /// Returns a string literal, in which unprintable characters are escaped.
    private static func literal(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            default: scalar.isUnprintable ? "\\u{\(String(scalar.value, radix: 16))}" : "\(scalar)"
            }
        }
        return "\"\(scalars.joined())\""
    }
}
