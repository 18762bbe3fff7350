import CJSONScan

/// Reads a file and passes the structure of its text to an ``EntryIndexer``.
final class EntryScan {
    /// The extra space after a chunk, in bytes, to complete the block that contains the goal or the last block of the
    /// file.
    private static let slack = 256

    /// The number of bytes that are scanned before they are indexed.
    ///
    /// A batch is small enough to stay in the L1 cache until the indexer has read it.
    private static let batchSize = 1 << 15

    private let file: InputFile
    private let chunkSize: Int
    private var indexer: EntryIndexer
    private var state = structure_state()

    private var buffer: UnsafeMutableRawBufferPointer
    private let blocks: UnsafeMutablePointer<structure_block>

    /// The file offset of the buffer's first byte.
    private var start: Int

    // The number of bytes in the buffer, and the number of them that have been indexed.
    private var filled = 0
    private var passed = 0

    /// Creates a scan that starts after the array's opening bracket, or at the opening bracket of an entry.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - start: The offset in the file.
    ///   - limits: The limits of the reader.
    ///   - chunkSize: The number of bytes to read at once, a multiple of 64.
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

    /// Returns the entries found so far.
    func finish() -> EntrySegment { indexer.finish() }

    /// Scans the elements of the array.
    ///
    /// - Parameter goal: The offset at which the scan ends if an entry begins there, or nil to scan the whole array.
    /// - Returns: The reason why the scan ended. It is `unfinished` if no entry begins at the goal, and the scan has
    ///   passed it. The scan can then be resumed with another goal.
    /// - Throws: `unreadableFile`.
    func run(until goal: Int?) throws(HARError) -> EntryIndexer.Progress {
        let goal = goal ?? .max
        indexer.goal = goal
        while start + passed <= goal {
            guard try readChunk(towards: goal) else { return .undecided }
            let progress = takeChunk()
            if progress != .unfinished { return progress }
            discardPassed()
        }
        return .unfinished
    }

    /// Reads the next chunk, or less if it would extend far past the goal.
    ///
    /// - Returns: False at the end of the file.
    private func readChunk(towards goal: Int) throws(HARError) -> Bool {
        let distance = max(goal - (start + filled), 0)
        let size = distance < chunkSize ? distance + 64 : chunkSize
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + size])
        let count = try file.read(at: start + filled, into: room).count
        filled += count
        if count > 0 { return true }
        guard filled > passed else { return false }
        // Pad the last block with spaces.
        while filled % 64 != passed % 64 {
            buffer[filled] = UInt8(ascii: " ")
            filled += 1
        }
        return true
    }

    /// Scans the complete blocks of the chunk.
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
        guard indexer.passGap(to: start + end, in: window), indexer.isWithinLimits(before: start + end) else {
            return .undecided
        }
        return .unfinished
    }

    /// Moves the bytes that are still needed to the start of the buffer and makes room for the next chunk.
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

/// The part of a file that is in memory, addressed by file offsets.
struct TextWindow {
    let bytes: UnsafeRawPointer

    /// The file offset of the first byte.
    let start: Int

    /// The byte at an offset.
    subscript(offset: Int) -> UInt8 {
        @inline(__always) get { bytes.load(fromByteOffset: offset &- start, as: UInt8.self) }
    }

    /// The bytes in a range of file offsets.
    subscript(offsets: Range<Int>) -> UnsafeRawBufferPointer {
        @inline(__always) get {
            UnsafeRawBufferPointer(start: bytes + (offsets.lowerBound &- start), count: offsets.count)
        }
    }

    /// Returns the bytes without leading and trailing whitespace.
    static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var (start, end) = (0, bytes.count)
        while start < end, JSONText.isWhitespace(bytes[start]) { start &+= 1 }
        while start < end, JSONText.isWhitespace(bytes[end &- 1]) { end &-= 1 }
        return bytes[from: start, to: end]
    }
}
