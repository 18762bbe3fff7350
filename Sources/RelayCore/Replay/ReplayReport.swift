public import HTTPArchive

/// What was used of the archives that an interceptor plays, and what they did not have.
public struct ReplayReport: Sendable {
    /// The archives in order of precedence.
    public let archives: [ArchiveUse]

    /// The requests that no archive answered, in order, the first 1,000 of them.
    public let misses: [MissedRequest]

    /// How many requests no archive answered.
    public let missCount: Int

    init(archives: [ArchiveUse], misses: [MissedRequest], missCount: Int) {
        self.archives = archives
        self.misses = misses
        self.missCount = missCount
    }

    /// Whether every entry was used, and every request answered.
    public var isComplete: Bool { missCount == 0 && archives.allSatisfy { $0.usedCount == $0.entryCount } }
}

extension ReplayReport {
    /// A request that no archive answered.
    public struct MissedRequest: Sendable {
        /// The method in upper case.
        public let method: String

        /// The URL in its normal form, without user and without the values of items whose names are those of secrets.
        public let url: String

        /// Why no archive answered, with the nearest entries.
        public let error: RelayError

        /// Notes a request, by its URL as messages show it.
        init(method: String, url: String, error: RelayError) {
            self.method = MessageText.printable(method.uppercased())
            self.url = url
            self.error = error
        }
    }

    /// An entry, by its request.
    public struct Entry: Hashable, Sendable {
        /// The entry's place in its archive, counted from 0.
        public let index: Int

        /// The method in upper case.
        public let method: String

        /// The URL in its normal form, without user and without the values of items whose names are those of secrets.
        public let url: String

        init(_ index: Int, of entries: ReplaySource) {
            let (method, url) = entries.request(index)
            self.index = index
            self.method = MessageText.printable(method.uppercased())
            self.url = MessageText.url(NormalizedURL(url))
        }
    }
}

extension ReplayReport: CustomStringConvertible {
    /// How many entries of each archive were used, whether its end is missing, which entries were not used, and which
    /// requests were missed: a line each, ten lines for each list.
    public var description: String {
        var lines: [String] = []
        for archive in archives {
            lines.append("\(archive.name): \(archive.usedCount) of \(archive.entryCount) entries used")
            if archive.damage != nil { lines.append("  damaged  its end is missing; `har repair` mends it") }
            let unused = Array(archive.unused.prefix(Self.listLimit))
            lines += unused.map { "  unused  entry \($0.index)  \($0.method) \($0.url)" }
            let more = archive.entryCount - archive.usedCount - unused.count
            if more > 0 { lines.append("  … and \(more) more") }
        }
        lines.append("\(missCount) \(missCount == 1 ? "request" : "requests") missed")
        let shown = misses.prefix(Self.listLimit)
        lines += shown.map { "  missed  \($0.method) \($0.url)" }
        if missCount > shown.count { lines.append("  … and \(missCount - shown.count) more") }
        return lines.map { MessageText.line($0, width: MessageText.width) }.joined(separator: "\n")
    }

    private static let listLimit = 10
}

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

        init(of entries: ReplaySource, turns: Turns) {
            name = entries.name
            entryCount = entries.count
            usedCount = turns.usedCount
            unused = UnusedEntries(entries: entries, turns: turns)
            damage = entries.archive?.damage
        }
    }

    /// The entries of an archive that were never given.
    public struct UnusedEntries: Sequence, Sendable {
        fileprivate let entries: ReplaySource
        fileprivate let turns: Turns

        /// Goes through the entries.
        public func makeIterator() -> Iterator { Iterator(entries: entries, turns: turns) }
    }
}

extension ReplayReport.UnusedEntries {
    /// Goes through the entries of an archive that were never given.
    public struct Iterator: IteratorProtocol, Sendable {
        fileprivate let entries: ReplaySource
        fileprivate let turns: Turns
        private var index = 0

        fileprivate init(entries: ReplaySource, turns: Turns) {
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
