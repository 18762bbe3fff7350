import ArchiveInspection
import HTTPArchive

/// The totals of several entries.
struct Totals {
    private(set) var entries = 0
    private var size = 0
    private var time = 0.0
    private var failures = 0

    mutating func add(_ summary: HAREntrySummary) {
        entries += 1
        size = size.adding(clamping: summary.size ?? 0)
        time += summary.time ?? 0
        if summary.isError { failures += 1 }
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
