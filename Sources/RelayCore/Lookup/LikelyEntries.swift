import HTTPArchive

/// The entries that are most similar to a request by method and URL.
struct LikelyEntries {
    /// An entry and its similarity to the request.
    struct Entry {
        let archive: Int
        let index: Int
        fileprivate let likeness: Int
        fileprivate let key: RequestKey
    }

    /// The entries by descending similarity, then in the order of archives and entries.
    private(set) var entries: [Entry] = []

    /// The maximum number of collected entries.
    private static let count = 12

    /// The maximum number of collected entries with the same method and URL.
    private static let countOfOneKey = 4

    private let key: RequestKey
    private let rule: KeyRule
    private let origin: String
    private let path: String
    private let segments: [Substring]
    private let items: Set<Substring>

    /// Creates an empty collection for a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - rule: The compared parts of the URL; hosts are ignored if the rule does not compare them.
    init(_ request: ComparedRequest, rule: KeyRule) {
        self.rule = rule
        key = RequestKey(method: request.request.method, url: request.url, rule: .methodAndURL)
        (origin, path) = Self.location(of: request.url, rule)
        segments = path.split(separator: "/")
        items = Set(request.url.queryItems)
    }

    /// Adds an entry if it is among the most similar ones.
    mutating func consider(_ index: Int, of archive: Int, method: String, url text: String) {
        let entry = NormalizedURL(HARRedactor.withoutKeys(text))
        let likeness = likeness(method: method, url: entry)
        guard likeness > 0, entries.count < Self.count || likeness > (entries.last?.likeness ?? 0) else { return }
        let key = RequestKey(method: method, url: entry, rule: .methodAndURL)
        guard entries.count(where: { $0.key == key }) < Self.countOfOneKey else { return }
        let position = entries.firstIndex { $0.likeness < likeness } ?? entries.endIndex
        entries.insert(Entry(archive: archive, index: index, likeness: likeness, key: key), at: position)
        if entries.count > Self.count { entries.removeLast() }
    }

    /// Returns the similarity of an entry, or 0 if it has nothing in common with the request.
    private func likeness(method: String, url entry: NormalizedURL) -> Int {
        let (entryOrigin, entryPath) = Self.location(of: entry, rule)
        let isSamePath = entryPath == path
        let isSameOrigin = entryOrigin == origin
        guard isSameOrigin || isSamePath else { return 0 }
        let common = isSamePath ? 0 : zip(entryPath.split(separator: "/"), segments).prefix { $0 == $1 }.count
        let sameItems = items.isEmpty ? 0 : items.intersection(entry.queryItems).count
        return (isSameOrigin ? 10_000 : 1_000) + (isSamePath ? 4_000 : min(common, 20) * 100)
            + (method.uppercased() == key.method ? 90 : 0) + min(sameItems, 20) * 4
    }

    /// Returns the compared parts of origin and path.
    private static func location(of url: NormalizedURL, _ rule: KeyRule) -> (origin: String, path: String) {
        let parts = rule.parts
        return (
            parts.isSuperset(of: .origin) ? url.origin : url.origin(of: parts),
            parts.contains(.foldedPath) && !parts.contains(.path) ? url.foldedPath : url.path
        )
    }
}
