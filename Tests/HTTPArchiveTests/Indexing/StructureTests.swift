import CJSONScan
import Foundation
import PlantedSecrets
import Testing

@Suite(.limited) struct StructureTests {
    /// Scans JSON text with the given instruction set, and returns its blocks and the final state.
    private func scan(
        _ text: [UInt8], with instructions: instruction_set, shallow: Int64
    ) -> (blocks: [structure_block], state: structure_state) {
        var state = structure_state()
        let blocks = [structure_block](unsafeUninitializedCapacity: text.count / 64) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            count = structure_scan_with(instructions, text, text.count, shallow, &state, base)
        }
        return (blocks, state)
    }

    /// Scans JSON text byte by byte, as a reference for the blocks.
    private func simpleScan(_ text: [UInt8]) -> (quotes: Set<Int>, strings: Set<Int>, opens: Set<Int>, closes: Set<Int>)
    {
        var (quotes, strings, opens, closes) = (Set<Int>(), Set<Int>(), Set<Int>(), Set<Int>())
        var (isInString, isEscaped) = (false, false)
        for (place, byte) in text.enumerated() {
            if byte == UInt8(ascii: "\""), !isEscaped {
                quotes.insert(place)
                isInString.toggle()
            }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            if isInString { strings.insert(place) }
            if !isInString, "{[".utf8.contains(byte) { opens.insert(place) }
            if !isInString, "}]".utf8.contains(byte) { closes.insert(place) }
        }
        return (quotes, strings, opens, closes)
    }

    @Test(arguments: instructions_portable.rawValue...instructions_fastest().rawValue, [0 as UInt64, 1, 2, 3])
    func `all instruction sets produce the same result as a byte-by-byte scan`(instructions: UInt32, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let marks = Array("\"\\\\{}[] ,:ax\u{80}[{".utf8)
        for size in [64, 128, 1024, 64 * 100] {
            var text = (0..<size).map { _ in marks.randomElement(using: &generator)! }
            // If the text is long enough, add a run of letters that is longer than a block.
            for place in size / 2..<min(size, size / 2 + 300) { text[place] = UInt8(ascii: "a") }
            let (blocks, _) = scan(text, with: .init(instructions), shallow: .max)
            let (quotes, strings, opens, closes) = simpleScan(text)
            var (found, foundStrings) = ([[Int]](repeating: [], count: 3), Set<Int>())
            for block in blocks {
                for bit in 0..<64 {
                    let place = Int(block.offset) + bit
                    for (index, bits) in [block.quotes, block.opens, block.closes].enumerated()
                    where bits >> bit & 1 == 1 {
                        found[index].append(place)
                    }
                    if block.strings >> bit & 1 == 1 { foundStrings.insert(place) }
                }
            }
            #expect(found == [quotes, opens, closes].map { $0.sorted() })
            let given = Set(blocks.flatMap { Int($0.offset)..<Int($0.offset) + 64 })
            #expect(foundStrings == strings.intersection(given))
        }
    }

    @Test func `all instruction sets produce the same blocks`() {
        var generator = SeededGenerator(seed: 7)
        let marks = Array("\"\\{}[]aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"".utf8)
        for shallow: Int64 in [0, 2, 5] {
            let text = (0..<64 * 500).map { _ in marks.randomElement(using: &generator)! }
            let expected = scan(text, with: instructions_portable, shallow: shallow)
            for instructions in instructions_portable.rawValue...instructions_fastest().rawValue {
                let (blocks, state) = scan(text, with: .init(instructions), shallow: shallow)
                #expect(blocks.map(\.fields) == expected.blocks.map(\.fields))
                #expect(state.depth == expected.state.depth)
                #expect(state.in_string == expected.state.in_string)
                #expect(state.escaped == expected.state.escaped)
            }
        }
    }
}

extension structure_block {
    fileprivate var fields: [UInt64] {
        [offset, UInt64(bitPattern: depth), UInt64(bitPattern: lowest), quotes, backslashes, strings, opens, closes]
    }
}
