import Foundation

/// Merges archives into one, with their entries ordered by time.
///
/// ```swift
/// var merger = HARMerger()
/// for url in urls { merger.add(try HARArchive(contentsOf: url)) }
/// let writer = try HARWriter(to: merged)
/// try merger.write(to: writer)
/// try writer.finish()
/// ```
///
/// Entries are ordered by `startedDateTime`. Entries with the same time keep the order of their archives. An entry
/// without a valid time follows its predecessor. The `pages` of all archives are merged. All other fields of the log
/// come from the first archive. If two archives have different pages with the same `id`, the pages of the later archive
/// get a new `id`, and the references in its entries are updated.
///
/// The merger keeps the location and the time of each entry in memory. Entries are copied byte for byte, unless a
/// reference changes.
public struct HARMerger: Sendable {
    private var archives: [HARArchive] = []

    /// The location of each entry: its time, the number of its archive, and its index there.
    private var locations: [(time: TimeInterval, archive: Int, index: Int)] = []

    /// Creates a merger without archives.
    public init() {}

    /// The total number of entries.
    public var count: Int { locations.count }

    /// Adds an archive.
    ///
    /// - Parameter archive: The archive. Its file must not change until the result has been written.
    public mutating func add(_ archive: HARArchive) {
        var time = -TimeInterval.infinity
        for index in 0..<archive.count {
            let started = HAREntryFacts(of: archive, at: index).startedDate
            time = started?.timeIntervalSinceReferenceDate ?? time
            locations.append((time, archives.count, index))
        }
        archives.append(archive)
    }

    /// Writes the merged archive.
    ///
    /// - Parameters:
    ///   - writer: A new writer. This method does not finish it.
    ///   - progress: A closure that is called after each entry with the size of its text, in bytes. It does nothing by
    ///     default.
    /// - Throws: `unwritableFile`; `malformedJSON` if an entry is broken; `unreadableFile` or `malformedJSON` if a file
    ///   was changed after it was opened.
    /// - Complexity: O(*n* log *n*) in the number of entries, or O(*n*) if the entries of each archive are already in
    ///   order.
    public func write(to writer: HARWriter, progress: (_ byteCount: Int) -> Void = { _ in }) throws(HARError) {
        let pages = MergedPages(archives.map { $0.log.pages ?? [] })
        let sorted = locations.sorted { $0 < $1 }
        try writer.write(log(with: pages)) { () throws(HARError) in
            for location in sorted {
                let archive = archives[location.archive]
                let facts = HAREntryFacts(of: archive, at: location.index)
                if let name = facts.pageref.flatMap({ pages.renamed[location.archive][$0] }) {
                    var entry = try facts.entry
                    entry.pageref = name
                    try writer.append(copyOf: entry, from: archive.bodyFolder)
                } else {
                    try writer.append(entryAt: location.index, of: archive)
                }
                progress(facts.byteCount ?? 0)
            }
        }
    }

    /// Returns the first archive's log with the pages of all archives.
    private func log(with pages: MergedPages) -> HAR.Log {
        guard var log = archives.first?.log else { return HAR.Log(creator: .relay) }
        guard !pages.added.isEmpty else { return log }
        if let own = log.pages {
            log.pages = own + pages.added
        } else {
            // A value of another type, such as null, has no pages.
            log.fields.members.removeAll { $0.name == "pages" }
            let list = JSONValue.array(pages.added.map { .object($0.fields) })
            let index = log.fields.members.firstIndex { $0.name == "entries" } ?? log.fields.members.endIndex
            log.fields.members.insert(JSONObject.Member(name: "pages", value: list), at: index)
        }
        return log
    }
}

/// The merged pages of several archives, with unique identifiers.
package struct MergedPages {
    /// The pages that the archives after the first one contribute, with their new identifiers.
    package private(set) var added: [HAR.Page] = []

    /// The new identifiers of conflicting pages in each archive, keyed by the original identifiers.
    package private(set) var renamed: [[String: String]] = []

    /// The distinct lists of pages for each original identifier, with their identifiers in the merged archive.
    private var known: [String: [(pages: [HAR.Page], id: String)]] = [:]
    private var taken: Set<String>

    /// Merges lists of pages.
    ///
    /// Equal pages in different archives become one page.
    ///
    /// - Parameter lists: The pages of each archive. The pages of the first archive keep their identifiers.
    package init(_ lists: [[HAR.Page]]) {
        taken = Set(lists.joined().map(\.id))
        for (index, list) in lists.enumerated() { add(list, isFirst: index == 0) }
    }

    private mutating func add(_ list: [HAR.Page], isFirst: Bool) {
        let groups = Dictionary(grouping: list, by: \.id)
        var names: [String: String] = [:]
        var new: Set<String> = []
        for (id, pages) in groups where !id.isEmpty {
            if let equal = known[id]?.first(where: { $0.pages == pages }) {
                names[id] = equal.id
                continue
            }
            let name = known[id] == nil ? id : unusedName(for: id)
            known[id, default: []].append((pages, name))
            names[id] = name
            new.insert(id)
        }
        renamed.append(names.filter { $0.key != $0.value })
        guard !isFirst else { return }
        for var page in list where page.id.isEmpty || new.contains(page.id) {
            if let name = names[page.id], name != page.id { page.id = name }
            added.append(page)
        }
    }

    private mutating func unusedName(for id: String) -> String {
        var number = 2
        while !taken.insert("\(id)-\(number)").inserted { number += 1 }
        return "\(id)-\(number)"
    }
}
