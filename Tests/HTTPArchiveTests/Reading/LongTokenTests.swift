import Foundation
import Testing

@testable import HTTPArchive

/// Large bodies that arrive in small chunks.
@Suite(.limited) struct LongTokenTests {
    private static let bodies = [
        String(repeating: "x", count: 150_000), String(repeating: #"\""#, count: 80_000),
        String(repeating: #"\\"#, count: 80_000), String(repeating: "é\\n", count: 40_000) + #"\\\\"#,
    ]

    @Test(arguments: bodies)
    func `decoding a large body in chunks of any size gives the same result`(body: String) throws {
        let text = #"{"log":{"comment":"\#(body)","entries":[{"text":"\#(body)","a":[1,"\#(body)"]},{"n":2}],"x":"y"}}"#
        let document = Array(text.utf8)
        let whole = ReadingOutcome.decoding(document)
        #expect(whole.code == nil)
        #expect(try whole.entryRanges == ReferenceJSON(parsing: document).entries.map(\.range))
        for size in [999, 1460, 65_536] {
            #expect(ReadingOutcome.decoding(Splitting.size(size, of: document).pieces) == whole, "chunks of \(size)")
        }
    }

    @Test(arguments: [("x", "\""), (#"\\"#, "\""), (#"\""#, "\"")])
    func `an entry is returned as soon as its large body ends`(unit: String, quote: String) throws {
        let decoder = HARDecoder(limits: .init(), file: nil)
        let start = #"{"log":{"entries":[{"text":""#
        for piece in [start] + [String](repeating: String(repeating: unit, count: 1000), count: 150) {
            Array(piece.utf8).withUnsafeBytes { decoder.feed($0) }
        }
        #expect(try decoder.next() == .beginLog)
        #expect(try decoder.next() == .beginEntries)
        #expect(try decoder.next() == nil)
        Array((quote + "}").utf8).withUnsafeBytes { decoder.feed($0) }
        guard case .entry(let entry)? = try decoder.next() else {
            Issue.record("no entry")
            return
        }
        #expect(entry["text"]?.text?.isEmpty == false)
    }

    @Test func `the error for a truncated large body is located at its start`() throws {
        let document = Array((#"{"log":{"entries":[{"n":1},{"text":""# + String(repeating: "x", count: 200_123)).utf8)
        let outcome = ReadingOutcome.decoding(Splitting.size(1460, of: document).pieces)
        #expect(outcome.code == .malformedJSON)
        #expect(outcome.context?.byteOffset == 35)
        #expect(outcome.entries.count == 1)
    }
}
