extension HARWriter {
    /// Copies an entry of another archive.
    ///
    /// If the layout is ``JSONLayout/unchanged``, its bytes are validated and copied. If nothing has been written yet,
    /// this method begins a HAR 1.2 log with Relay as its creator.
    ///
    /// - Parameters:
    ///   - index: The index of the entry in the other archive; it must be less than the archive's count.
    ///   - archive: The other archive.
    /// - Throws: `unwritableFile`; `invalidOrder` after the end of the entries; the errors of
    ///   ``HARArchive/entry(at:)``, such as `malformedJSON` if the entry is broken. Nothing of the entry is written
    ///   then.
    public func append(entryAt index: Int, of archive: HARArchive) throws(HARError) {
        guard layout == .unchanged else { return try append(archive.entry(at: index)) }
        let text = try archive.text(at: index, validatedBy: &validator)
        try append(validated: text)
    }
}
