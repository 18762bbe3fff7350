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
    private struct Place {
        let time: TimeInterval
        let archive: Int
        let index: Int
    }

    private var archives: [HARArchive] = []
    private var places: [Place] = []

    /// Creates a merger of no archives.
    public init() {}

    /// The number of entries of all archives.
    public var count: Int { places.count }

    /// Adds an archive.
    ///
    /// - Parameter archive: The archive, whose file must stay unchanged until all is written.
    public mutating func add(_ archive: HARArchive) {
        var time = -TimeInterval.infinity
        for index in 0..<archive.count {
            let started = HAREntryFacts(of: archive, at: index).startedDate
            time = started?.timeIntervalSinceReferenceDate ?? time
            places.append(Place(time: time, archive: archives.count, index: index))
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
        let sorted = places.sorted { ($0.time, $0.archive, $0.index) < ($1.time, $1.archive, $1.index) }
        try writer.write(log(with: pages)) { () throws(HARError) in
            for place in sorted {
                let archive = archives[place.archive]
                let facts = HAREntryFacts(of: archive, at: place.index)
                if let name = facts.pageref.flatMap({ pages.renamed[place.archive][$0] }) {
                    var entry = try facts.entry
                    entry.pageref = name
                    try writer.append(entry)
                } else {
                    try writer.append(entryAt: place.index, of: archive)
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
