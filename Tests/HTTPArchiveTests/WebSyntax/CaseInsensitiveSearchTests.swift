import PlantedSecrets
import TestSupport
import Testing

@testable import HTTPArchive

@Suite(.limited) struct CaseInsensitiveSearchTests {
    /// Finds a text one byte at a time.
    private func expectedOffset(of wanted: [UInt8], in text: [UInt8]) -> Int? {
        guard !wanted.isEmpty, wanted.count <= text.count else { return nil }
        let lowercase = text.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        return (0...text.count - wanted.count).first { lowercase[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }

    private func offset(of wanted: [UInt8], in text: [UInt8]) -> Int? {
        text.withUnsafeBytes { $0.firstOffset(ofLowercase: wanted) }
    }

    @Test func `finds a text at every offset and in every case`() {
        var missed: [(form: String, offset: Int, tail: Int)] = []
        for wanted in ["z", "zq", "needle", #"\u00"#, "\"_file\"", "[{@`z", "a word of more than thirty-two bytes"] {
            for form in [wanted, wanted.uppercased()] {
                for offset in 0..<100 {
                    for tail in [0, 1, 31, 32, 33] {
                        let text = Array(repeating: UInt8(ascii: "."), count: offset) + Array(form.utf8)
                        let padded = text + Array(repeating: UInt8(ascii: "."), count: tail)
                        guard self.offset(of: Array(wanted.utf8), in: padded) != offset else { continue }
                        missed.append((form, offset, tail))
                    }
                }
            }
        }
        #expect(missed.isEmpty)
    }

    @Test func `only letters have two cases`() {
        for byte in UInt8.min...UInt8.max where !(0x41...0x5A ~= byte) {
            let padding = [UInt8](repeating: byte ^ 0x80, count: 40)
            let found = (UInt8.min...UInt8.max).filter { offset(of: [byte, byte], in: padding + [$0, $0]) == 40 }
            let expected = 0x61...0x7A ~= byte ? [byte ^ 0x20, byte] : [byte]
            #expect(found == expected)
        }
    }

    @Test(arguments: 0..<20)
    func `finds the same offset as a search one byte at a time`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let letters = Array("aAbB\"\\{.\u{80}".utf8)
        for _ in 0..<Cases.count(120, orAll: 500) {
            let text = (0..<Int.random(in: 0...150, using: &generator)).map { _ in
                letters[Int.random(in: 0..<letters.count, using: &generator)]
            }
            let wanted = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                Array("ab\"\\{.\u{80}".utf8)[Int.random(in: 0..<8, using: &generator)]
            }
            #expect(offset(of: wanted, in: text) == expectedOffset(of: wanted, in: text))
        }
    }

    @Test(arguments: 0..<20)
    func `finds the same offset as an exact search one byte at a time`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
            (0..<Int.random(in: count, using: &generator)).map { _ in
                Array("ab\"\u{80}".utf8)[Int.random(in: 0..<5, using: &generator)]
            }
        }
        for round in 0..<Cases.count(120, orAll: 500) {
            let wanted = round % 10 == 0 ? bytes(60...70) : bytes(1...5)
            // The end of the text is often a part of the wanted bytes.
            let text = bytes(0...150) + wanted.prefix(Int.random(in: 0...wanted.count, using: &generator))
            let count = wanted.count
            let starts = text.count < count ? [] : Array(0...text.count - count)
            let expected = starts.first { text[$0..<$0 + count].elementsEqual(wanted) }
            #expect(text.withUnsafeBytes { $0.firstOffset(of: wanted) } == expected)
        }
    }

    @Test func `an empty buffer and an empty text have no match`() {
        #expect(offset(of: [0x61], in: []) == nil)
        #expect(offset(of: [], in: [0x61]) == nil)
        #expect(offset(of: [0x61, 0x62], in: [0x61]) == nil)
    }

    @Test func `recognizes ASCII text of every length`() {
        for count in 0..<140 {
            var text = [UInt8](repeating: 0x7F, count: count)
            #expect(text.withUnsafeBytes { $0.isASCII })
            for index in text.indices {
                text[index] = 0x80
                #expect(!text.withUnsafeBytes { $0.isASCII })
                text[index] = 0
            }
        }
    }
}
