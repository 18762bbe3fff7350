import Foundation
import PlantedSecrets
import TestSupport
import Testing

@testable import HTTPArchive

/// Checks that broken input never crashes the process, and that reading it whole and in chunks has the same result.
@Suite(.limited) struct MutationTests {
    @Test(arguments: 0..<4 as Range<UInt64>)
    func `a changed byte never crashes the process, and the result is the same in chunks`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Cases.count(60, orAll: 300) {
            var document = SampleDocument.everything.bytes
            let place = Int.random(in: 0..<document.count, using: &generator)
            document[place] = UInt8.random(in: 0...255, using: &generator)
            try check(document, size: Int.random(in: 1...100, using: &generator), "byte \(place), seed \(seed)")
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `JSON characters at random offsets never crash the process`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array(#"{}[]",:\u0-.e1tfn "#.utf8)
        for _ in 0..<Cases.count(60, orAll: 300) {
            var document = SampleDocument.everything.bytes
            for _ in 0..<3 {
                let place = Int.random(in: 0..<document.count, using: &generator)
                let byte = try #require(alphabet.randomElement(using: &generator))
                if Bool.random(using: &generator) { document[place] = byte } else { document.insert(byte, at: place) }
            }
            try check(document, size: Int.random(in: 1...100, using: &generator), "seed \(seed)")
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `random text of JSON characters never crashes the process`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = [
            "{", "}", "[", "]", ",", ":", " ", "\n", "\"log\"", "\"entries\"", "\"\"", "\"\\ud800\"", "1", "-0.5e3",
            "true",
            "null", "{\"log\":{\"entries\":[", "]}}", "{}", "\u{FEFF}", "\"a\":", ",\"log\":", ",\"entries\":[",
        ]
        for _ in 0..<Cases.count(150, orAll: 500) {
            let count = Int.random(in: 1...12, using: &generator)
            let text = (0..<count).compactMap { _ in words.randomElement(using: &generator) }.joined()
            try check(Array(text.utf8), size: Int.random(in: 1...9, using: &generator), "\(text)")
        }
    }

    /// Reads a document as a whole and in chunks, compares the results, and decodes properties of the entries.
    ///
    /// Valid JSON must be read without an error.
    private func check(_ document: [UInt8], size: Int, _ comment: Comment) throws {
        let whole = ReadingOutcome.decoding(document)
        let pieces = ReadingOutcome.decoding(Splitting.size(size, of: document).pieces)
        #expect(pieces.events == whole.events, comment)
        #expect(pieces.code == whole.code, comment)
        for entry in whole.entries {
            #expect(entry.request.url.utf8.count <= document.count, comment)
            #expect(entry.response.content.text?.utf8.count ?? 0 <= 3 * document.count, comment)
        }
        let reference = try? ReferenceJSON(parsing: document)
        if let reference {
            #expect(whole.code != .malformedJSON, comment)
            #expect(whole.entryRanges == reference.entries.map(\.range), comment)
        } else if !document.contains(where: { $0 == 0x0B || $0 == 0x0C }) {
            // Unlike the strict reference parser, the reader accepts vertical tabs and form feeds as whitespace.
            #expect(whole.code != nil, comment)
        }
    }
}
