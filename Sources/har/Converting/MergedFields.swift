import HTTPArchive

/// Header fields with one value per name, for formats that cannot repeat a name.
struct MergedFields {
    /// The names and values, in the order in which each name first occurs.
    private(set) var fields: [(name: String, value: String)] = []

    /// The index of each field, by the key of its name.
    private var indexes: [String: Int] = [:]

    /// Merges fields, except HTTP/2 pseudo-header fields.
    ///
    /// - Parameters:
    ///   - headers: The header fields.
    ///   - key: Returns the same text for equal names.
    ///   - separator: Returns the text to insert between the values of a name.
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
