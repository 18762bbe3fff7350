import ArchiveInspection
import HTTPArchive

/// The totals of several entries.
struct Totals {
    var entries = 0
    private var size = 0
    private var time = 0.0
    private var failures = 0

    mutating func add(_ summary: HAREntrySummary) {
        entries += 1
        size = size.adding(clamping: summary.size ?? 0)
        time += summary.time ?? 0
        if summary.hasFailed { failures += 1 }
    }

    static func + (first: Self, second: Self) -> Self {
        var sum = first
        sum.entries += second.entries
        sum.size = sum.size.adding(clamping: second.size)
        sum.time += second.time
        sum.failures += second.failures
        return sum
    }

    /// The value of the API.
    var json: JSONObject {
        [
            "entries": .integer(entries), "size": .integer(size), "time": .number(time),
            "failures": .integer(failures),
        ]
    }
}

/// The totals of entries with the same value.
struct GroupedTotals {
    private var groups: [String: Totals] = [:]

    mutating func add(_ summary: HAREntrySummary, to name: String) { groups[name, default: Totals()].add(summary) }

    /// Returns the groups with the most entries.
    ///
    /// - Parameters:
    ///   - count: The maximum number of groups.
    ///   - shown: A closure that returns the value that is shown. It is called once for each recorded value, because few
    ///     values are different.
    /// - Returns: The values and their totals, with the most frequent first.
    func largest(_ count: Int, shown: (String) -> String = { $0 }) -> [(name: String, totals: Totals)] {
        let merged = Dictionary(groups.map { (shown($0.key), $0.value) }, uniquingKeysWith: +)
        let sorted = merged.sorted { ($1.value.entries, $0.key) < ($0.value.entries, $1.key) }
        return sorted.prefix(count).map { ($0.key, $0.value) }
    }
}

/// The entries with the largest values.
struct Ranking {
    private var entries: [(index: UInt32, value: Double)] = []
    private let limit: Int

    /// Creates a ranking with a maximum number of entries.
    init(limit: Int) { self.limit = limit }

    var indices: [UInt32] { entries.map(\.index) }

    mutating func add(_ index: UInt32, _ value: Double?) {
        guard let value, value > 0, entries.count < limit || value > entries.last?.value ?? 0 else { return }
        entries.insert((index, value), at: entries.firstIndex { $0.value < value } ?? entries.endIndex)
        if entries.count > limit { entries.removeLast() }
    }
}

extension HAREntrySummary {
    /// Whether the request failed, or the status reports an error.
    var hasFailed: Bool { isFailed || status >= 400 }
}
