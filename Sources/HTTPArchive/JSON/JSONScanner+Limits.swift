extension JSONScanner {
    /// The limits of captured values and of an archive.
    struct Limits: Equatable {
        /// The maximum size of a captured value as counted by ``size(of:tokens:)``, in bytes, which must be less than 4
        /// GiB.
        var valueSize = 100_000_000

        /// The maximum depth of nested containers.
        var depth = 512

        /// The maximum number of entries, or `nil` for the default rule of ``allows(entryCount:upTo:)``.
        var entryCount: Int?

        /// The maximum number of fields outside `entries`.
        var fieldCount = 100_000

        /// The limits of a document in memory, such as a JSON body.
        static let document = Limits(valueSize: 1 << 28)

        /// The number of entries that are allowed by default, whatever their size.
        var smallEntryCount = 1_000_000

        /// The minimum average size of entries if there are more than ``smallEntryCount``, in bytes.
        private static let averageEntrySize = 256

        /// Returns whether a number of entries is allowed in the text up to an offset.
        ///
        /// By default, the memory for their summaries is limited in proportion to the size of the file.
        func allows(entryCount count: Int, upTo offset: Int) -> Bool {
            count <= entryCount ?? max(smallEntryCount, offset / Self.averageEntrySize)
        }

        /// The number of tokens that do not count toward the size of a value.
        private static let freeTokenCount = 1000

        /// Returns the size of a value that is compared with its limit: the size of its text, plus the memory for its
        /// tokens if there are many.
        ///
        /// The memory for a token counts twice, because an array needs twice the memory while it grows.
        static func size(of byteCount: Int, tokens: Int) -> Int {
            byteCount + max(0, tokens - freeTokenCount) * 2 * MemoryLayout<JSONToken>.stride
        }
    }
}
