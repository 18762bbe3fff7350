import HTTPArchive

/// The properties of an entry that are used to select it.
///
/// They are unknown if the entry cannot be read.
struct RecordedRequest {
    /// The request in the form that matchers compare, or `nil` if the entry cannot be read.
    let compared: ComparedRequest?

    private let conditions: Conditions?
    private let status: Int
    private let page: String?

    /// Reads the properties of an entry.
    init(_ entry: Int, of source: ReplaySource, withBody: Bool) {
        let entry = try? source.entry(entry)
        let request = entry?.request
        page = entry?.pageref
        // A response recorded at the client is replayed to every client.
        let isForEverybody = entry?.response.clientURL != nil
        status = isForEverybody ? 200 : entry?.response.status ?? 0
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
