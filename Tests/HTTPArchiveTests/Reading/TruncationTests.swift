import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct TruncationTests {
    @Test(arguments: [Int.max, 7])
    func `reading a document truncated at any byte fails after its complete entries`(pieceSize: Int) throws {
        let document = SampleDocument.everything.bytes
        let entries = try ReferenceJSON(parsing: document).entries
        let end = try #require(document.lastIndex(of: UInt8(ascii: "}")))
        for cut in stride(from: 0, through: end, by: pieceSize == .max ? 1 : 5) {
            let start = Array(document[..<cut])
            let outcome = ReadingOutcome.decoding(Splitting.size(min(pieceSize, max(cut, 1)), of: start).pieces)
            #expect(outcome.code == (cut == 0 ? .notAnArchive : .malformedJSON), "truncated at \(cut)")
            let whole = entries.filter { $0.range.upperBound <= cut }
            #expect(outcome.entryRanges == whole.map(\.range), "truncated at \(cut)")
            guard cut > 0 else { continue }
            // The location is the end of the text, or the start of an incomplete token or escape sequence.
            let offset = try #require(outcome.context?.byteOffset)
            let isAtToken = offset < cut && "\"utfn-.eE".utf8.contains(document[offset])
            #expect(offset == cut || isAtToken, "truncated at \(cut)")
        }
    }

    @Test func `a document without its last line break is complete`() throws {
        let document = SampleDocument.everything.bytes
        let end = try #require(document.lastIndex(of: UInt8(ascii: "}")))
        #expect(ReadingOutcome.decoding(document[...end]).code == nil)
    }

    @Test(arguments: SampleDocument.small)
    func `reading a small document truncated at any byte fails after its entries`(sample: SampleDocument) throws {
        let document = sample.bytes
        let entries = try ReferenceJSON(parsing: document).entries
        let end = try #require(document.lastIndex(of: UInt8(ascii: "}")))
        for cut in 0...end {
            for size in [1, 2, document.count] {
                let outcome = ReadingOutcome.decoding(Splitting.size(size, of: Array(document[..<cut])).pieces)
                #expect(outcome.code != nil, "truncated at \(cut)")
                let whole = entries.filter { $0.range.upperBound <= cut }
                #expect(outcome.entryRanges == whole.map(\.range), "truncated at \(cut)")
            }
        }
    }
}
