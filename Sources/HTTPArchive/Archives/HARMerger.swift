import Foundation

/// Puts archives together as one, their entries in the order of time.
///
/// ```swift
/// var merger = HARMerger()
/// for url in urls { merger.add(try HARArchive(contentsOf: url)) }
/// let writer = try HARWriter(to: merged)
/// try merger.write(to: writer)
/// try writer.finish()
/// ```
///
/// Entries are in the order of `startedDateTime`, those of one time in the order of the archives. One whose time cannot be
/// told stays behind the entry before it. All other fields are those of the first archive, but for `pages`: it has the
/// pages of all. Where two archives have different pages under one `id`, the later one gets another `id`, and its entries
/// refer to that.
///
/// Of each entry its place and its time are kept; entries are copied as their bytes, but where a reference changes.
public struct HARMerger: Sendable {
    private struct EntryLocation {
        let time: TimeInterval
        let archive: Int
        let index: Int
    }

    private var archives: [HARArchive] = []
    private var locations: [EntryLocation] = []

    /// Creates a merger of no archives.
    public init() {}

    /// The number of entries of all archives.
    public var count: Int { locations.count }

    /// Adds an archive.
    ///
    /// - Parameter archive: The archive, whose file must stay unchanged until all is written.
    public mutating func add(_ archive: HARArchive) {
        var time = -TimeInterval.infinity
        for index in 0..<archive.count {
            let started = HAREntryFacts(of: archive, at: index).startedDate
            time = started?.timeIntervalSinceReferenceDate ?? time
            locations.append(EntryLocation(time: time, archive: archives.count, index: index))
        }
        archives.append(archive)
    }

    /// Writes the archives as one.
    ///
    /// - Parameters:
    ///   - writer: Where to; nothing was written to it, and it is not finished afterwards.
    ///   - progress: Called after each entry with the number of its bytes; does nothing by default.
    /// - Throws: `unwritableFile`; `unreadableFile` or `malformedJSON` when a file was changed since it was added.
    /// - Complexity: O(*n* log *n*) in the number of entries, O(*n*) where each archive is in order.
    public func write(to writer: HARWriter, progress: (_ byteCount: Int) -> Void = { _ in }) throws(HARError) {
        let pages = MergedPages(archives.map { $0.log.pages ?? [] })
        let sorted = locations.sorted { ($0.time, $0.archive, $0.index) < ($1.time, $1.archive, $1.index) }
        try writer.write(log(with: pages)) { () throws(HARError) in
            for location in sorted {
                let archive = archives[location.archive]
                let facts = HAREntryFacts(of: archive, at: location.index)
                if let name = facts.pageref.flatMap({ pages.renamed[location.archive][$0] }) {
                    var entry = try facts.entry
                    entry.pageref = name
                    try writer.append(entry)
                } else {
                    try writer.append(entryAt: location.index, of: archive)
                }
                progress(facts.byteCount ?? 0)
            }
        }
    }

    /// The first archive's log with all pages.
    private func log(with pages: MergedPages) -> HAR.Log {
        guard var log = archives.first?.log else { return HAR.Log(creator: .relay) }
        guard !pages.added.isEmpty else { return log }
        if let own = log.pages {
            log.pages = own + pages.added
        } else {
            let list = JSONValue.array(pages.added.map { .object($0.fields) })
            let index = log.fields.members.firstIndex { $0.name == "entries" } ?? log.fields.members.endIndex
            log.fields.members.insert(JSONObject.Member(name: "pages", value: list), at: index)
        }
        return log
    }
}

/// The pages of several archives in one list, with an identifier each.
struct MergedPages {
    /// The pages that are new in an archive after the first, under their new identifiers.
    private(set) var added: [HAR.Page] = []

    /// For each archive, the new identifiers by those that are taken by pages of archives before it.
    private(set) var renamed: [[String: String]] = []

    /// The pages that archives have under one identifier, and what it is in the merged archive.
    private var known: [String: [(pages: [HAR.Page], id: String)]] = [:]
    private var taken: Set<String>

    /// Merges lists of pages.
    ///
    /// Pages of two archives that are equal are one page.
    ///
    /// - Parameter lists: The pages of each archive; the first ones keep their identifiers.
    init(_ lists: [[HAR.Page]]) {
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
