@testable import ArchiveChecking
import Foundation
import PlantedSecrets
import Testing

@testable import HTTPArchive

@Suite(.limited) struct JSONSyntaxErrorTests {
    private func position(_ context: HARError.Context?) -> [Int?] { [context?.line, context?.column] }

    @Test(arguments: Mistake.all)
    func `the line and column of an error equal Python's`(mistake: Mistake) {
        let error = #expect(throws: HARError.self) { _ = try JSONValue(parsing: mistake.text) }
        #expect(error?.code == .malformedJSON)
        #expect(position(error?.context) == mistake.position)
    }

    @Test(arguments: Mistake.all)
    func `a decoder reports the same position for chunks of every size`(mistake: Mistake) {
        let document = Array(mistake.archive.utf8)
        for splitting in Splitting.sizes(upTo: min(document.count, 70), of: document) {
            let outcome = ReadingOutcome.decoding(splitting.pieces)
            #expect(position(outcome.context) == mistake.positionInEntry, "\(splitting)")
            #expect(outcome.entries.first == HAR.Entry(fields: ["n": 1]))
        }
    }

    @Test(arguments: Mistake.all)
    func `readers, archives and checks report the position in a file`(mistake: Mistake) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: mistake.archive)
        var contexts: [HARError.Context] = []
        contexts += [ReadingOutcome.reading(try HARReader(contentsOf: file)).context].compactMap(\.self)
        contexts += [ReadingOutcome.reading(Data(mistake.archive.utf8)).context].compactMap(\.self)
        var settings = ReadAhead.Settings()
        (settings.threadCount, settings.partSize, settings.minimumFileSize) = (2, 16, 0)
        let ahead = HARReader(file: try InputFile(url: file), configuration: .init(), readAhead: settings)
        contexts += [ReadingOutcome.reading(ahead).context].compactMap(\.self)
        do throws(HARError) {
            let archive = try HARArchive(contentsOf: file)
            if let damage = archive.damage { throw damage }
            _ = try archive.entry(at: 1)
        } catch {
            contexts.append(error.context)
        }
        do throws(HARError) {
            try HARChecker.check(contentsOf: file) { _ in }
        } catch {
            contexts.append(error.context)
        }
        #expect(contexts.count == 5)
        for context in contexts { #expect(position(context) == mistake.positionInEntry) }
    }

    @Test(arguments: ["", "\u{FEFF}"])
    func `a byte order mark does not count as a column`(mark: String) {
        for size in 1...8 {
            let document = Array((mark + "{\"log\":{\"é\":1 2}}").utf8)
            let outcome = ReadingOutcome.decoding(Splitting.size(size, of: document).pieces)
            #expect(position(outcome.context) == [1, 15])
            #expect(outcome.context?.byteOffset == 15 + mark.utf8.count)
        }
    }

    @Test(arguments: [("[NaN]", 2), ("[-Infinity]", 2), ("{\"a\":Infinity}", 6)])
    func `an error in a number that Python accepts is reported at its start`(text: String, column: Int) {
        let error = #expect(throws: HARError.self) { _ = try JSONValue(parsing: text) }
        #expect(position(error?.context) == [1, column])
    }

    @Test(arguments: [
        (#"{"method":"GET" "url":""}"#, #"expected ',' or '}' after the value of "method", found '"'"#),
        (#"{"headers":[] "url":""}"#, #"expected ',' or '}' after the value of "headers", found '"'"#),
        (#"{"request":{"url":1} "x":2}"#, #"expected ',' or '}' after the value of "request", found '"'"#),
        (#"{"method" "GET"}"#, #"expected ':' after "method", found '"'"#),
        (#"{"method":,}"#, #"expected the value of "method", found ','"#),
        (#"{"X-Key" "GET"}"#, "expected ':' after the name, found '\"'"),
        (#"{"a":[1 2]}"#, "expected ',' or ']' after the value, found '2'"),
        (#"{"a":[1,]}"#, "expected a value, found ']'"),
        (#"{"a":1,}"#, "expected a name in double quotation marks, found '}'"),
        ("{\"a\":\u{1}}", "expected a value, found the byte 0x01"),
        ("{“a”:1}", "expected a name in double quotation marks or '}', found '“' (U+201C)"),
        ("{\"a\":\u{A0}1}", "expected a value, found the character U+00A0"),
    ])
    func `a message contains the expected syntax and the location`(entry: String, problem: String) {
        let reader = HARReader(data: Data("{\"log\":{\"entries\":[{},\(entry)]}}".utf8))
        let error = #expect(throws: HARError.self) { while try reader.nextEntry() != nil {} }
        #expect(error?.message == "The JSON is invalid in entry 1: \(problem).")
        #expect(error?.context.pointer == JSONPointer(["log", "entries", "1"]))
    }

    @Test func `an error between entries names the previous entry`() {
        let reader = HARReader(data: Data(#"{"log":{"entries":[{},{} {}]}}"#.utf8))
        let error = #expect(throws: HARError.self) { while try reader.nextEntry() != nil {} }
        #expect(error?.message == "The JSON is invalid after entry 1: expected ',' or ']' after the value, found '{'.")
    }

    @Test func `field names that can appear in messages are those in the specification`() {
        #expect(HAR.fieldNames == Set(HARObjectKind.allCases.flatMap(\.fields).map(\.name)))
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `a position is the same for chunks of every size`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let characters = ["a", "\n", "\r\n", "é", "漢", "😀", "\u{FEFF}", String(repeating: "x", count: 70)]
        for _ in 0..<50 {
            let text = (0..<30).compactMap { _ in characters.randomElement(using: &generator) }.joined()
            let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            let bytes = Array(("[" + text).utf8)
            for size in [1, 2, 3, 7, 64, bytes.count] {
                var position = TextPosition()
                for piece in Splitting.size(size, of: bytes).pieces {
                    piece.withUnsafeBytes { position.advance(over: $0) }
                }
                #expect(position.offset == bytes.count)
                #expect(position.line == lines.count)
                #expect(position.column == (lines.last?.count ?? 0) + (lines.count == 1 ? 2 : 1))
            }
        }
    }
}
