extension HARArchive {
    /// Calls a closure with the URL of each entry in a range, without creating strings.
    ///
    /// - Parameters:
    ///   - indices: The indices of the entries.
    ///   - body: A closure that receives the index of an entry and its URL in UTF-8, which is valid only during the
    ///     call.
    /// - Complexity: O(*n*) in the length of the URLs.
    package func forEachURL(in indices: Range<Int>, _ body: (_ index: Int, _ url: UnsafeRawBufferPointer) -> Void) {
        indexed.table.forEachURL(in: indices, body)
    }

    /// Returns the range of an entry's text in the file, in bytes.
    ///
    /// - Parameter index: The index of the entry, which must be less than ``count``.
    /// - Returns: The range.
    package func byteRange(at index: Int) -> Range<Int> { indexed.table.byteRange(at: index) }

    /// Reads the JSON text of an entry as stored in the file.
    ///
    /// The text is not validated.
    ///
    /// - Parameter index: The index of the entry, which must be less than ``count``.
    /// - Returns: The text.
    /// - Throws: `unreadableFile`.
    package func text(at index: Int) throws(HARError) -> [UInt8] {
        try file.bytes(in: indexed.table.byteRange(at: index))
    }
}
