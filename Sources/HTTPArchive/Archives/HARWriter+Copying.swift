extension HARWriter {
    /// Copies an entry of another archive.
    ///
    /// Where the layout is unchanged, its bytes are copied as they are, after they were validated. If nothing was written
    /// before, a log of HAR 1.2 made by Relay begins.
    ///
    /// - Parameters:
    ///   - index: The place of the entry in the other archive, counted from 0; it must be below the archive's count.
    ///   - archive: The other archive.
    /// - Throws: `unwritableFile`; `invalidOrder` after the end of the entries; as ``HARArchive/entry(at:)`` does, such as
    ///   `malformedJSON` when the entry is broken. Nothing of the entry is written then.
    public func append(entryAt index: Int, of archive: HARArchive) throws(HARError) {
        guard layout == .unchanged else { return try append(archive.entry(at: index)) }
        let text = try archive.text(at: index, validatedBy: &validator)
        try append(validated: text)
    }
}
