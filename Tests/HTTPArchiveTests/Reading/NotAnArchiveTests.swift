import Foundation
import Testing

@testable import HTTPArchive

/// An input that is not an archive.
struct ForeignInput: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        testDescription = name
        self.bytes = bytes
    }

    init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

    static let all = [
        ForeignInput("empty", ""),
        ForeignInput("whitespace", " \n\t\r\n "),
        ForeignInput("byte order mark alone", "\u{FEFF}"),
        ForeignInput("JSONP", #"onInputData({"log":{"entries":[]}});"#),
        ForeignInput("JSONP with dots", "\n window.har_1 ( {\"log\":{\"entries\":[]}})"),
        ForeignInput("HTML", "<!DOCTYPE html><html><body>secret</body></html>"),
        ForeignInput("XML with a byte order mark", "\u{FEFF}<?xml version=\"1.0\"?><log/>"),
        ForeignInput("gzip, first bytes", [0x1F, 0x8B]),
        ForeignInput("zip", [0x50, 0x4B, 3, 4, 20, 0, 0, 0]),
        ForeignInput("Zstandard", [0x28, 0xB5, 0x2F, 0xFD, 4, 0]),
        ForeignInput("bzip2", "BZh91AY"),
        ForeignInput("PDF", "%PDF-1.7\n"),
        ForeignInput("UTF-16 with a byte order mark", [0xFF, 0xFE] + utf16(#"{"log":{}}"#)),
        ForeignInput("UTF-16", utf16(#"{"log":{}}"#)),
        ForeignInput("UTF-16, big-endian", [0xFE, 0xFF, 0, 0x7B, 0, 0x7D]),
        ForeignInput("UTF-32, big-endian", [0, 0, 0, 0x7B, 0, 0, 0, 0x7D]),
        ForeignInput("an array", #"[{"log":{"entries":[]}}]"#),
        ForeignInput("a truncated array", #"[{"secret":"#),
        ForeignInput("a string", #""secret""#),
        ForeignInput("a number", "17"),
        ForeignInput("a literal", "null"),
        ForeignInput("an empty object", "{}"),
        ForeignInput("an object without a log", #"{"entries":[],"version":"1.2"}"#),
        ForeignInput("an object with many members but without a log", #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}"#),
        ForeignInput("a log that is not an object", #"{"log":[{"entries":[]}]}"#),
        ForeignInput("a log that is null, after many members", #"{"a":1,"b":2,"c":3,"d":4,"e":5,"log":null}"#),
        ForeignInput("a log at a deeper level", #"{"archive":{"log":{"entries":[]}}}"#),
    ]

    private static func utf16(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }
}

@Suite(.limited) struct NotAnArchiveTests {
    @Test(arguments: ForeignInput.all)
    func `input that is not an archive is reported, regardless of the chunk size`(input: ForeignInput) throws {
        let whole = ReadingOutcome.decoding(input.bytes)
        #expect(whole.code == .notAnArchive)
        #expect(whole.entries.isEmpty)
        for size in 1...max(1, input.bytes.count) {
            #expect(ReadingOutcome.decoding(Splitting.size(size, of: input.bytes).pieces) == whole, "chunks of \(size)")
        }
        // Other tests in the same process may have enabled formats that a reader decompresses.
        let read = ReadingOutcome.reading(input.bytes)
        #expect(read == whole || read.code == .unreadableFile)
    }

    @Test(arguments: ForeignInput.all)
    func `the error message contains no values from the input`(input: ForeignInput) throws {
        let error = #expect(throws: HARError.self) { _ = try HAR.Log(data: Data(input.bytes)) }
        let message = try #require(error).message
        #expect(!message.contains("secret"))
        #expect(message.count > 10)
    }

    @Test func `error messages depend on the kind of input`() throws {
        let messages = ForeignInput.all.map { input in
            do throws(HARError) {
                _ = try HAR.Log(data: Data(input.bytes))
                return ""
            } catch {
                return error.message
            }
        }
        #expect(Set(messages).count > 12)
        let byName = Dictionary(uniqueKeysWithValues: zip(ForeignInput.all.map(\.testDescription), messages))
        #expect(
            byName["a log that is null, after many members"]
                == "Expected an object as the value of `log`, found null. Specify a HAR file.",
            "a log is found after any number of members")
    }

    @Test func `an array is rejected at its first byte`() throws {
        let decoder = HARDecoder(limits: .init(), file: nil)
        let start = Array(("[" + String(repeating: "1,", count: 600)).utf8)
        start.withUnsafeBytes { decoder.feed($0) }
        let error = #expect(throws: HARError.self) { _ = try decoder.next() }
        #expect(error?.code == .notAnArchive)
    }

    @Test(arguments: ["{", "{\"a\":1", "{\"log\"", "{\"log\":", "{]", "{\"log\":tru}", "hello", "// comment\n{}"])
    func `input that could be JSON is reported as broken JSON`(text: String) throws {
        #expect(ReadingOutcome.decoding(text.utf8).code == .malformedJSON)
    }

    @Test func `any amount of whitespace before an archive is skipped`() throws {
        let text = String(repeating: " \n", count: 2000) + #"{"log":{"entries":[{}]}}"#
        #expect(ReadingOutcome.decoding(text.utf8).entryRanges == [4019..<4021])
    }

    @Test func `broken input after any amount of whitespace is not reported as empty`() throws {
        let text = String(repeating: " ", count: 2000) + #"{"log":"#
        #expect(ReadingOutcome.decoding(text.utf8).code == .malformedJSON)
    }
}
