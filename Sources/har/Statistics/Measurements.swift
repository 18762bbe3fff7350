import HTTPArchive

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
        bytes &+= entry.bytes
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
            isError = entry.isFailed || status >= 400
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
                return sorted[max(0, min(Int(rank), sorted.count) - 1)]
            } + [last, sorted.reduce(0, +)]
    }

    /// Returns the value with a name in ``names``, or nil for other names.
    subscript(name: String) -> Double? { Self.names.firstIndex(of: name).map { values[$0] } }
}

/// The entries with the largest values of a property.
struct Largest {
    /// An entry.
    struct Item {
        let value: Double
        let file: String
        let index: Int
        let method: String
        let url: String
    }

    /// The maximum number of entries.
    let limit: Int

    private(set) var items: [Item] = []

    /// Adds an entry unless enough entries have larger values; of equal entries, the first ones are kept.
    mutating func add(_ value: Double?, _ entry: HAREntryFacts, at index: Int, of file: String) {
        guard let value, value > 0, limit > 0 else { return }
        if items.count == limit, let last = items.last, last.value >= value { return }
        let item = Item(value: value, file: file, index: index, method: entry.method, url: entry.url)
        items.insert(item, at: items.firstIndex { $0.value < value } ?? items.endIndex)
        if items.count > limit { items.removeLast() }
    }
}
