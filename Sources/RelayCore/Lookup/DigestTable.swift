import Dispatch
import HTTPArchive
import Synchronization

/// A table of digests for selecting entries, with a column for each selection step.
struct DigestTable: Sendable {
    /// A column of the table.
    enum Column: Sendable {
        /// The parts compared by a matcher.
        case part(MatchingPlan.Part)

        /// The clients that the entry was recorded for.
        case audience

        /// Whether the response is a 304 response for clients that have a cached copy.
        case isNotModified

        /// Whether the request opened a WebSocket connection.
        case isUpgrade

        /// The redacted secrets.
        case secrets

        /// The page of the entry.
        case page

        /// The index of the column in the table.
        var place: Int {
            switch self {
            case .part(.required): 0
            case .audience: 1
            case .isNotModified: 2
            case .secrets: 3
            case .page: 4
            case .isUpgrade: 5
            case .part(.preferred(let index)): 6 + index
            }
        }
    }

    /// The number of entries that are read in one unit of concurrent work.
    private static let chunkSize = 512

    private var columns: [DigestColumn] = []

    /// Whether any entry is redacted.
    private(set) var isRedacted = false

    /// Creates the table by reading entries, concurrently if there are many.
    ///
    /// - Parameters:
    ///   - entries: The entry indices. A single entry is read only if the key alone does not decide whether it matches.
    ///   - plan: The rules for selecting entries.
    ///   - source: The source of the entries.
    init(of entries: [Int], plan: MatchingPlan, source: ReplaySource) {
        var names: [Column] = plan.hasRequiredParts ? [.part(.required)] : []
        if entries.count > 1 {
            names += [.audience, .isNotModified, .isUpgrade, .secrets]
            names += plan.preferred.indices.map { .part(.preferred($0)) }
            if plan.page != nil { names.append(.page) }
        }
        guard !names.isEmpty else { return }
        let empty = [DigestColumn](repeating: DigestColumn(), count: 6 + plan.preferred.count)
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

/// A column of digests, stored as a single value if all digests are equal.
struct DigestColumn: Sendable {
    private var first: Digest?
    private var each: [Digest] = []
    private(set) var count = 0

    /// The digest that all entries share, or `nil` if their digests differ.
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

/// The properties of an entry that are used to select it.
///
/// They are unknown if the entry cannot be read.
struct RecordedRequest {
    /// The request in the form that matchers compare, or `nil` if the entry cannot be read.
    let compared: ComparedRequest?

    private let conditions: Conditions?
    private let status: Int
    private let isUpgrade: Bool
    private let page: String?

    /// Reads the properties of an entry.
    init(_ entry: Int, of source: ReplaySource, withBody: Bool) {
        let entry = try? source.entryWithoutBody(entry)
        let request = entry?.request
        page = entry?.pageref
        // A response recorded at the client is replayed to every client.
        let isForEverybody = entry?.response.clientURL != nil
        status = isForEverybody ? 200 : entry?.response.status ?? 0
        isUpgrade = !isForEverybody && entry?.opensWebSocket == true
        conditions = isForEverybody ? nil : request.flatMap { request in Conditions { request.header($0) } }
        compared = request.map { ComparedRequest(recorded: $0, folder: source.folder, withBody: withBody) }
    }

    /// Whether the request contains redacted secrets.
    var isRedacted: Bool { compared?.isRedacted == true }

    /// Returns the entry's digest for a column.
    func digest(_ column: DigestTable.Column, plan: MatchingPlan) -> Digest {
        switch column {
        case .part(let part): compared.map { plan.digest(of: part, in: $0) } ?? .unknown
        case .audience: conditions.map { Digest($0) } ?? (status == 304 ? .unknownConditions : .everybody)
        case .secrets: Digest(compared?.placeholders ?? [])
        case .page: Digest(page)
        case .isNotModified: status == 304 ? .isTrue : .isFalse
        case .isUpgrade: isUpgrade ? .isTrue : .isFalse
        }
    }
}

extension Digest {
    /// The audience of a response recorded for a client without a cached copy.
    static let everybody = Digest("everybody")

    /// The audience of a 304 response whose request conditions were not recorded.
    static let unknownConditions = Digest("unknown conditions")

    static let isTrue = Digest(true)
    static let isFalse = Digest(false)
}
