extension HARWriter {
    /// Copies an entry from another archive.
    ///
    /// If the layout is ``JSONLayout/unchanged``, the bytes of the entry are validated and copied. If nothing has been
    /// written yet, this method starts a HAR 1.2 log with Relay as its creator.
    ///
    /// - Parameters:
    ///   - index: The index of the entry in the other archive, which must be less than ``HARArchive/count``.
    ///   - archive: The other archive.
    /// - Throws: `unwritableFile`; `invalidOrder` after the end of the entries; the errors of
    ///   ``HARArchive/entry(at:)``, such as `malformedJSON` if the entry is broken. If the entry cannot be read,
    ///   nothing is written.
    public func append(entryAt index: Int, of archive: HARArchive) throws(HARError) {
        guard layout == .unchanged else { return try append(archive.entry(at: index)) }
        let text = try archive.text(at: index, validatedBy: &validator)
        try append(validated: text)
    }
}
