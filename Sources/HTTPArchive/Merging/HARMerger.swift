public import Foundation

/// Puts archives together as one, their entries in the order of time.
///
/// ```swift
/// var merger = HARMerger()
/// for url in urls { try merger.add(contentsOf: url) }
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
/// Of each entry its place and its time are kept, less than 100 bytes; nothing else is held.
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

    /// Adds an archive, after having read it once.
    ///
    /// - Parameters:
    ///   - url: The file, which must stay unchanged until all is written.
    ///   - configuration: The settings of the reader; the default ones unless given.
    ///   - visit: Called with each entry on the way; does nothing by default.
    /// - Throws: As opening a ``HARArchive`` does; the merger is as it was then.
    public mutating func add(
        contentsOf url: URL, configuration: HARReader.Configuration = HARReader.Configuration(),
        visit: (HAR.Entry) -> Void = { _ in }
    ) throws(HARError) {
        var new: [Place] = []
        var time = -TimeInterval.infinity
        let archive = try HARArchive(contentsOf: url, configuration: configuration) { entry, index in
            time = entry.startedDate?.timeIntervalSinceReferenceDate ?? time
            new.append(Place(time: time, archive: archives.count, index: index))
            visit(entry)
        }
        archives.append(archive)
        places += new
    }

    /// Writes the archives as one.
    ///
    /// - Parameters:
    ///   - writer: Where to; nothing was written to it, and it is not finished afterwards.
    ///   - visit: Called with each entry on the way; does nothing by default.
    /// - Throws: `unwritableFile`; `unreadableFile` or `malformedJSON` when a file was changed since it was added.
    /// - Complexity: O(*n* log *n*) in the number of entries, O(*n*) where each archive is in order.
    public func write(to writer: HARWriter, visit: (HAR.Entry) -> Void = { _ in }) throws(HARError) {
        let pages = MergedPages(archives.map { $0.log.pages ?? [] })
        let sorted = places.sorted { ($0.time, $0.archive, $0.index) < ($1.time, $1.archive, $1.index) }
        var rest = sorted[...]
        try writer.write(log(with: pages)) { () throws(HARError) in
            guard let place = rest.popFirst() else { return nil }
            var entry = try archives[place.archive].entry(at: place.index)
            visit(entry)
            let renamed = pages.renamed[place.archive]
            if !renamed.isEmpty, let name = entry.pageref.flatMap({ renamed[$0] }) { entry.pageref = name }
            return entry
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
