import ArchiveInspection
import HTTPArchive
import Synchronization

/// Compares pairs of entries on all processors, and reports them in order.
struct ArchiveComparison: Sendable {
    /// The maximum number of pairs that are compared before the report of the first one.
    private static let countLimit = 1024

    /// The size of these pairs, in bytes, unless a single pair is larger.
    private static let sizeLimit = 8_000_000

    let first: ComparedArchive
    let second: ComparedArchive

    /// The fields to ignore.
    let volatile: VolatileFields

    /// The maximum number of differences of an entry in JSON values and lines of text; others are only counted.
    let limit: Int

    /// Whether to hide the progress bar.
    let isQuiet: Bool

    /// Compares pairs, and reports them and the other entries.
    ///
    /// - Parameters:
    ///   - steps: The pairs and entries, in the order of the report.
    ///   - report: The report.
    /// - Throws: An error if an entry or a body file cannot be read, or `unwritableFile`.
    func run(_ steps: [EntryPairs.Step], into report: inout DiffReport) throws(HARError) {
        let sizes = steps.map(size)
        let progress = ReadingProgress(of: sizes.reduce(0, +), isQuiet: isQuiet)
        defer { progress.clear() }
        let bytesRead = Atomic(0)
        let form = report.form
        let work = OrderedWork(on: steps, sizes: sizes, sizeLimit: Self.sizeLimit, countLimit: Self.countLimit) {
            step throws(HARError) -> (EntryDifference, [String])? in
            let difference = try difference(step)
            let read = bytesRead.add(size(of: step), ordering: .relaxed).newValue
            progress.update(read)
            return difference.map { ($0, form.lines(of: $0)) }
        }
        try work.run { step, result throws(HARError) in try add(step, result, to: &report) }
    }

    /// Returns the differences of a pair, or nil for an entry that only one archive has.
    ///
    /// Every entry is validated.
    private func difference(_ step: EntryPairs.Step) throws(HARError) -> EntryDifference? {
        switch step {
        case .pair(let pair):
            return try EntryComparison.difference(pair, of: first, and: second, ignoring: volatile, limit: limit)
        case .removed(let index): try EntryComparison.validate(index, of: first)
        case .added(let index): try EntryComparison.validate(index, of: second)
        }
        return nil
    }

    private func add(
        _ step: EntryPairs.Step, _ result: (EntryDifference, [String])?, to report: inout DiffReport
    ) throws(HARError) {
        switch step {
        case .pair(let pair):
            let (difference, lines) = result ?? (EntryDifference(), [])
            try report.add(pair, difference, lines: lines, entry: HAREntryFacts(of: second.archive, at: pair.second))
        case .removed(let index):
            try report.add(HAREntryFacts(of: first.archive, at: index), at: index, isAdded: false)
        case .added(let index):
            try report.add(HAREntryFacts(of: second.archive, at: index), at: index, isAdded: true)
        }
    }

    /// Returns the size of the entries to compare, in bytes.
    private func size(of step: EntryPairs.Step) -> Int {
        switch step {
        case .pair(let pair):
            first.archive.byteRange(at: pair.first).count + second.archive.byteRange(at: pair.second).count
        case .removed(let index): first.archive.byteRange(at: index).count
        case .added(let index): second.archive.byteRange(at: index).count
        }
    }
}
