import CJSONScan

/// Leads an ``EntryIndexer`` through a file.
final class EntryScan {
    /// Why a passage ends.
    enum Outcome: Equatable {
        /// The array's closing bracket stands at that place of the file.
        case finished(at: Int)

        /// An entry begins exactly at the goal, so that another passage can go on from there.
        case reachedGoal

        /// No entry begins at the goal, which lies behind; this passage can go on.
        case passedGoal

        /// The pass does not understand the text.
        case undecided
    }

    /// Room for what goes beyond a piece: to the end of the block that a goal is in, and of the last one of a file.
    private static let slack = 256

    /// How many bytes the structure is found of at once, so that it is still in the nearest cache when it is followed.
    private static let batchSize = 1 << 15

    private let file: InputFile
    private let chunkSize: Int
    private var indexer: EntryIndexer
    private var state = structure_state()

    private var buffer: UnsafeMutableRawBufferPointer
    private let blocks: UnsafeMutablePointer<structure_block>

    /// The place in the file of the buffer's first byte.
    private var start: Int

    // What was read into the buffer, and how much of that was passed.
    private var filled = 0
    private var passed = 0

    /// Begins behind the array's opening bracket, or at the bracket of an entry.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - start: The place in the file.
    ///   - limits: The limits of the reader.
    ///   - chunkSize: The size of the pieces that are read, a multiple of 64.
    init(file: InputFile, from start: Int, limits: JSONScanner.Limits, chunkSize: Int) {
        self.file = file
        self.start = start
        self.chunkSize = chunkSize
        indexer = EntryIndexer(from: start, limits: limits)
        buffer = .allocate(byteCount: 2 * chunkSize + Self.slack, alignment: 64)
        blocks = .allocate(capacity: Self.batchSize / 64)
    }

    deinit {
        buffer.deallocate()
        blocks.deallocate()
    }

    /// Gives the entries that were passed.
    func finish() -> EntrySegment { indexer.finish() }

    /// Passes over the elements of an array.
    ///
    /// - Parameter goal: Where to end if an entry begins there; `nil` for going on to the end of the array.
    /// - Returns: Why the passage ended.
    /// - Throws: `unreadableFile`.
    func run(until goal: Int?) throws(HARError) -> Outcome {
        let goal = goal ?? .max
        indexer.goal = goal
        while start + passed <= goal {
            guard try readChunk(towards: goal) else { return .undecided }
            switch takeChunk() {
            case .finished(let offset): return .finished(at: offset)
            case .reachedGoal: return .reachedGoal
            case .undecided: return .undecided
            case .unfinished: discardPassed()
            }
        }
        return .passedGoal
    }

    /// Reads the next bytes, not far beyond a goal.
    ///
    /// - Returns: `false` at the end of the file.
    private func readChunk(towards goal: Int) throws(HARError) -> Bool {
        let distance = max(goal - (start + filled), 0)
        let size = distance < chunkSize ? distance + 64 : chunkSize
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + size])
        let count = try file.read(at: start + filled, into: room).count
        filled += count
        if count > 0 { return true }
        guard filled > passed else { return false }
        // Spaces fill the last block.
        while filled % 64 != passed % 64 {
            buffer[filled] = UInt8(ascii: " ")
            filled += 1
        }
        return true
    }

    /// Passes over the whole blocks that were read.
    private func takeChunk() -> EntryIndexer.Progress {
        guard let text = buffer.baseAddress else { return .undecided }
        let window = TextWindow(bytes: text, start: start)
        let end = passed + (filled - passed) & ~63
        while passed < end {
            let batch = text + passed
            let size = min(end - passed, Self.batchSize)
            let count = structure_scan(
                batch.assumingMemoryBound(to: UInt8.self), size, EntryIndexer.shallow, &state, blocks)
            let progress = indexer.take(
                UnsafeBufferPointer(start: blocks, count: count), from: start + passed, in: window)
            if progress != .unfinished { return progress }
            passed += size
        }
        return indexer.passGap(to: start + end, in: window) ? .unfinished : .undecided
    }

    /// Moves what is still needed to the front of the buffer, and makes room for the next piece.
    private func discardPassed() {
        let needed = indexer.neededOffset(before: start + passed) - start
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[needed..<filled]))
        start += needed
        filled -= needed
        passed -= needed
        guard filled + chunkSize + Self.slack > buffer.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * buffer.count, alignment: 64)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
        buffer.deallocate()
        buffer = larger
    }
}

/// The part of a file that is in memory, addressed by places of the file.
struct TextWindow {
    private let bytes: UnsafeRawPointer

    /// The number of bytes of the file before them.
    private let start: Int

    /// Takes the bytes, of which the first one stands at `start`.
    init(bytes: UnsafeRawPointer, start: Int) {
        self.bytes = bytes
        self.start = start
    }

    /// The byte at a place.
    subscript(offset: Int) -> UInt8 {
        @inline(__always) get { bytes.load(fromByteOffset: offset &- start, as: UInt8.self) }
    }

    /// The bytes at places.
    subscript(offsets: Range<Int>) -> UnsafeRawBufferPointer {
        @inline(__always) get {
            UnsafeRawBufferPointer(start: bytes + (offsets.lowerBound &- start), count: offsets.count)
        }
    }

    /// Bytes without white space at the ends.
    static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var (start, end) = (0, bytes.count)
        while start < end, JSONText.isWhitespace(bytes[start]) { start &+= 1 }
        while start < end, JSONText.isWhitespace(bytes[end &- 1]) { end &-= 1 }
        return bytes[from: start, to: end]
    }
}
