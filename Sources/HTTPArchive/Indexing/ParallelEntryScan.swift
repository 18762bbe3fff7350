import CJSONScan
import CPlatform
import Dispatch
import Synchronization

/// Divides a file into parts and scans their entries in parallel.
///
/// The start of each part is a guess. The guess is confirmed if the scan of the previous part reaches it between two
/// entries. Otherwise, that scan continues, and the guessed part is discarded. The result therefore never depends on
/// guesses.
struct ParallelEntryScan {
    /// The division of a file into parts.
    struct Division {
        /// The number of threads; by default, the number of processors available to the process, but at most 16.
        var threadCount = min(Int(processors_available()), 16)

        /// The minimum size of a part, in bytes.
        var minimumPartSize = 1 << 21

        /// The number of bytes to read at once, a multiple of 64.
        var chunkSize = 1 << 18

        /// The number of parts per thread.
        ///
        /// If one thread is delayed, the other threads scan more of the parts.
        var partsPerThread = 4

        /// Returns the number of parts into which a file of the given size is divided.
        func partCount(for size: Int) -> Int {
            threadCount == 1 ? 1 : max(1, min(size / minimumPartSize, threadCount * partsPerThread))
        }
    }

    /// The result of scanning a part.
    ///
    /// If the scan is unfinished because it passed its goal, the part has no entries, because it must be scanned again.
    private typealias Part = Result<(outcome: EntryIndexer.Progress, entries: EntrySegment?), HARError>

    /// The number of bytes that are searched for the start of a part.
    ///
    /// If no start is found, the previous part is extended.
    private static let searchSize = 1 << 20

    let file: InputFile

    /// The range from the array's opening bracket (exclusive) to the end of the file.
    let range: Range<Int>

    let limits: JSONScanner.Limits
    let division: Division

    /// Scans the array.
    ///
    /// - Returns: The entries and the offset of the closing bracket, or nil if the whole file must be parsed.
    func run() throws(HARError) -> (table: EntryTable, end: Int)? {
        let starts = try starts()
        var limits = limits
        // The limit applies to the whole file, so each part gets an equal share.
        limits.smallEntryCount /= starts.count
        let parts = parts(from: starts, limits)
        var segments: [EntrySegment] = []
        var count = 0
        var current = 0
        while true {
            var (outcome, entries) = try parts[current].get()
            var next = current + 1
            if outcome == .unfinished {
                let scan = scan(from: starts[current], limits)
                while outcome == .unfinished {
                    next += 1
                    outcome = try scan.run(until: next < starts.count ? starts[next] : nil)
                }
                entries = scan.finish()
            }
            guard let entries else { return nil }
            segments.append(entries)
            count += entries.count
            guard limits.allows(entryCount: count, upTo: range.upperBound) else { return nil }
            switch outcome {
            // The array ends beyond the range if another writer extends the file.
            case .finished(let end): return end < range.upperBound ? (EntryTable(segments), end) : nil
            case .reachedGoal: current = next
            case .undecided, .unfinished: return nil
            }
        }
    }

    private func scan(from start: Int, _ limits: JSONScanner.Limits) -> EntryScan {
        EntryScan(file: file, from: start, limits: limits, chunkSize: division.chunkSize)
    }

    /// Returns the offsets at which the parts start, in ascending order.
    ///
    /// All but the first are guesses.
    private func starts() throws(HARError) -> [Int] {
        var starts = [range.lowerBound]
        let count = division.partCount(for: range.count)
        guard count > 1, let boundary = try EntryBoundary(in: file, firstFrom: range.lowerBound) else { return starts }
        for number in 1..<count {
            let first = range.lowerBound + range.count / count * number
            if let start = try boundary.find(from: first, within: Self.searchSize), start > starts[starts.count - 1] {
                starts.append(start)
            }
        }
        return starts
    }

    /// Scans each part up to the start of the next one.
    private func parts(from starts: [Int], _ limits: JSONScanner.Limits) -> [Part] {
        let next = Atomic(0)
        let parts = Mutex([Part?](repeating: nil, count: starts.count))
        DispatchQueue.concurrentPerform(iterations: min(division.threadCount, starts.count)) { _ in
            while true {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < starts.count else { return }
                let part = part(from: starts[number], to: number + 1 < starts.count ? starts[number + 1] : nil, limits)
                parts.withLock { $0[number] = part }
            }
        }
        return parts.withLock { $0.compactMap(\.self) }
    }

    private func part(from start: Int, to goal: Int?, _ limits: JSONScanner.Limits) -> Part {
        Part { () throws(HARError) in
            let scan = scan(from: start, limits)
            let outcome = try scan.run(until: goal)
            return (outcome, outcome == .unfinished ? nil : scan.finish())
        }
    }
}
