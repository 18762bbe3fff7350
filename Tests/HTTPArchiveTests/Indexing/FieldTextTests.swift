import PlantedSecrets
import Testing

@testable import HTTPArchive

@Suite(.limited) struct FieldTextTests {
    private func expectNumber(_ text: String) {
        let number = JSONNumber(text: text)
        let bytes = Array(text.utf8)
        bytes.withUnsafeBytes { bytes in
            #expect(JSONNumber.int(of: bytes) == number?.int, "\(text)")
            #expect(JSONNumber.double(of: bytes)?.bitPattern == number?.double?.bitPattern, "\(text)")
        }
    }

    @Test func `numbers equal the parser's numbers`() {
        for text in [
            "0", "-0", "-1", "1", "200", "007", "", "-", ".", "1.", ".5", "0.5", "00.5", "1.5.2", "1e3", "2E-1",
            "200.0", "+1",
            "999999999999999", "1000000000000000", "9007199254740993", "0.000000000000001", "123456789012.345",
            "213.40500000000003", "9223372036854775807", "9223372036854775808", "1e999", "1,", "0x1", "null", "true",
            " 1",
        ] { expectNumber(text) }
    }

    @Test func `decimals are bitwise equal to the parser's`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<3_000 {
            var text = String(UInt64.random(in: 0..<1_000_000_000_000_000_000, using: &generator))
            text = String(text.prefix(Int.random(in: 1...text.count, using: &generator)))
            let point = Int.random(in: 0...text.count, using: &generator)
            text.insert(".", at: text.index(text.startIndex, offsetBy: point))
            expectNumber(text)
        }
    }

    @Test(arguments: ["", "a", "abcdefgh", "abcdefghi", "https://example.com/a?b=c#d", "[]\u{7F}\u{0}[[[[["])
    func `plain text has neither escape sequences nor non-ASCII characters`(text: String) {
        #expect(Array(text.utf8).withUnsafeBytes(FieldText.isPlain))
        for place in 0...text.utf8.count {
            for byte: UInt8 in [0x5C, 0x80, 0xFF, 0xDC] {
                var bytes = Array(text.utf8)
                bytes.insert(byte, at: place)
                #expect(!bytes.withUnsafeBytes(FieldText.isPlain))
            }
        }
    }
}
