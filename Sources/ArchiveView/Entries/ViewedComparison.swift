import ArchiveInspection
import HTTPArchive
import Synchronization

/// Compares entries and archives as `har diff` does.
final class ViewedComparison: Sendable {
    /// A pair of entries with the same request, or an entry that only one archive has, and the parts that differ.
    private typealias Row = (left: Int?, right: Int?, change: String, parts: [String])

    /// The rows of the last two archives that were compared.
    private let last = Mutex<(left: HARArchive, right: HARArchive, rows: [Row])?>(nil)

    private static let volatile = VolatileFields(usesDefaults: true, ignoring: [])

    /// The maximum number of differences between two entries.
    private static let mostDifferences = 200

    /// Returns the differences between two entries.
    static func differences(_ left: EntryDetails, _ right: EntryDetails) throws -> JSONValue {
        let difference = try EntryComparison.difference(
            (left.index, right.index), of: compared(left.archive), and: compared(right.archive), ignoring: volatile,
            limit: mostDifferences)
        return [
            "equal": .bool(difference.isEmpty),
            "differences": .array(
                difference.fields.map {
                    [
                        "part": .text($0.part), "name": .text($0.name), "left": .text($0.firstText),
                        "right": .text($0.secondText),
                    ]
                }),
            "more": .integer(difference.omittedCount),
        ]
    }

    /// Returns the rows that a request asks for: the pairs of entries of two archives, and the other entries.
    func rows(_ request: ViewRequest, _ first: HARArchive, _ second: HARArchive) throws -> JSONValue {
        let kept = last.withLock { $0?.left === first && $0?.right === second ? $0?.rows : nil }
        let rows = try kept ?? Self.rows(first, second)
        if kept == nil { last.withLock { $0 = (first, second, rows) } }
        let change = request.text("q")
        let selected = change.isEmpty ? rows : rows.filter { $0.change == change }
        let range = try request.range(of: selected.count)
        var response: JSONObject = [
            "count": .integer(selected.count),
            "rows": .array(
                selected[range].map { row in
                    let summary = row.left.map(first.summary) ?? row.right.map(second.summary)
                    return [
                        "left": .integer(row.left), "right": .integer(row.right), "method": .text(summary?.method),
                        "url": .text(summary?.url), "change": .text(row.change),
                        "text": .text(row.parts.joined(separator: ", ")),
                    ]
                }),
        ]
        for change in ["same", "changed", "added", "removed"] {
            response[change] = .integer(rows.count { $0.change == change })
        }
        return .object(response)
    }

    private static func compared(_ archive: HARArchive) -> ComparedArchive {
        ComparedArchive(archive, bodiesIn: archive.bodyFolder)
    }

    private static func rows(_ first: HARArchive, _ second: HARArchive) throws -> [Row] {
        let (first, second) = (compared(first), compared(second))
        let pairs = try EntryPairs(of: first, and: second, without: volatile)
        return try pairs.steps.map { step in
            switch step {
            case .removed(let index): return (index, nil, "removed", [])
            case .added(let index): return (nil, index, "added", [])
            case .pair(let pair):
                let difference = try EntryComparison.difference(
                    pair, of: first, and: second, ignoring: volatile, limit: 1)
                let parts = difference.fields.reduce(into: [String]()) { parts, field in
                    if !parts.contains(field.part) { parts.append(field.part) }
                }
                return (pair.first, pair.second, parts.isEmpty ? "same" : "changed", parts)
            }
        }
    }
}
