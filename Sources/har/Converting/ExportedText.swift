import ArchiveInspection
import HTTPArchive

extension ExportLoss {
    /// Returns the warning about a number of these parts.
    func warning(_ count: Int, in entries: Int, of format: String) -> String {
        let entries = entries.of("entry", "entries")
        switch self {
        case .messages:
            let messages = count.of("WebSocket message", "WebSocket messages")
            return "left out \(messages) of \(entries), which the \(format) format cannot represent"
        case .repeatedFields:
            let fields = count.of("repeated header field", "repeated header fields")
            return "joined \(fields) of \(entries) with commas, because the \(format) format has one value per name"
        }
    }
}

extension HAR.Body {
    /// The end of a sentence that explains why the body is not exported.
    var missingReason: String {
        if case .file = self { "cannot be read from its file" } else { "was not captured" }
    }
}

extension [HAR.Header] {
    /// Returns header fields with one value per name, in the order in which each name first occurs, and without HTTP/2
    /// pseudo-header fields, for formats that do not allow repeated names.
    ///
    /// - Parameters:
    ///   - key: A function that returns the same key for equivalent names.
    ///   - separator: A function that returns the text to insert between the values of a name; a comma by default.
    /// - Returns: The names and values.
    /// - Complexity: O(*n*), where *n* is the total size of the fields.
    func merged(
        by key: (String) -> String, separator: (String) -> String = { _ in ", " }
    ) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        var indexes: [String: Int] = [:]
        for header in self where !header.name.hasPrefix(":") {
            let name = header.name
            if let index = indexes[key(name)] {
                fields[index].value += separator(name)
                fields[index].value += header.value
            } else {
                indexes[key(name)] = fields.count
                fields.append((name, header.value))
            }
        }
        return fields
    }
}
