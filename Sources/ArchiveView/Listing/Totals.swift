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

    /// A closure that returns the recorded text that determines the value of an entry, or nil to leave it out.
    private let text: (HAREntrySummary) -> String?

    /// A closure that returns the value that is shown for a recorded text.
    private let shown: (String) -> String

    /// Creates the totals of no entries by the values of a column.
    init(by column: ListColumn) { (text, shown) = (column.text, column.shown) }

    /// Creates the totals of no entries by a text.
    init(by text: @escaping (HAREntrySummary) -> String) { (self.text, shown) = (text, { $0 }) }

    mutating func add(_ summary: HAREntrySummary) {
        if let name = text(summary) { groups[name, default: Totals()].add(summary) }
    }

    /// The totals of all groups.
    var sum: Totals { groups.values.reduce(Totals(), +) }

    /// Returns the values with the most entries and their totals, with the most frequent first.
    func largest(_ count: Int) -> [(name: String, totals: Totals)] {
        // Few recorded texts are different, so only these are converted.
        let merged = Dictionary(groups.map { (shown($0.key), $0.value) }, uniquingKeysWith: +)
        let sorted = merged.sorted { ($1.value.entries, $0.key) < ($0.value.entries, $1.key) }
        return sorted.prefix(count).map { ($0.key, $0.value) }
    }
}

extension HAREntrySummary {
    /// Whether the request failed, or the status reports an error.
    var hasFailed: Bool { isFailed || status >= 400 }

    /// The class of the status, such as `4xx`, or `failed`.
    var statusClass: String { isFailed || status < 100 ? "failed" : "\(status / 100)xx" }
}
