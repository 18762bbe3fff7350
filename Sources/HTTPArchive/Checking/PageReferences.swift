/// Tells whether the pages that entries refer to are there, wherever in the log they stand.
struct PageReferences {
    /// The largest number of pages that are looked for, so that memory stays bounded.
    private static let limit = 10_000

    private var pages: Set<String> = []
    private var references: [(page: String, index: Int, offset: Int?)] = []
    private var seen: Set<String> = []

    /// Takes the pages of the log.
    mutating func take(pages value: JSONValue) {
        for page in value.array ?? [] { if let id = page["id"]?.text { pages.insert(id) } }
    }

    /// Takes the next entry.
    mutating func take(_ entry: HAR.Entry, index: Int) {
        guard let page = entry.pageref, !pages.contains(page), seen.count < Self.limit, seen.insert(page).inserted
        else { return }
        references.append((page, index, entry.fields.node?["pageref"]?.documentRange.lowerBound))
    }

    /// What is to be said at the end: once for each page that is not there.
    var findings: [HARFinding] {
        references.filter { !pages.contains($0.page) }.map { reference in
            HARFinding(
                severity: .warning, rule: .unknownPage,
                pointer: HARChecker.pointer(ofEntry: reference.index).appending("pageref"),
                byteOffset: reference.offset,
                message: "There is no page \(reference.page.quoted), which the entry refers to, the first of its page.")
        }
    }
}
