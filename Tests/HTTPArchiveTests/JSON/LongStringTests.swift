import CJSONScan
import PlantedSecrets
import TestSupport
import Testing

@testable import HTTPArchive

/// Checks that long strings are parsed correctly, even though the parser receives only their starts and ends.
@Suite(.limited) struct LongStringTests {
    private static let letters: [[UInt8]] = [
        "a", "lorem ipsum dolor sit amet", "é", "😀", #"\n"#, #"\""#, #"\\"#, #"\/"#, #"\u00e9"#, #"\uD83D\uDE00"#,
        #"\ud800"#, "{", "}", "[", "]", ",", ":", "\u{7F}",
    ].map { Array($0.utf8) }

    private static let wrong: [[UInt8]] = [
        [0x01], [0x0A], [0x1F], Array(#"\x"#.utf8), Array(#"\u12g4"#.utf8), Array(#"\u""#.utf8), Array(#"""#.utf8),
        [0xFF],
    ]

    /// Returns an archive with long strings, including some that contain an error.
    private static func document(using generator: inout SeededGenerator) -> [UInt8] {
        func string() -> [UInt8] {
            var text: [UInt8] = []
            let size = [10, 200, 900, 3000].randomElement(using: &generator) ?? 0
            let favorite = letters.randomElement(using: &generator) ?? []
            while text.count < size {
                text += Bool.random(using: &generator) ? favorite : letters.randomElement(using: &generator) ?? []
            }
            if Int.random(in: 0..<6, using: &generator) == 0 {
                text.replaceSubrange(
                    text.count / 2..<text.count / 2, with: wrong.randomElement(using: &generator) ?? [])
            }
            return [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
        }
        var bytes = Array(#"{"log":{"entries":["#.utf8)
        for index in 0..<3 {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += Array(#"{"request":{"url":"#.utf8) + string() + Array(#"},"#.utf8) + string()
            bytes += Array(#":["#.utf8) + string() + Array("],\n\"n\":1}".utf8)
        }
        bytes += Array(#"],"comment":"#.utf8) + string() + Array("}}".utf8)
        // Sometimes, replace a random byte with a quote, so that strings end at unexpected offsets.
        if Int.random(in: 0..<4, using: &generator) == 0 {
            bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8(ascii: "\"")
        }
        return bytes
    }

    @Test(arguments: 0..<8)
    func `reading with and without skipping long strings produces the same result`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Cases.count(12, orAll: 40) {
            let bytes = Self.document(using: &generator)
            let expected = ReadingOutcome.decoding(Splitting.size(100, of: bytes).pieces)
            #expect(ReadingOutcome.decoding(bytes) == expected)
            let splitting = Splitting.random(of: bytes, using: &generator)
            #expect(ReadingOutcome.decoding(splitting.pieces) == expected, "\(splitting)")
            let sizes = Splitting.size(.random(in: 192...1500, using: &generator), of: bytes)
            #expect(ReadingOutcome.decoding(sizes.pieces) == expected, "\(sizes)")
        }
    }

    @Test(arguments: [100, 192, 250, 1000, 70_000], [#"\u0061"#, "a", "é"])
    func `long names and strings are found and decoded`(count: Int, letter: String) throws {
        let plain = letter == #"\u0061"# ? "a" : letter
        let name = String(repeating: plain, count: count)
        let text = String(repeating: letter, count: count - 1) + plain
        let value = try JSONValue(parsing: #"{"x":1,"\#(text)":2,"t":"\#(text)","\#(text)b":3}"#)
        #expect(value[name]?.int == 2)
        #expect(value[name + "b"]?.int == 3)
        #expect(value.object?.text("t") == name)
        #expect(value["t"]?.text == name)
        #expect(value[String(name.dropFirst())] == nil)
    }

    private typealias Finder = (
        UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<passages_state>?, UnsafeMutablePointer<passage>?
    ) -> Int

    /// Returns the ranges of the passages found in chunks.
    private func passages(in pieces: [ArraySlice<UInt8>], by find: Finder) -> [Range<UInt64>] {
        var state = passages_state()
        return pieces.flatMap { piece in
            let bytes = Array(piece)
            var found = [passage](
                repeating: passage(), count: bytes.count / Int(passages_least_length) + 1)
            let count = find(bytes, bytes.count, &state, &found)
            return found[..<count].map { $0.start + UInt64(piece.startIndex)..<$0.end + UInt64(piece.startIndex) }
        }
    }

    @Test(arguments: 0..<4)
    func `all instruction sets find the same passages`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Cases.count(12, orAll: 40) {
            let bytes = Self.document(using: &generator)
            let pieces = Splitting.random(of: bytes, using: &generator).pieces
            let portable = passages(in: pieces) { passages_find_with(instructions_portable, $0, $1, $2, $3) }
            for instructions in instructions_portable.rawValue...instructions_fastest().rawValue {
                let found = passages(in: pieces) { passages_find_with(.init(instructions), $0, $1, $2, $3) }
                #expect(found == portable)
            }
        }
    }

    @Test func `nearly all of a long string is skipped, regardless of its escape sequences`() {
        for letters in Self.letters {
            let text = Array(repeatElement(letters, count: 4000 / letters.count)).joined()
            let bytes = Array("\"".utf8) + text + Array("\"".utf8)
            let found = passages(in: [bytes[...]], by: passages_find)
            #expect(found.count == 1)
            #expect(found.map(\.count).reduce(0, +) > bytes.count - 140)
        }
    }
}
