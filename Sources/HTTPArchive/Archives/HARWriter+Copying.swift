extension HARWriter {
    /// Copies an entry from another archive.
    ///
    /// If the layout is ``JSONLayout/unchanged``, the bytes of the entry are validated and copied. If nothing has been
    /// written yet, this method starts a HAR 1.2 log with Relay as its creator. Bodies that are stored in the same zip
    /// file as the other archive become part of the entry.
    ///
    /// - Parameters:
    ///   - index: The index of the entry in the other archive, which must be less than ``HARArchive/count``.
    ///   - archive: The other archive.
    /// - Throws: `unwritableFile`; `invalidOrder` after the end of the entries; the errors of
    ///   ``HARArchive/entry(at:)``, such as `malformedJSON` if the entry is broken. If the entry cannot be read,
    ///   nothing is written.
    public func append(entryAt index: Int, of archive: HARArchive) throws(HARError) {
        if try archive.bodyFolder.isContainer(),
            let entry = try archive.entry(at: index).embeddingContainedBodies(from: archive.bodyFolder)
        {
            return try append(entry)
        }
        guard layout == .unchanged else { return try append(archive.entry(at: index)) }
        let text = try archive.text(at: index, validatedBy: &validator)
        try append(validated: text)
    }
}
