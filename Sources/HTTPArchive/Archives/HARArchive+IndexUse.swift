extension HARArchive {
    /// Whether opening an archive uses an index that is kept in a file, which spares the pass over the archive.
    public struct IndexUse: Sendable, Hashable {
        /// Where the index is kept; `nil` where none is used.
        let place: IndexPlace?

        /// Whether it is written where it cannot be used.
        let isWritten: Bool

        /// No index is used, and none is written.
        public static let never = Self(place: nil, isWritten: false)

        /// An index that is there is used; none is written.
        ///
        /// - Parameter place: Where it is kept; among the user's caches by default.
        /// - Returns: The setting.
        public static func use(in place: IndexPlace = .userCache) -> Self { Self(place: place, isWritten: false) }

        /// An index that is there is used, and one is written where there is none that could be.
        ///
        /// That it cannot be written is no error. It holds the URLs of the archive; only its owner can read it.
        ///
        /// - Parameter place: Where it is kept; among the user's caches by default.
        /// - Returns: The setting.
        public static func keep(in place: IndexPlace = .userCache) -> Self { Self(place: place, isWritten: true) }
    }
}
