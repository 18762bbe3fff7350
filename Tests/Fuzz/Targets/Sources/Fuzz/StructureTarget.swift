import CJSONScan
import Foundation

/// Scans the document with each instruction set that the processor supports, and searches it for long passages.
///
/// Byte-by-byte scanners must find the same structure and passages. The input chooses the offsets at which the text is
/// divided. An inaccessible page alternately follows and precedes each part.
func checkStructure(_ input: Input) {
    checkScan(input)
    checkPassages(input)
}

// MARK: Structure

private func checkScan(_ input: Input) {
    var text = input.bytes
    text += [UInt8](repeating: UInt8(ascii: " "), count: (64 - text.count % 64) % 64)
    let shallow: Int64 = [0, 1, 3, .max][input.choice(0, of: 4)]
    var divided: [ArraySlice<UInt8>] = []
    var rest = text[...]
    while !rest.isEmpty {
        divided.append(rest.prefix(64 * (1 + input.choice(divided.count, of: 256))))
        rest = rest[(divided.last?.endIndex ?? rest.endIndex)...]
    }
    for instructions in instructions_portable.rawValue...instructions_fastest().rawValue {
        var simple = SimpleScan()
        var state = structure_state()
        for (number, part) in divided.enumerated() {
            let expected = simple.blocks(of: part, shallow: shallow)
            let found = GuardedMemory.text.with(part, isAtEnd: number % 2 == 0) { bytes in
                GuardedMemory.output.withSpace(for: structure_block.self, count: part.count / 64) { blocks in
                    structure_scan_with(.init(instructions), bytes, part.count, shallow, &state, blocks)
                }
            }
            expectEqual(found.map(\.words), expected.map(\.words), "Part \(number) with instructions \(instructions)")
            expectEqual(state.words, simple.words, "State after part \(number) with instructions \(instructions)")
        }
    }
}

extension structure_block {
    fileprivate var words: [UInt64] {
        [offset, UInt64(bitPattern: depth), UInt64(bitPattern: lowest), quotes, backslashes, strings, opens, closes]
    }
}

extension structure_state {
    fileprivate var words: [UInt64] { [in_string, escaped, UInt64(bitPattern: depth)] }
}

/// A byte-by-byte scanner.
private struct SimpleScan {
    private var isInString = false
    private var isEscaped = false
    private var depth: Int64 = 0

    var words: [UInt64] { [isInString ? .max : 0, isEscaped ? 1 : 0, UInt64(bitPattern: depth)] }

    mutating func blocks(of text: ArraySlice<UInt8>, shallow: Int64) -> [structure_block] {
        var blocks: [structure_block] = []
        for start in stride(from: text.startIndex, to: text.endIndex, by: 64) {
            let wasInString = isInString
            var block = structure_block()
            block.offset = UInt64(start - text.startIndex)
            block.depth = depth
            for bit in 0..<64 { take(text[start + bit], 1 << bit, &block) }
            block.lowest = block.depth - Int64(block.closes.nonzeroBitCount)
            let isMiddle = wasInString && block.quotes == 0
            if !isMiddle, block.lowest <= shallow { blocks.append(block) }
        }
        return blocks
    }

    private mutating func take(_ byte: UInt8, _ bit: UInt64, _ block: inout structure_block) {
        if byte == UInt8(ascii: "\\") { block.backslashes |= bit }
        if byte == UInt8(ascii: "\""), !isEscaped {
            block.quotes |= bit
            isInString.toggle()
        }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        if isInString {
            block.strings |= bit
        } else if "{[".utf8.contains(byte) {
            block.opens |= bit
            depth += 1
        } else if "}]".utf8.contains(byte) {
            block.closes |= bit
            depth -= 1
        }
    }
}

// MARK: Passages

/// Checks that passages are in strings and in order, and that their characters and escape sequences are complete and
/// valid.
private func checkPassages(_ input: Input) {
    // Short inputs have no long strings, so a part of the input is repeated.
    var text = input.bytes
    let repeated = text.prefix(1 + input.choice(0, of: 64))
    if !repeated.isEmpty, let middle = text.indices.randomAccess(input.choice(1, of: 256)) {
        text.insert(contentsOf: (0..<(1 + 400 / repeated.count)).flatMap { _ in repeated }, at: middle)
    }
    var parts: [ArraySlice<UInt8>] = []
    var rest = text[...]
    while !rest.isEmpty {
        parts.append(rest.prefix(1 + 8 * input.choice(2 + parts.count, of: 256) + input.choice(3, of: 8)))
        rest = rest[(parts.last?.endIndex ?? rest.endIndex)...]
    }
    var first: [Range<Int>]?
    for instructions in instructions_portable.rawValue...instructions_fastest().rawValue {
        var state = passages_state()
        var found: [Range<Int>] = []
        for (number, part) in parts.enumerated() {
            let passages = GuardedMemory.text.with(part, isAtEnd: number % 2 == 0) { bytes in
                let space = part.count / Int(passages_least_length)
                return GuardedMemory.output.withSpace(for: passage.self, count: space) { passages in
                    passages_find_with(.init(instructions), bytes, part.count, &state, passages)
                }
            }
            for passage in passages {
                guard passage.end <= part.count, passage.start + UInt64(passages_least_length) <= passage.end else {
                    fail("The passage from \(passage.start) to \(passage.end) in \(part.count) bytes")
                }
                found.append(part.startIndex + Int(passage.start)..<part.startIndex + Int(passage.end))
            }
        }
        expectEqual(found, first ?? found, "Passages with instructions \(instructions)")
        first = found
    }
    check(first ?? [], in: text)
}

private func check(_ passages: [Range<Int>], in text: [UInt8]) {
    var (isInString, escape, digits, invalid) = (false, false, 0, Int.min / 2)
    var rest = passages[...]
    for (offset, byte) in text.enumerated() {
        if let passage = rest.first, passage.upperBound == offset {
            if escape || digits > 0 { fail("The passage \(passage) ends in an escape.") }
            rest = rest.dropFirst()
        }
        let isInPassage = rest.first?.contains(offset) ?? false
        // After an escape sequence with invalid digits, a passage can begin inside the next escape sequence.
        if rest.first?.lowerBound == offset, !isInString || (escape || digits > 0) && offset - invalid > 4 {
            fail("The passage at \(offset) does not begin between characters of a string.")
        }
        if digits > 0, isHexadecimal(byte) {
            digits -= 1
            continue
        }
        if isInPassage, digits > 0 { fail("An escape in \(passages) has too few digits.") }
        if digits > 0 { invalid = offset }
        digits = 0
        if escape {
            if isInPassage, !"\"\\/bfnrtu".utf8.contains(byte) { fail("An escape in \(passages) is invalid.") }
            if byte == UInt8(ascii: "u") { digits = 4 }
            escape = false
            continue
        }
        if isInPassage, byte < 0x20 || byte == UInt8(ascii: "\"") { fail("\(passages) contain the byte \(byte).") }
        if byte == UInt8(ascii: "\"") { isInString.toggle() }
        escape = byte == UInt8(ascii: "\\")
    }
    if let last = rest.first, last.upperBound != text.count || escape || digits > 0 {
        fail("The passage \(last) ends in an escape or after the text.")
    }
}

private func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
}

extension Range<Int> {
    /// Returns the element selected by a choice from 256, or nil if the range is empty.
    fileprivate func randomAccess(_ choice: Int) -> Int? { isEmpty ? nil : lowerBound + choice * count / 256 }
}

// MARK: Memory

/// Memory between two inaccessible pages.
private struct GuardedMemory {
    /// The memory for the text.
    nonisolated(unsafe) static let text = GuardedMemory(size: 1 << 16)

    /// The memory for the results.
    nonisolated(unsafe) static let output = GuardedMemory(size: 1 << 20)

    private let memory: UnsafeMutableRawBufferPointer

    private init(size: Int) {
        let page = Int(getpagesize())
        let pages = mmap(nil, size + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let pages, pages != MAP_FAILED, mprotect(pages, page, PROT_NONE) == 0,
            mprotect(pages + page + size, page, PROT_NONE) == 0
        else { fail("No guarded memory.") }
        memory = UnsafeMutableRawBufferPointer(start: pages + page, count: size)
    }

    /// Calls a closure with a copy of the bytes at the end or at the start of the memory.
    func with<Result>(
        _ bytes: ArraySlice<UInt8>, isAtEnd: Bool, _ body: (UnsafePointer<UInt8>) -> Result
    ) -> Result {
        guard bytes.count <= memory.count, let start = memory.baseAddress else { fail("The input is too long.") }
        let target = isAtEnd ? start + memory.count - bytes.count : start
        bytes.withUnsafeBytes {
            if let source = $0.baseAddress { target.copyMemory(from: source, byteCount: $0.count) }
        }
        return body(UnsafePointer(target.assumingMemoryBound(to: UInt8.self)))
    }

    /// Calls a closure with space for values at the end of the memory, and returns the values written by the closure.
    func withSpace<Value: BitwiseCopyable>(
        for type: Value.Type, count: Int, _ body: (UnsafeMutablePointer<Value>) -> Int
    ) -> [Value] {
        let size = count * MemoryLayout<Value>.stride
        guard size <= memory.count, let start = memory.baseAddress else { fail("The input is too long.") }
        let values = (start + memory.count - size).bindMemory(to: type, capacity: count)
        return Array(UnsafeBufferPointer(start: values, count: body(values)))
    }
}
