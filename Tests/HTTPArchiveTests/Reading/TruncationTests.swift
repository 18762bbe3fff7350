import Foundation
import Testing

@testable import HTTPArchive

@Suite struct TruncationTests {
    @Test(arguments: [Int.max, 7])
    func `every cut of a document ends in an error with the entries before it`(chunkSize: Int) throws {
        let document = SampleDocument.everything.bytes
        let entries = try ReferenceJSON(parsing: document).entries
        let end = try #require(document.lastIndex(of: UInt8(ascii: "}")))
        for cut in stride(from: 0, through: end, by: chunkSize == .max ? 1 : 5) {
            let start = Array(document[..<cut])
            let outcome = ReadingOutcome.decoding(Splitting.size(min(chunkSize, max(cut, 1)), of: start).pieces)
            #expect(outcome.code == (cut == 0 ? .notAnArchive : .malformedJSON), "cut at \(cut)")
            let whole = entries.filter { $0.range.upperBound <= cut }
            #expect(outcome.entryRanges == whole.map(\.range), "cut at \(cut)")
            guard cut > 0 else { continue }
            // The mistake is the end of the text, or the start of a token or an escape that is not complete.
            let offset = try #require(outcome.context?.byteOffset)
            let isAtToken = offset < cut && "\"utfn-.eE".utf8.contains(document[offset])
            #expect(offset == cut || isAtToken, "cut at \(cut)")
        }
    }

    @Test func `a document without its last line break is whole`() throws {
        let document = SampleDocument.everything.bytes
        let end = try #require(document.lastIndex(of: UInt8(ascii: "}")))
        #expect(ReadingOutcome.decoding(document[...end]).code == nil)
    }

    @Test(arguments: SampleDocument.small)
    func `every cut of a small document ends in an error with the entries before it`(sample: SampleDocument) throws {
        let document = sample.bytes
        let entries = try ReferenceJSON(parsing: document).entries
        let end = try #require(document.lastIndex(of: UInt8(ascii: "}")))
        for cut in 0...end {
            for size in [1, 2, document.count] {
                let outcome = ReadingOutcome.decoding(Splitting.size(size, of: Array(document[..<cut])).pieces)
                #expect(outcome.code != nil, "cut at \(cut)")
                let whole = entries.filter { $0.range.upperBound <= cut }
                #expect(outcome.entryRanges == whole.map(\.range), "cut at \(cut)")
            }
        }
    }
}
