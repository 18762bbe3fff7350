extension JSONScanner {
    /// The limits for captured values and archives.
    package struct Limits: Equatable {
        /// The maximum size of a captured value in bytes, as returned by ``size(of:tokens:)``.
        ///
        /// It must be less than 4 GiB.
        package var valueSize = 100_000_000

        /// The maximum depth of nested containers.
        package var depth = 512

        /// The greatest value of ``depth``, because recursive functions handle nested values.
        static let greatestDepth = 4096

        /// The maximum number of entries, or `nil` for the default rule in ``allows(entryCount:upTo:)``.
        var entryCount: Int?

        /// The maximum number of fields outside `entries`.
        package var fieldCount = 100_000

        /// The limits for a document in memory, such as a JSON body.
        static let document = Limits(valueSize: 1 << 28)

        /// The number of entries that are allowed by default, regardless of their size.
        var smallEntryCount = 1_000_000

        /// The minimum average size of entries if there are more than ``smallEntryCount``, in bytes.
        private static let averageEntrySize = 256

        /// Returns whether the text up to an offset may contain the given number of entries.
        ///
        /// By default, the memory for the summaries of entries is limited in proportion to the size of the file.
        package func allows(entryCount count: Int, upTo offset: Int) -> Bool {
            count <= entryCount ?? max(smallEntryCount, offset / Self.averageEntrySize)
        }

        /// The number of tokens that do not count toward the size of a value.
        private static let freeTokenCount = 1000

        /// Returns the size of a value for comparison with its limit: the size of its text, plus the memory for its
        /// tokens if it has many.
        ///
        /// Each token counts twice, because a growing array needs up to twice the memory.
        package static func size(of byteCount: Int, tokens: Int) -> Int {
            byteCount + max(0, tokens - freeTokenCount) * 2 * MemoryLayout<JSONToken>.stride
        }

        /// Returns the error for a value that exceeds the size limit.
        package func tooLarge(at context: HARError.Context) -> HARError {
            HARError(
                .limitExceeded,
                """
                An entry, or the total of the fields outside the entries, is larger than \(valueSize) \
                \(valueSize == 1 ? "byte" : "bytes"). To read this file, raise the reader's maximumValueSize or \
                har's --size-limit.
                """,
                at: context)
        }

        /// Returns the error for containers that exceed the depth limit.
        package func tooDeep(at context: HARError.Context) -> HARError {
            let help =
                depth < Self.greatestDepth
                ? "To read this file, raise the reader's maximumDepth or har's --depth-limit."
                : "No greater depth is supported."
            return HARError(
                .limitExceeded,
                "Objects and arrays are nested more than \(depth) \(depth == 1 ? "level" : "levels") deep. \(help)",
                at: context)
        }

        /// Returns the error for an archive with too many parts.
        ///
        /// - Parameters:
        ///   - count: The maximum number.
        ///   - noun: The kind of part.
        ///   - setting: The setting of the reader.
        ///   - option: The option of har.
        ///   - context: The location.
        /// - Returns: The error.
        package static func tooMany(
            _ count: Int, _ noun: String, _ setting: String, _ option: String, at context: HARError.Context
        ) -> HARError {
            HARError(
                .limitExceeded,
                "The archive has more than \(count) \(noun). To read it, raise the reader's \(setting) "
                    + "or har's \(option).",
                at: context)
        }
    }
}
