import HTTPArchive

/// Header fields with one value per name, for formats that do not allow repeated names.
struct MergedFields {
    /// The names and values, in the order in which each name first occurs.
    private(set) var fields: [(name: String, value: String)] = []

    /// The index of each field, by the key of its name.
    private var indexes: [String: Int] = [:]

    /// Merges header fields, and omits HTTP/2 pseudo-header fields.
    ///
    /// - Parameters:
    ///   - headers: The header fields.
    ///   - key: A function that returns the same key for equivalent names.
    ///   - separator: A function that returns the text to insert between the values of a name; a comma by default.
    /// - Complexity: O(*n*), where *n* is the total size of the fields.
    init(
        _ headers: [HAR.Header], key: (String) -> String,
        separator: (String) -> String = { _ in ", " }
    ) {
        for header in headers where !header.name.hasPrefix(":") {
            let name = header.name
            if let index = indexes[key(name)] {
                fields[index].value += separator(name)
                fields[index].value += header.value
            } else {
                indexes[key(name)] = fields.count
                fields.append((name, header.value))
            }
        }
    }
}
