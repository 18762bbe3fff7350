import Foundation
import PlantedSecrets
import TestSupport
import Testing

@testable import HTTPArchive

@Suite(.limited) struct ChunkingTests {
    @Test(arguments: SampleDocument.small)
    func `decoding a small document in chunks of any size, or split at any byte, gives the same result`(
        sample: SampleDocument
    ) throws {
        let document = sample.bytes
        let whole = ReadingOutcome.decoding(document)
        #expect(whole.code == nil)
        for splitting in Splitting.sizes(upTo: document.count, of: document) {
            #expect(ReadingOutcome.decoding(splitting.pieces) == whole, "\(splitting)")
        }
        for splitting in Cases.some(300, of: Array(Splitting.everywhere(in: document))) {
            #expect(ReadingOutcome.decoding(splitting.pieces) == whole, "\(splitting)")
        }
    }

    @Test func `decoding a complex document in chunks of any size gives the same result`() throws {
        let document = SampleDocument.everything.bytes
        let whole = ReadingOutcome.decoding(document)
        #expect(whole.code == nil)
        for splitting in Splitting.sizes(upTo: 64, of: document) {
            #expect(ReadingOutcome.decoding(splitting.pieces) == whole, "\(splitting)")
        }
        for size in stride(from: 65, through: document.count, by: 37) {
            #expect(ReadingOutcome.decoding(Splitting.size(size, of: document).pieces) == whole, "\(size)")
        }
    }

    @Test func `decoding a complex document split at any byte gives the same result`() throws {
        let document = SampleDocument.everything.bytes
        let whole = ReadingOutcome.decoding(document)
        for splitting in Cases.some(300, of: Array(Splitting.everywhere(in: document))) {
            #expect(ReadingOutcome.decoding(splitting.pieces) == whole, "\(splitting)")
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `decoding a document in chunks of random sizes, including empty chunks, gives the same result`(
        seed: UInt64
    ) throws {
        let document = SampleDocument.everything.bytes
        let whole = ReadingOutcome.decoding(document)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<25 {
            let splitting = Splitting.random(of: document, using: &generator)
            #expect(ReadingOutcome.decoding(splitting.pieces) == whole, "\(splitting)")
        }
    }

    @Test(arguments: SampleDocument.small + [.everything])
    func `the byte range of each entry is its location in the file`(sample: SampleDocument) throws {
        let document = sample.bytes
        let entries = try ReferenceJSON(parsing: document).entries
        for size in [1, 2, 3, 5, 64, 1000, document.count] {
            let outcome = ReadingOutcome.decoding(Splitting.size(size, of: document).pieces)
            #expect(outcome.entryRanges == entries.map(\.range), "chunks of \(size)")
        }
    }

    @Test(arguments: 0...6)
    func `a byte order mark is skipped, even if it is split between chunks`(place: Int) throws {
        let document = Array("\u{FEFF}{\"log\":{\"entries\":[{\"n\":1}]}}".utf8)
        let outcome = ReadingOutcome.decoding(Splitting.at(place, of: document).pieces)
        #expect(outcome.code == nil)
        #expect(outcome.entryRanges == [22..<29])
    }

    @Test(arguments: [[0xEF], [0xEF, 0xBB], [0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0x7B]] as [[UInt8]], [1, 2, 9])
    func `a byte order mark alone, or a part of one, is rejected`(document: [UInt8], size: Int) throws {
        #expect(ReadingOutcome.decoding(Splitting.size(size, of: document).pieces).code != nil)
    }

    @Test func `an error is the same for chunks of every size`() throws {
        let document = Array("{\"log\":{\n\"entries\":[\n{\"n\":1},\n{\"n\":2},\n{\"n\":tru}]}}".utf8)
        let whole = ReadingOutcome.decoding(document)
        #expect(whole.code == .malformedJSON)
        #expect(whole.entries.count == 2)
        for splitting in Splitting.sizes(upTo: document.count, of: document) {
            let outcome = ReadingOutcome.decoding(splitting.pieces)
            #expect(outcome.events == whole.events, "\(splitting)")
            #expect(outcome.code == whole.code, "\(splitting)")
            #expect(outcome.context?.line == whole.context?.line, "\(splitting)")
        }
    }
}
