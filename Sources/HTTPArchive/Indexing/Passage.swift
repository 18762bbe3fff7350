import CStructure
import Foundation

/// Leads an ``EntryPass`` through a file.
struct Passage: ~Copyable {
    /// The size of the pieces that are read.
    static let pieceSize = 1 << 18

    private let file: InputFile
    private var pass: EntryPass
    private var state = structure_state()

    private var buffer: UnsafeMutableRawBufferPointer
    private var blocks: UnsafeMutableBufferPointer<structure_block>

    /// The place in the file of the buffer's first byte.
    private var start: Int

    init(file: InputFile, from start: Int, configuration: HARReader.Configuration) {
        self.file = file
        self.start = start
        pass = EntryPass(from: start, limits: configuration.limits)
        buffer = .allocate(byteCount: 2 * Self.pieceSize, alignment: 64)
        blocks = .allocate(capacity: Self.pieceSize / 64 + 1)
    }

    deinit {
        buffer.deallocate()
        blocks.deallocate()
    }

    /// Gives the entries that were passed.
    mutating func finish() -> EntrySegment { pass.finish() }

    /// Passes over the elements of an array.
    ///
    /// - Returns: The place of the closing bracket; `nil` when the pass does not understand the text.
    mutating func run() throws(HARError) -> Int? {
        // What was read, and how much of that was passed.
        var filled = 0
        var passed = 0
        while true {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...].prefix(Self.pieceSize))
            let count = try file.read(at: start + filled, into: room).count
            filled += count
            var end = passed + (filled - passed) & ~63
            if count == 0 {
                guard filled > passed else { return nil }
                // The end of the file: spaces fill the last block.
                while filled % 64 != passed % 64 {
                    buffer[filled] = UInt8(ascii: " ")
                    filled += 1
                }
                end = filled
            }
            let progress = take(passed..<end)
            passed = end
            switch progress {
            case .finished(let place): return place
            case .lost: return nil
            case .unfinished: break
            }
            let needed = pass.neededPlace(before: start + passed) - start
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[needed..<filled]))
            start += needed
            filled -= needed
            passed -= needed
            if filled + Self.pieceSize + 64 > buffer.count { grow(keeping: filled) }
        }
    }

    /// Passes over a part of the buffer.
    private mutating func take(_ part: Range<Int>) -> EntryPass.Progress {
        guard let text = buffer.baseAddress else { return .unfinished }
        let window = TextWindow(bytes: text, start: start)
        let bytes = (text + part.lowerBound).assumingMemoryBound(to: UInt8.self)
        let count = structure_scan(bytes, part.count, EntryPass.shallow, &state, blocks.baseAddress)
        for block in blocks[..<count] {
            let progress = pass.take(block, at: start + part.lowerBound + Int(block.offset), in: window)
            if progress != .unfinished { return progress }
        }
        return pass.passGap(to: start + part.upperBound, in: window) ? .unfinished : .lost
    }

    private mutating func grow(keeping count: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * buffer.count, alignment: 64)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        buffer.deallocate()
        buffer = larger
    }
}
