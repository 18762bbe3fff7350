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
}
