extension HARWriter {
    /// Copies an entry from another archive.
    ///
    /// If the layout is ``JSONLayout/unchanged``, the bytes of the entry are validated and copied. If nothing has been
    /// written yet, this method starts a HAR 1.2 log with Relay as its creator. Body files become part of the entry if
    /// they are in another folder than this archive, or in the same zip file as the other archive.
    ///
    /// - Parameters:
    ///   - index: The index of the entry in the other archive, which must be less than ``HARArchive/count``.
    ///   - archive: The other archive.
    /// - Throws: `unwritableFile`; `invalidOrder` after the end of the entries; the errors of
    ///   ``HARArchive/entry(at:)``, such as `malformedJSON` if the entry is broken. If the entry cannot be read,
    ///   nothing is written.
    public func append(entryAt index: Int, of archive: HARArchive) throws(HARError) {
        guard layout == .unchanged else {
            return try append(copyOf: archive.entry(at: index), from: archive.bodyFolder)
        }
        let text = try archive.text(at: index, validatedBy: &validator)
        if BodyReference.mayOccur(in: text),
            let entry = try copy(of: archive.entry(at: index, from: text), from: archive.bodyFolder)
        {
            return try append(entry)
        }
        try append(validated: text)
    }

    /// Writes an entry of another archive.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - bodies: The folder with the body files of the other archive.
    /// - Throws: `unwritableFile`; `invalidOrder` after the end of the entries; `limitExceeded` or `unreadableFile` if
    ///   a body file is too large or a zip file cannot be read.
    package func append(copyOf entry: HAR.Entry, from bodies: HAR.BodyFolder) throws(HARError) {
        try append(copy(of: entry, from: bodies) ?? entry)
    }

    /// Returns an entry of another archive with the content of its body files.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - bodies: The folder with the body files of the other archive.
    /// - Returns: The entry, or nil if it is unchanged.
    /// - Throws: `limitExceeded` or `unreadableFile`.
    package func copy(of entry: HAR.Entry, from bodies: HAR.BodyFolder) throws(HARError) -> HAR.Entry? {
        try entry.embeddingBodies(from: bodies, unlessIn: folder, reportingUnread: unreadBodyHandler)
    }
}
