import HTTPArchive

extension HAR.Entry {
    /// The custom field with the index of the entry in the archive from which it was copied.
    private static let originalIndexName = "_index"

    /// The index of the entry in the archive from which it was copied by `har filter --keep-index`, or nil.
    var originalIndex: Int? { self[Self.originalIndexName]?.int.flatMap { $0 < 0 ? nil : $0 } }

    /// Returns the entry with its index in the archive, unless it has the field with the index from an earlier copy, or
    /// a field of another tool with the same name.
    ///
    /// - Parameter index: The index.
    /// - Returns: The entry.
    func keepingIndex(_ index: Int) -> HAR.Entry {
        guard self[Self.originalIndexName] == nil else { return self }
        var entry = self
        entry[Self.originalIndexName] = .integer(index)
        return entry
    }
}
