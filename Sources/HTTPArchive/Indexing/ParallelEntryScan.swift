import CJSONScan
import CPlatform
import Dispatch
import Synchronization

/// Passes over the entries of a file in several parts at once.
///
/// Where a part begins is guessed. A guess counts only if the passage of the part before arrives there between two
/// entries; else that passage goes on, and the guessed part is thrown away. So what is found never depends on guesses.
struct ParallelEntryScan {
    /// How a file is divided.
    struct Division {
        /// The number of threads; as many as there are processors for the process by default, and 16 at most.
        var threadCount = min(Int(processors_available()), 16)

        /// The size in bytes below which no file is divided into parts.
        var minimumPartSize = 1 << 21

        /// The size in bytes of the pieces that are read, a multiple of 64.
        var chunkSize = 1 << 18

        /// The number of parts for each thread: where one is held up, the others take its parts.
        var partsPerThread = 4

        /// The number of parts of so many bytes.
        func partCount(for size: Int) -> Int {
            threadCount == 1 ? 1 : max(1, min(size / minimumPartSize, threadCount * partsPerThread))
        }
    }

    /// What the passage of a part came to; a part that missed the next one has no entries, for it is passed again.
    private typealias Part = Result<(outcome: EntryScan.Outcome, entries: EntrySegment?), HARError>

    /// Which part is next for a thread, and what came of those before.
    private struct Work: Sendable {
        var next = 0
        var parts: [Part?]
    }

    /// How many bytes the beginning of a part is looked for in; without one, the part before is larger.
    private static let searchSize = 1 << 20

    let file: InputFile

    /// The places behind the array's opening bracket.
    let range: Range<Int>

    let limits: JSONScanner.Limits
    let division: Division

    /// Passes over the array.
    ///
    /// - Returns: The entries, and the place of the closing bracket; `nil` when there is something that only the parser can
    ///   tell.
    func run() throws(HARError) -> (table: EntryTable, end: Int)? {
        let starts = try starts()
        let parts = parts(from: starts)
        var segments: [EntrySegment] = []
        var count = 0
        var current = 0
        while true {
            var (outcome, entries) = try parts[current].get()
            var next = current + 1
            if outcome == .passedGoal {
                let scan = scan(from: starts[current])
                while outcome == .passedGoal {
                    next += 1
                    outcome = try scan.run(until: next < starts.count ? starts[next] : nil)
                }
                entries = scan.finish()
            }
            guard let entries else { return nil }
            segments.append(entries)
            count += entries.count
            guard count <= limits.entryCount else { return nil }
            switch outcome {
            case .finished(let end): return (EntryTable(segments), end)
            case .reachedGoal: current = next
            case .undecided, .passedGoal: return nil
            }
        }
    }

    private func scan(from start: Int) -> EntryScan {
        EntryScan(file: file, from: start, limits: limits, chunkSize: division.chunkSize)
    }

    /// Where parts begin, in order: the first one for certain.
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

    /// Passes over each part up to the next one.
    private func parts(from starts: [Int]) -> [Part] {
        let work = Mutex(Work(parts: Array(repeating: nil, count: starts.count)))
        DispatchQueue.concurrentPerform(iterations: min(division.threadCount, starts.count)) { _ in
            while let number = Self.claim(from: work) {
                let part = part(from: starts[number], to: number + 1 < starts.count ? starts[number + 1] : nil)
                work.withLock { $0.parts[number] = part }
            }
        }
        return work.withLock { $0.parts.compactMap(\.self) }
    }

    private func part(from start: Int, to goal: Int?) -> Part {
        Part { () throws(HARError) in
            let scan = scan(from: start)
            let outcome = try scan.run(until: goal)
            return (outcome, outcome == .passedGoal ? nil : scan.finish())
        }
    }

    /// The number of a part that no thread has.
    private static func claim(from work: borrowing Mutex<Work>) -> Int? {
        work.withLock { work in
            guard work.next < work.parts.count else { return nil }
            work.next += 1
            return work.next - 1
        }
    }
}
