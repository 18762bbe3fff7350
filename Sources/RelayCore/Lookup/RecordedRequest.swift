import HTTPArchive

/// What an entry is chosen by; all is unknown of one that cannot be read, which says so when it is its turn.
struct RecordedRequest {
    /// The request as matchers see it; `nil` when the entry cannot be read.
    let compared: ComparedRequest?

    private let conditions: Conditions?
    private let status: Int
    private let page: String?

    /// Reads an entry.
    init(_ entry: Int, of source: ReplaySource, withBody: Bool) {
        let entry = try? source.entry(entry)
        let request = entry?.request
        page = entry?.pageref
        // What a client saw is given to every client.
        let isForEverybody = entry?.response.clientURL != nil
        status = isForEverybody ? 200 : entry?.response.status ?? 0
        conditions = isForEverybody ? nil : request.flatMap { request in Conditions { request.header($0) } }
        compared = request.map { ComparedRequest(recorded: $0, folder: source.folder, withBody: withBody) }
    }

    /// Whether secrets were taken out of it.
    var isRedacted: Bool { compared?.isRedacted == true }

    /// What stands for a fact about the entry.
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
    /// An answer in full, recorded for a client that had nothing.
    static let everybody = Digest("everybody")

    /// An answer for clients that have a copy of which nothing was recorded.
    static let unknownConditions = Digest("unknown conditions")

    static let isTrue = Digest(true)
    static let isFalse = Digest(false)
}
