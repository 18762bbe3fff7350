public import HTTPArchive
import Synchronization

/// A report of the used and unused entries in an interceptor's archives, and of the misses.
public struct ReplayReport: Sendable {
    /// The archives in order of precedence.
    public let archives: [ArchiveUse]

    /// The first 1,000 requests without a matching entry, in order.
    public let misses: [MissedRequest]

    /// The number of requests without a matching entry.
    public let missCount: Int

    /// The requests whose bodies differ from the recorded bodies, in order.
    ///
    /// By default, bodies only select among entries that otherwise match. With rules that require equal bodies, such as
    /// ``RequestMatching/methodURLAndBody``, these requests are misses. For each archive, at most 1,000 requests with a
    /// total body size of 16 MB are compared.
    public let changedBodies: [ChangedBody]

    /// Whether all entries were used and no request missed.
    public var isComplete: Bool { missCount == 0 && archives.allSatisfy { $0.usedCount == $0.entryCount } }
}

extension ReplayReport {
    /// A request without a matching entry.
    public struct MissedRequest: Sendable {
        /// The method in uppercase.
        public let method: String

        /// The normalized URL without user information or secrets.
        public let url: String

        /// The error that the request failed with.
        ///
        /// Its message lists the nearest entries.
        public let error: RelayError

        /// Creates a missed request from a redacted URL.
        init(method: String, url: String, error: RelayError) {
            self.method = MessageText.printable(method.uppercased())
            self.url = url
            self.error = error
        }
    }

    /// A request whose body differs from the body in the matching entry.
    public struct ChangedBody: Sendable, CustomStringConvertible {
        /// The entry.
        public let entry: Entry

        /// The name of the archive, as shown in messages.
        public let archive: String

        /// The differences between the bodies.
        public let differences: [MatchDifference]

        /// The request and its differences.
        ///
        /// Each difference is marked with `-` for the recorded value, `+` for the requested value, or `~` if the values
        /// are not shown.
        public var description: String {
            let head = "\(archive): The body of \(entry.method) \(entry.url) differs from entry \(entry.index)"
            return (["\(head) (- recorded, + requested, ~ differs):"] + differences.lines)
                .joined(separator: "\n")
        }
    }

    /// An entry, identified by its request.
    public struct Entry: Hashable, Sendable {
        /// The index of the entry in its archive, from 0.
        public let index: Int

        /// The method in uppercase.
        public let method: String

        /// The normalized URL without user information or secrets.
        public let url: String

        init(_ index: Int, of entries: ReplaySource, messages: MessageRedaction) {
            let (method, url) = entries.request(index)
            self.index = index
            self.method = MessageText.printable(method.uppercased())
            self.url = messages.url(NormalizedURL(url))
        }
    }
}

extension ReplayReport: CustomStringConvertible {
    /// A summary of used and unused entries, truncated archives, misses, and changed bodies.
    ///
    /// Each list has at most ten items, with one item per line.
    public var description: String {
        var lines: [String] = []
        for archive in archives {
            let entries = archive.entryCount == 1 ? "entry" : "entries"
            lines.append("\(archive.name): \(archive.usedCount) of \(archive.entryCount) \(entries) used")
            if archive.damage != nil { lines.append("  damaged  its end is missing; run `har repair`") }
            let unused = Array(archive.unused.prefix(Self.listLimit))
            lines += unused.map { "  unused  entry \($0.index)  \($0.method) \($0.url)" }
            let more = archive.entryCount - archive.usedCount - unused.count
            if more > 0 { lines.append("  … and \(more) more") }
        }
        lines.append("\(missCount) \(missCount == 1 ? "request" : "requests") missed")
        let shown = misses.prefix(Self.listLimit)
        lines += shown.map { "  missed  \($0.method) \($0.url)" }
        if missCount > shown.count { lines.append("  … and \(missCount - shown.count) more") }
        lines += changedBodies.prefix(Self.listLimit).map {
            "  changed body  \($0.entry.method) \($0.entry.url) (entry \($0.entry.index))"
        }
        return lines.map { MessageText.line($0, width: MessageText.width) }.joined(separator: "\n")
    }

    private static let listLimit = 10
}

extension ReplayReport {
    /// The used and unused entries of one archive.
    public struct ArchiveUse: Sendable {
        /// The name of the archive, as shown in messages.
        public let name: String

        /// The number of entries in the archive.
        public let entryCount: Int

        /// The number of entries used at least once.
        public let usedCount: Int

        /// The unused entries in file order, created on demand.
        public let unused: UnusedEntries

        /// The error for a truncated archive, or `nil` if the archive is complete.
        ///
        /// The missing part might have contained entries for the missed requests.
        public let damage: HARError?

        init(of entries: ReplaySource, turns: Turns, messages: MessageRedaction) {
            name = entries.name
            entryCount = entries.count
            usedCount = turns.usedCount
            unused = UnusedEntries(entries: entries, turns: turns, messages: messages)
            damage = entries.archive?.damage
        }
    }

    /// The unused entries of an archive.
    public struct UnusedEntries: Sequence, Sendable {
        fileprivate let entries: ReplaySource
        fileprivate let turns: Turns
        fileprivate let messages: MessageRedaction

        /// Returns an iterator over the unused entries.
        public func makeIterator() -> Iterator { Iterator(unused: self) }
    }
}

extension ReplayReport.UnusedEntries {
    /// An iterator over the unused entries of an archive.
    public struct Iterator: IteratorProtocol, Sendable {
        fileprivate let unused: ReplayReport.UnusedEntries
        fileprivate var index = 0

        /// Returns the next unused entry, or `nil` if there are no more.
        public mutating func next() -> ReplayReport.Entry? {
            while index < unused.entries.count {
                defer { index += 1 }
                if unused.turns.isUsed(index) { continue }
                return ReplayReport.Entry(index, of: unused.entries, messages: unused.messages)
            }
            return nil
        }
    }
}

/// A collection of requests whose bodies did not have to match, for comparison in the report.
final class ComparedBodies: Sendable {
    /// The maximum number of requests.
    private static let limit = 1_000

    /// The maximum total size of the bodies, in bytes.
    private static let sizeLimit = 16 << 20

    /// The preferred matchers that compare bodies.
    private let matchers: [RequestMatcher]

    /// The requests, the indices of their entries, and the total size of the bodies.
    private let state = Mutex((uses: [(request: InterceptedRequest, entry: Int)](), size: 0))

    /// Creates an empty collection.
    init(_ plan: MatchingPlan) {
        matchers = plan.prefersBodies ? plan.preferred.filter { !$0.equivalence.bodies.isEmpty } : []
    }

    /// Adds a request and the index of its entry, unless this would exceed a limit.
    func note(_ request: InterceptedRequest, _ entry: Int) {
        let size = request.body?.count ?? 0
        state.withLock { state in
            guard state.uses.count < Self.limit, state.size + size <= Self.sizeLimit else { return }
            state.uses.append((request, entry))
            state.size += size
        }
    }

    /// Returns the requests whose bodies differ from the recorded bodies.
    ///
    /// - Parameters:
    ///   - source: The entries.
    ///   - layers: The layers that contain the archive, with their matching and redaction settings.
    /// - Returns: The requests and their differences, in the order of the requests.
    /// - Complexity: O(*n*) in the number of requests. The entry of each request is read.
    func changes(from source: ReplaySource, in layers: ArchiveLayers) -> [ReplayReport.ChangedBody] {
        state.withLock { $0.uses }.compactMap { use in
            guard let recorded = RecordedRequest(use.entry, of: source, withBody: true).compared,
                recorded.isBodyCaptured
            else { return nil }
            var lookup = RequestLookup(use.request, plan: layers.plan, redaction: layers.redaction)
            let forms = lookup.forms.map { $0.shown(by: layers.messages) }
            let differences = matchers.flatMap { $0.verdict(of: forms, recorded: recorded).differences }
            guard !differences.isEmpty else { return nil }
            return ReplayReport.ChangedBody(
                entry: ReplayReport.Entry(use.entry, of: source, messages: layers.messages), archive: source.name,
                differences: differences)
        }
    }
}
