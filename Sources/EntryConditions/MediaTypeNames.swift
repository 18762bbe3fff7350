import Foundation

/// The names of groups of media types.
package enum MediaTypeNames {
    /// The media type patterns of each name.
    ///
    /// `*` matches any characters.
    private static let types: [(name: String, patterns: [String])] = [
        ("html", ["text/html", "application/xhtml+xml"]),
        ("css", ["text/css"]),
        ("js", ["text/javascript", "application/javascript", "application/x-javascript", "application/ecmascript"]),
        ("json", ["*/json", "*+json", "*/x-ndjson", "*/json-seq"]),
        ("xml", ["*/xml", "*+xml"]),
        ("image", ["image/*"]), ("font", ["font/*", "application/font-*", "application/x-font-*"]),
        ("audio", ["audio/*"]), ("video", ["video/*"]), ("text", ["text/*"]),
    ]

    /// All names.
    package static let all = types.map(\.name)

    /// The names as a list for messages.
    package static let list = all.dropLast().joined(separator: ", ") + " and " + (all.last ?? "")

    /// Returns the media types of a name or a pattern, or nil if the text is neither.
    package static func patterns(of text: String) -> [String]? {
        // Entries are compared without the parameters of their types.
        let type = text.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        if type.contains("/") || type.contains("*") { return [type] }
        return types.first { $0.name == type }?.patterns
    }
}
