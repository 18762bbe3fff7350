import ArchiveInspection
import ArchiveShapes
import ArgumentParser
import Foundation
import HTTPArchive

/// The statistics of entries.
struct Statistics {
    /// The number of archives that were read, at least in part.
    var fileCount = 0

    /// The measurements of all entries.
    private(set) var all = Measurements()

    /// The measurements of each group, by name.
    private(set) var groups: [(grouping: Grouping, values: [String: Measurements])]

    /// The entries that took the longest time.
    private(set) var slowest: Largest<Double>

    /// The entries with the largest response bodies.
    private(set) var largest: Largest<Int>

    /// The start of the first request and the end of the last response; nil if no time is known.
    private(set) var span: ClosedRange<Date>?

    /// The maximum number of groups of a property.
    ///
    /// It limits the memory for archives with many different paths.
    private static let groupLimit = 20_000

    private var names = GroupNames()

    /// Creates empty statistics.
    ///
    /// - Parameters:
    ///   - groupings: The properties to group by.
    ///   - listed: The maximum number of slowest and largest entries.
    init(by groupings: [Grouping], listed: Int) {
        groups = groupings.map { ($0, [:]) }
        slowest = Largest(limit: listed)
        largest = Largest(limit: listed)
    }

    /// Adds an entry.
    mutating func add(_ entry: HAREntryFacts, at index: Int, of file: String) throws(HARError) {
        let size = try entry.decodedBodySize
        let values = Measurements.Values(of: entry, bytes: size ?? 0)
        let url = LiteralURL(entry.url)
        all.add(values)
        for number in groups.indices {
            var name = try names.name(of: entry, at: url, by: groups[number].grouping)
            if groups[number].values.count >= Self.groupLimit, groups[number].values[name] == nil { name = "(other)" }
            groups[number].values[name, default: Measurements()].add(values)
        }
        slowest.add(entry.time, entry, at: index, of: file)
        largest.add(size, entry, at: index, of: file)
        addSpan(of: entry)
    }

    private mutating func addSpan(of entry: HAREntryFacts) {
        guard let start = entry.startedDate else { return }
        let end = start.addingTimeInterval((EntryPhases.duration(entry.time) ?? 0) / 1000)
        span = span.map { min($0.lowerBound, start)...max($0.upperBound, end) } ?? start...end
    }
}

/// The counts, sizes and times of a group of entries.
struct Measurements {
    /// The number of entries.
    private(set) var count = 0

    /// The number of entries whose request failed or whose status is 400 or higher.
    private(set) var errorCount = 0

    /// The number of responses that confirmed a cached copy (status 304).
    private(set) var notModifiedCount = 0

    /// The number of responses that the browser took from its cache.
    private(set) var fromCacheCount = 0

    /// The total size of the response bodies in bytes, after content codings are removed.
    private(set) var bytes = 0

    /// The known times in milliseconds.
    private var times: [Double] = []

    /// Adds an entry.
    mutating func add(_ entry: Values) {
        count += 1
        if entry.isError { errorCount += 1 }
        if entry.isNotModified { notModifiedCount += 1 }
        if entry.isFromCache { fromCacheCount += 1 }
        bytes = bytes.adding(clamping: entry.bytes)
        if let time = entry.time { times.append(time) }
    }

    /// The values of an entry that are measured.
    struct Values {
        let isError: Bool
        let isNotModified: Bool
        let isFromCache: Bool
        let bytes: Int

        /// The time in milliseconds, or nil if it is unknown.
        let time: Double?

        /// Reads the values of an entry.
        ///
        /// - Parameters:
        ///   - entry: The entry.
        ///   - bytes: The size of its response body, in bytes.
        init(of entry: HAREntryFacts, bytes: Int) {
            let status = entry.status
            isError = entry.isError
            isNotModified = status == 304
            isFromCache = entry.isFromCache
            self.bytes = bytes
            time = entry.time.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        }
    }

    /// The percentiles of the times, or nil if no time is known.
    ///
    /// - Complexity: O(*n* log *n*) in the number of entries.
    var percentiles: Percentiles? { Percentiles(of: times) }
}

/// Percentiles of times in milliseconds, by the nearest-rank method.
struct Percentiles {
    /// The percentages that are printed, the maximum, and the sum of all times.
    static let names = ["p50", "p90", "p95", "p99", "max", "total"]

    /// The values for ``names``.
    let values: [Double]

    init?(of times: [Double]) {
        let sorted = times.sorted()
        guard let last = sorted.last else { return nil }
        values =
            [0.5, 0.9, 0.95, 0.99].map { share in
                let rank = (share * Double(sorted.count)).rounded(.up)
                return sorted[max(0, min(Int(clamping: rank), sorted.count) - 1)]
            } + [last, min(sorted.reduce(0, +), .greatestFiniteMagnitude)]
    }

    /// Returns the value with a name in ``names``, or nil for other names.
    subscript(name: String) -> Double? { Self.names.firstIndex(of: name).map { values[$0] } }
}

/// The entries with the largest values of a property.
struct Largest<Value: Comparable & AdditiveArithmetic> {
    /// An entry.
    struct Item {
        let value: Value
        let file: String
        let index: Int
        let method: String
        let url: String
    }

    /// The maximum number of entries.
    let limit: Int

    private(set) var items: [Item] = []

    /// Adds an entry unless enough entries have larger values; of equal entries, the first ones are kept.
    mutating func add(_ value: Value?, _ entry: HAREntryFacts, at index: Int, of file: String) {
        guard let value, value > .zero, limit > 0 else { return }
        if items.count == limit, let last = items.last, last.value >= value { return }
        let item = Item(value: value, file: file, index: index, method: entry.method, url: entry.url)
        items.insert(item, at: items.firstIndex { $0.value < value } ?? items.endIndex)
        if items.count > limit { items.removeLast() }
    }
}

/// A property by which `har stats` groups entries.
enum Grouping: String, CaseIterable, ExpressibleByArgument {
    case host
    case type
    case status
    case method
    case path
    case page
    case party

    /// The heading of the table.
    var title: String {
        switch self {
        case .host: "Hosts"
        case .type: "Types"
        case .status: "Statuses"
        case .method: "Methods"
        case .path: "Paths"
        case .page: "Pages"
        case .party: "Parties"
        }
    }

    /// The groupings that are printed by default.
    static let standard: [Grouping] = [.host, .type, .status, .path]
}

/// Names for groups of entries, with a cache for URLs of the same origin.
struct GroupNames {
    /// The host and the party of an origin.
    private typealias Origin = (host: String, party: String)

    private var origins: [Substring: Origin] = [:]
    private var types: [String: String] = [:]
    private var site: String?

    /// Returns the name of an entry's group.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - url: The URL of the entry.
    ///   - grouping: The property.
    /// - Returns: The name, such as `api.example.com` or `/items/{id}`.
    /// - Throws: The errors of ``HARArchive/entry(at:)``, if the entry has to be read.
    mutating func name(
        of entry: HAREntryFacts, at url: LiteralURL, by grouping: Grouping
    ) throws(HARError) -> String {
        switch grouping {
        case .host: origin(of: entry, at: url).host
        case .party: origin(of: entry, at: url).party
        case .type: try type(of: entry)
        case .status: String(entry.status)
        case .method: entry.method.isEmpty ? "(none)" : entry.method
        case .path: url.pathOfHost.map(PathTemplate.template) ?? "(none)"
        case .page: entry.pageref ?? "(none)"
        }
    }

    private mutating func type(of entry: HAREntryFacts) throws(HARError) -> String {
        let text = entry.recordedMimeType
        if let known = types[text] { return known }
        let name = try entry.mediaType?.essence ?? "(unknown)"
        // The type of an entry without a valid type in its content depends on its header fields.
        if entry.recordedMediaType != nil, types.count < 10_000 { types[text] = name }
        return name
    }

    private mutating func origin(of entry: HAREntryFacts, at url: LiteralURL) -> Origin {
        let key = url.beforePath
        if let known = origins[key] { return known }
        let host = entry.host ?? "(none)"
        let site = Self.site(of: host)
        // The first entry of a capture is usually the document that the user opened.
        if self.site == nil { self.site = site }
        let origin: Origin = (host: host, party: site == self.site ? "first party" : "third parties")
        origins[key] = origin
        return origin
    }

    /// Returns the registrable domain of a host, as far as its labels show it.
    ///
    /// Without a list of public suffixes, a short second label before a country code, as in `example.co.uk`, is part of the
    /// suffix. Each IP address is a separate site.
    static func site(of host: String) -> String {
        let name = LiteralURL(host).host
        let labels = name.split(separator: ".")
        if host.hasPrefix("[") || labels.allSatisfy({ $0.allSatisfy(\.isNumber) }) { return String(name) }
        guard labels.count > 2 else { return String(name) }
        let isLong = labels[labels.count - 1].count == 2 && labels[labels.count - 2].count <= 3
        return labels.suffix(isLong ? 3 : 2).joined(separator: ".")
    }
}
