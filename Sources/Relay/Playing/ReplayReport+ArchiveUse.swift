public import HTTPArchive

extension ReplayReport {
    /// What was used of one archive.
    public struct ArchiveUse: Sendable {
        /// What messages call the archive.
        public let name: String

        /// How many entries it has.
        public let entryCount: Int

        /// How many of them were given at least once.
        public let usedCount: Int

        /// The entries that were never given, in the order of the file; each is made when it is asked for.
        public let unused: UnusedEntries

        /// What is wrong with the file when its end is missing, because its writing was broken off; else `nil`.
        ///
        /// Entries that requests miss may have stood there.
        public let damage: HARError?

        init(of entries: PlayedEntries, turns: Turns) {
            name = entries.name
            entryCount = entries.count
            usedCount = turns.usedCount
            unused = UnusedEntries(entries: entries, turns: turns)
            damage = entries.archive?.damage
        }
    }

    /// The entries of an archive that were never given.
    public struct UnusedEntries: Sequence, Sendable {
        fileprivate let entries: PlayedEntries
        fileprivate let turns: Turns

        /// Goes through the entries.
        public func makeIterator() -> Iterator { Iterator(entries: entries, turns: turns) }
    }
}

extension ReplayReport.UnusedEntries {
    /// Goes through the entries of an archive that were never given.
    public struct Iterator: IteratorProtocol, Sendable {
        fileprivate let entries: PlayedEntries
        fileprivate let turns: Turns
        private var index = 0

        fileprivate init(entries: PlayedEntries, turns: Turns) {
            self.entries = entries
            self.turns = turns
        }

        /// Gives the next entry; `nil` when there is none any more.
        public mutating func next() -> ReplayReport.Entry? {
            while index < entries.count {
                defer { index += 1 }
                if !turns.isUsed(index) { return ReplayReport.Entry(index, of: entries) }
            }
            return nil
        }
    }
}
