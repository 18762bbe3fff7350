import Foundation
import HTTPArchive
import Synchronization

/// Selected and sorted lists of entries, with a few lists kept in memory.
final class EntryLists: Sendable {
    /// A selection and its order.
    struct Key: Hashable {
        var filter = ""
        var column = ListColumn.index
        var isDescending = false
    }

    let archive: HARArchive

    /// The name of the archive, as the page shows it.
    let name: String
    private let kept = Mutex<[(key: Key, indices: [UInt32])]>([])

    /// The maximum number of lists to keep, and of all their indices, which take 4 MB.
    private static let (mostLists, mostIndices) = (6, 1_000_000)

    /// Creates the lists of an archive.
    init(of archive: HARArchive, named name: String) {
        self.archive = archive
        self.name = name
    }

    /// Returns the indices of the selected entries, in the requested order.
    ///
    /// - Throws: An error if the filter is invalid, or an entry that it examines cannot be read.
    func indices(_ key: Key) throws -> [UInt32] {
        // The list of all entries is created faster than it is found.
        if key == Key() { return try newIndices(key) }
        let found = kept.withLock { kept in
            let found = kept.firstIndex { $0.key == key }.map { kept.remove(at: $0).indices }
            // Older lists make room before a new one takes memory.
            let others = max(0, Self.mostIndices - archive.count)
            while kept.count >= Self.mostLists || kept.reduce(0, { $0 + $1.indices.capacity }) > others {
                kept.removeFirst()
            }
            return found
        }
        let indices = try found ?? newIndices(key)
        kept.withLock { $0.append((key, indices)) }
        return indices
    }

    private func newIndices(_ key: Key) throws -> [UInt32] {
        guard key.column != .index || key.isDescending else {
            // Half of the capacity may be unused, because the list has grown. A copy has only the capacity that it needs.
            return try EntryFilter(key.filter).indices(in: archive).map { $0 }
        }
        return key.column.sorted(try indices(Key(filter: key.filter)), isDescending: key.isDescending, in: archive)
    }

    /// Returns the time from the first start to the last end of entries, or nil if none of them has a start time.
    func span(of indices: some Sequence<Int>) -> ClosedRange<Date>? {
        indices.reduce(nil) { span, index in
            let summary = archive.summary(at: index)
            guard let start = summary.startedDate else { return span }
            let end = start.addingTimeInterval(max(0, summary.time ?? 0) / 1000)
            return min(span?.lowerBound ?? start, start)...max(span?.upperBound ?? end, end)
        }
    }

    /// Returns the totals of the entries with each value of columns.
    func totals(of indices: [UInt32], by columns: [ListColumn]) -> [[String: Totals]] {
        var groups = columns.map { _ in [String: Totals]() }
        for index in indices {
            let summary = archive.summary(at: Int(index))
            for number in columns.indices {
                guard let text = columns[number].text(of: summary) else { continue }
                groups[number][text, default: Totals()].add(summary)
            }
        }
        // Few recorded texts are different, so only these are converted.
        return zip(columns, groups).map { column, texts in
            Dictionary(texts.map { (column.shown($0.key), $0.value) }, uniquingKeysWith: +)
        }
    }
}
