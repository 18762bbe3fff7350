import HTTPArchive
import Synchronization

/// Compares pairs of entries on all processors, and reports them in order.
struct ArchiveComparison {
    /// The maximum number of entries that are read together.
    private static let batchCount = 1024

    /// The size of the entries that are read together, in bytes, unless a single pair is larger.
    private static let batchSize = 8_000_000

    private let first: ComparedArchive
    private let second: ComparedArchive
    private let volatile: VolatileFields
    private let isQuiet: Bool

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - first: The first archive.
    ///   - second: The second archive.
    ///   - volatile: The fields to ignore.
    ///   - isQuiet: Whether to hide the progress bar.
    init(_ first: ComparedArchive, _ second: ComparedArchive, ignoring volatile: VolatileFields, isQuiet: Bool) {
        self.first = first
        self.second = second
        self.volatile = volatile
        self.isQuiet = isQuiet
    }

    /// Compares pairs, and reports them and the other entries.
    ///
    /// - Parameters:
    ///   - steps: The pairs and entries, in the order of the report.
    ///   - report: The report.
    /// - Throws: An error if an entry or a body file cannot be read, or `unwritableFile`.
    func run(_ steps: [EntryPairs.Step], into report: inout DiffReport) throws(HARError) {
        let total = steps.reduce(0) { $0 + size(of: $1) }
        let progress = ReadingProgress(of: total, isQuiet: isQuiet)
        defer { progress.clear() }
        let bytesRead = Atomic(0)
        var start = 0
        while start < steps.count {
            var end = start
            var batchSize = 0
            while end < steps.count, end - start < Self.batchCount, batchSize < Self.batchSize {
                batchSize += size(of: steps[end])
                end += 1
            }
            let batch = Array(steps[start..<end])
            let form = report.form
            let results = try batch.concurrentMap { step throws(HARError) -> (EntryDifference, [String])? in
                guard case .pair(let pair) = step else { return nil }
                let result = try EntryComparison.difference(
                    pair, of: first, and: second, ignoring: volatile, limit: form.differenceLimit)
                let read = bytesRead.add(size(of: step), ordering: .relaxed).newValue
                progress.update(read)
                return (result, form.lines(of: result))
            }
            for (step, result) in zip(batch, results) { try add(step, result, to: &report) }
            start = end
        }
    }

    private func add(
        _ step: EntryPairs.Step, _ result: (EntryDifference, [String])?, to report: inout DiffReport
    ) throws(HARError) {
        switch step {
        case .pair(let pair):
            let (difference, lines) = result ?? (EntryDifference(), [])
            try report.add(pair, difference, lines: lines, entry: HAREntryFacts(of: second.archive, at: pair.second))
        case .removed(let index): try report.add(removed: HAREntryFacts(of: first.archive, at: index), at: index)
        case .added(let index): try report.add(added: HAREntryFacts(of: second.archive, at: index), at: index)
        }
    }

    /// Returns the size of the entries to compare, in bytes.
    private func size(of step: EntryPairs.Step) -> Int {
        guard case .pair(let pair) = step else { return 0 }
        return first.archive.byteRange(at: pair.first).count
            + second.archive.byteRange(at: pair.second).count
    }
}
