@testable import ArchiveChecking
import Foundation
import Testing

@testable import HTTPArchive

/// Checks that malicious input is read, or rejected with a location, in bounded memory and time.
@Suite(.limited) struct HostileInputTests {
    private static func archive(_ entries: String) -> [UInt8] { Array(#"{"log":{"entries":[\#(entries)]}}"#.utf8) }

    @Test func `invalid UTF-8, lone surrogates and an escaped NUL are preserved, and the checker reports them`()
        throws
    {
        let document =
            Array(#"{"log":{"entries":[{"a":"caf"#.utf8) + [0xE9] + Array(#"","\ud800":"\udc00","\u0000":1}]}}"#.utf8)
        let outcome = ReadingOutcome.decoding(document)
        let entry = try #require(outcome.entries.first)
        #expect(outcome.code == nil)
        #expect(entry["a"]?.text == "caf\u{FFFD}")
        #expect(entry["\0"] == 1)
        #expect(try Copying.copy(document, in: TemporaryFolder()).contains(0xE9))
        var checker = HARChecker()
        let rules = outcome.events.flatMap { checker.check($0) }.map(\.rule)
        #expect(rules.contains(.invalidUTF8))
    }

    @Test(arguments: [
        "\0", "{\"log\0\":{}}", "{\"log\":{}}\0", "{\"log\":{\"entries\":[{}\0]}}", "{\"log\":{\"a\":\"\0\"}}",
    ])
    func `an unescaped NUL is rejected with a location`(text: String) throws {
        for size in [1, 2, 100] {
            let outcome = ReadingOutcome.decoding(Splitting.size(size, of: Array(text.utf8)).pieces)
            let code = try #require(outcome.code)
            #expect([.malformedJSON, .notAnArchive].contains(code))
            #expect(outcome.context?.byteOffset != nil || code == .notAnArchive)
        }
    }

    /// yajl 2.1.0 without the fix of CVE-2017-16516 ends the process here, or reads memory outside of its buffer.
    @Test(arguments: [#"\u0"#, #"\u"#, #"\"#, #"\DC00"#, #"\u00zz"#, #"\uDC0"#, #"\uDC00"#, #"\u\u0"#, ""])
    func `an escaped backslash after a lone surrogate does not begin an escape sequence`(rest: String) throws {
        for surrogate in ["D800", "dbff", "DC00"] {
            let string = #""\u\#(surrogate)\#(rest.replacing(#"\"#, with: #"\\"#))""#
            let document = Self.archive(#"{"a":\#(string),\#(string):1}"#)
            for splitting in Splitting.sizes(upTo: 50, of: document) {
                let entry = try #require(ReadingOutcome.decoding(splitting.pieces).entries.first)
                #expect(entry["a"]?.text == "\u{FFFD}" + rest, "\(splitting)")
                #expect(entry.fields.members.last?.name.text == "\u{FFFD}" + rest, "\(splitting)")
            }
        }
    }

    @Test(arguments: ["", "-", "0.", "1e", "1e-", "1e+"])
    func `numbers with thousands of digits are preserved`(start: String) throws {
        let number = start + String(repeating: "9", count: 100_000)
        let document = Self.archive(#"{"time":\#(number),"request":{"bodySize":\#(number)}}"#)
        let entry = try #require(ReadingOutcome.decoding(document).entries.first)
        #expect(entry["time"]?.number?.text == number)
        #expect(entry.request.bodySize == nil)
        _ = entry.time
    }

    @Test func `the last of duplicate keys is used, and all are preserved`() throws {
        let keys = [String](repeating: #""url":"a""#, count: 10_000).joined(separator: ",")
        let entry = try #require(ReadingOutcome.decoding(Self.archive(#"{\#(keys),"url":"b"}"#)).entries.first)
        #expect(entry["url"] == "b")
        #expect(entry.fields.members.count == 10_001)
    }

    @Test(arguments: ["[", "{\"a\":"])
    func `100,000 open brackets are rejected at the offset where they exceed the limit`(bracket: String) throws {
        for start in ["", #"{"log":{"entries":[{"a":"#, #"{"log":{"a":"#, #"{"log":{"entries":["#] {
            let document = Array((start + String(repeating: bracket, count: 100_000)).utf8)
            let outcome = ReadingOutcome.decoding(document)
            let isArray = start.isEmpty && bracket == "["
            #expect(outcome.code == (isArray ? .notAnArchive : .limitExceeded))
            #expect(isArray || outcome.context?.byteOffset.map { $0 < 4000 } == true)
        }
    }

    @Test func `the findings for one entry are limited to a thousand, to bound the time for checking`() {
        let strings = [String](repeating: #""\ud800""#, count: 5_000).joined(separator: ",")
        var checker = HARChecker()
        let events = ReadingOutcome.decoding(Self.archive(#"{"_a":[\#(strings)]}"#)).events
        #expect(events.flatMap { checker.check($0) }.count == 1000)
    }
}
