import Foundation
import Testing

@testable import HTTPArchive

/// The text of a malformed document, and the offset of its error.
struct BrokenDocument: Sendable, CustomTestStringConvertible {
    let text: String
    let offset: Int
    var testDescription: String { text }

    /// Creates a document in which `|` marks the error.
    init(_ marked: String) {
        let place = marked.utf8.firstIndex(of: UInt8(ascii: "|")) ?? marked.utf8.endIndex
        offset = marked.utf8.distance(from: marked.utf8.startIndex, to: place)
        text = marked.replacing("|", with: "")
    }

    static let all = [
        BrokenDocument("{\"log\":{\"entries\":[{},{},\n|]}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}\n|{}]}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}|}}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}],\n\n  |}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}]}} |{}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}, |'a']}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}, |// comment\n]}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}, |nulx]}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}, |NaN]}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}, 0|1]}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}, 1|.e]}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}, {\"a\":\"line|\nbreak\"}]}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}, {\"a\":\"|\\x\"}]}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}, {\"a\":\"\\|u12g4\"}]}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}, {\"a\" |1}]}}"),
        BrokenDocument("{\"log\":{\"entries\":[{},{}, {|a:1}]}}"),
        BrokenDocument("\u{FEFF}{\"log\":{\r\n\"entries\":[{},{},\r\n|]}}"),
    ]
}

@Suite(.limited) struct BrokenInputTests {
    @Test(arguments: BrokenDocument.all)
    func `an error contains its location, and earlier entries are returned`(document: BrokenDocument) throws {
        let outcome = ReadingOutcome.decoding(document.text.utf8)
        #expect(outcome.code == .malformedJSON)
        #expect(outcome.entries.count == 2)
        let context = try #require(outcome.context)
        let offset = try #require(context.byteOffset)
        #expect(offset == document.offset)
        let before = Array(document.text.utf8.prefix(offset))
        #expect(context.line == 1 + before.count { $0 == 0x0A })
        #expect(context.column == offset - (before.lastIndex(of: 0x0A) ?? -1))
    }

    @Test func `lines are counted across chunks`() throws {
        let text = String(repeating: "\n", count: 300) + "{\"log\":{\n\n\n  x"
        for size in [1, 7, 100, 1000] {
            let outcome = ReadingOutcome.decoding(Splitting.size(size, of: Array(text.utf8)).pieces)
            #expect(outcome.context?.line == 304)
            #expect(outcome.context?.column == 3)
        }
    }

    @Test func `every later call throws the same error`() throws {
        let reader = HARReader(data: Data(#"{"log":{"entries":[{},"#.utf8))
        #expect(try reader.nextEntry() != nil)
        for _ in 0..<3 {
            let error = #expect(throws: HARError.self) { _ = try reader.nextEntry() }
            #expect(error?.code == .malformedJSON)
            #expect(error?.context.byteOffset == 22)
        }
    }

    @Test func `a sequence ends with the error`() throws {
        let reader = HARReader(data: Data(#"{"log":{"entries":[{},{},"#.utf8))
        let results = Array(reader)
        #expect(results.count == 3)
        #expect(throws: Never.self) { try results[1].get() }
        let error = #expect(throws: HARError.self) { try results[2].get() }
        #expect(error?.code == .malformedJSON)
    }

    @Test func `earlier parts of the log are kept after an error`() throws {
        let reader = HARReader(data: Data(#"{"x":1,"log":{"version":"1.2","creator":{"name":"a"},"entries":[{}}"#.utf8))
        #expect(throws: HARError.self) { while try reader.nextEvent() != nil {} }
        #expect(reader.log.creator?.name == "a")
        #expect(reader.log.documentFields["x"] == 1)
    }

    @Test func `error messages and descriptions never contain content of the input`() throws {
        for document in [
            #"{"log":{"entries":[{"cookie":"secret" "secret"}]}}"#, #"{"log":{"entries":[secret]}}"#,
            #"{"log":{"secret":"#, "secret", #"{"log":{"entries":["secret\x"]}}"#,
        ] {
            let error = #expect(throws: HARError.self) { _ = try HAR.Log(data: Data(document.utf8)) }
            #expect(error?.description.contains("secret") == false)
            #expect(error.map { "\($0.context)".contains("secret") } == false)
        }
    }

    @Test func `an error contains the name of the input`() throws {
        let reader = HARReader(data: Data("{".utf8), name: "a.har")
        let error = #expect(throws: HARError.self) { _ = try reader.nextEvent() }
        #expect(error?.context.file == "a.har")
        #expect(error?.description.hasPrefix("a.har:1:2 (byte 1): ") == true)
    }
}
