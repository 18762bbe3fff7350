import Dispatch
import Synchronization

/// What several entries are chosen by: a column of digests for each step of the choice.
struct DigestTable: Sendable {
    /// A column.
    enum Column: Sendable {
        /// What matchers compare.
        case part(MatchingPlan.Part)

        /// For which clients the entry was recorded.
        case audience

        /// Whether the answer is short, for clients that have the rest.
        case isNotModified

        /// Which secrets were taken out of it.
        case secrets

        /// The page of the entry.
        case page

        /// The place of the column in its table.
        var place: Int {
            switch self {
            case .part(.required): 0
            case .audience: 1
            case .isNotModified: 2
            case .secrets: 3
            case .page: 4
            case .part(.preferred(let index)): 5 + index
            }
        }
    }

    /// How many entries one processor reads at a time.
    private static let chunkSize = 512

    private var columns: [DigestColumn] = []

    /// Whether secrets were taken out of any of the entries.
    private(set) var isRedacted = false

    /// Reads entries, on all processors where there are many.
    ///
    /// - Parameters:
    ///   - entries: The numbers of the entries. A single one is read only if it has something to fulfil.
    ///   - plan: How entries are chosen.
    ///   - source: What has the entries.
    init(of entries: [Int], plan: MatchingPlan, source: ReplaySource) {
        var names: [Column] = plan.hasRequiredParts ? [.part(.required)] : []
        if entries.count > 1 {
            names += [.audience, .isNotModified, .secrets] + plan.preferred.indices.map { .part(.preferred($0)) }
            if plan.page != nil { names.append(.page) }
        }
        guard !names.isEmpty else { return }
        let empty = [DigestColumn](repeating: DigestColumn(), count: 5 + plan.preferred.count)
        let chunks = stride(from: 0, to: entries.count, by: Self.chunkSize).map {
            entries[$0..<min($0 + Self.chunkSize, entries.count)]
        }
        let read = Mutex([Int: [DigestColumn]]())
        let redacted = Atomic(false)
        DispatchQueue.concurrentPerform(iterations: chunks.count) { [names] number in
            var columns = empty
            for entry in chunks[number] {
                let recorded = RecordedRequest(entry, of: source, withBody: plan.readsBodies)
                if recorded.isRedacted { redacted.store(true, ordering: .relaxed) }
                for name in names { columns[name.place].append(recorded.digest(name, plan: plan)) }
            }
            read.withLock { $0[number] = columns }
        }
        isRedacted = redacted.load(ordering: .relaxed)
        columns = empty
        let parts = read.withLock { $0 }
        for number in chunks.indices {
            for (place, column) in (parts[number] ?? empty).enumerated() { columns[place].append(column) }
        }
    }

    subscript(column: Column) -> DigestColumn { columns[column.place] }

    subscript(place place: Int) -> DigestColumn { columns[place] }
}

/// A digest for each of several entries, in the room of one where all are equal.
struct DigestColumn: Sendable {
    private var first: Digest?
    private var each: [Digest] = []
    private(set) var count = 0

    /// The digest that all entries have; `nil` when they differ.
    var common: Digest? { each.isEmpty ? first : nil }

    subscript(position: Int) -> Digest { each.isEmpty ? first ?? .unknown : each[position] }

    mutating func append(_ digest: Digest) {
        if each.isEmpty, let first, first != digest {
            each = [Digest](repeating: first, count: count)
        }
        if !each.isEmpty { each.append(digest) }
        if first == nil { first = digest }
        count += 1
    }

    /// Appends the digests of another column.
    mutating func append(_ other: DigestColumn) {
        for position in 0..<other.count { append(other[position]) }
    }
}
