@testable import ArchiveRepair
import Foundation
import TestSupport
import Testing

@testable import HTTPArchive

/// Repairing the text between two entries.
@Suite(.limited) struct RepairedBoundaryTests {
    private typealias Text = RepairedArchiveText

    private static let entries = (1...3).map(Text.entry)

    @Test(arguments: [-2, -1, 1, 2, 5], Cases.some(2, of: 0..<3))
    func `missing and extra braces after an entry are repaired`(change: Int, index: Int) throws {
        var entries = Self.entries
        entries[index] =
            change < 0
            ? String(entries[index].dropLast(-change)) : entries[index] + String(repeating: "}", count: change)
        let result = try Text(Text.archive(entries))
        #expect(result.repair.brokenEntryCount == 0)
        #expect(Set(result.kinds) == [change < 0 ? "missing-bracket" : "extra-bracket"])
        for entry in Self.entries { #expect(result.text.contains(entry)) }
    }

    @Test(arguments: ["]", "]}", "}]}", "]}}"])
    func `other extra brackets between entries are removed`(brackets: String) throws {
        let text = Text.archive([Self.entries[0] + brackets, Self.entries[1], Self.entries[2]])
        let result = try Text(text)
        #expect(result.log.entries.count == 3 && result.log.creator?.name == "t")
        for entry in Self.entries { #expect(result.text.contains(entry)) }
    }

    @Test(arguments: [
        "[WARN] something happened\n", "Downloading... 50%\r", "...,", "... ,\n", "DEBUG \"x\" failed: y\n",
        "2026-01-01 10:00:00 INFO ", "<<<<<<< HEAD\n", "=======\n", ">>>>>>> feature/b\n",
        "Traceback (most recent call):\n",
    ])
    func `lines of other text between entries are removed`(line: String) throws {
        var texts = [Text.archive(Self.entries).replacing("},\n{", with: "},\n\(line){")]
        if line.hasSuffix("\n") { texts.append(Text.archive(Self.entries).replacing("},\n{", with: "}\n\(line),{")) }
        for text in texts {
            let result = try Text(text)
            #expect(result.repair.brokenEntryCount == 0)
            for entry in Self.entries { #expect(result.text.contains(entry)) }
        }
    }

    @Test(arguments: ["\"x\":1,\n", "lue\":\"x\"},\n", "text,\n", "\"a\" \n"])
    func `a fragment of JSON between entries is broken text`(fragment: String) throws {
        let text = Text.archive(Self.entries).replacing("},\n{", with: "},\n\(fragment){", maxReplacements: 1)
        let result = try Text(text.utf8, brokenEntries: .dropped)
        #expect(result.repair.brokenEntryCount == 1)
        for entry in Self.entries { #expect(result.text.contains(entry)) }
    }

    @Test func `text before an entry whose opening brace is missing does not affect the entry before it`() throws {
        let lines = Text.entry(2).replacing(",", with: ",\n").split(separator: "\n")
        for count in 1...8 {
            let damaged = "\"" + lines.dropFirst(count).joined(separator: "\n").dropFirst()
            let result = try Text(
                Text.archive([Text.entry(1), damaged, Text.entry(3)]).utf8, brokenEntries: .dropped)
            #expect(result.text.contains(Text.entry(1)) && result.text.contains(Text.entry(3)))
        }
    }

    @Test(arguments: [
        String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
        String(repeating: "1", count: 1_100_000),
        String(repeating: "1", count: 3_000_000),
    ])
    func `an entry that exceeds a limit is broken, and the others are kept`(value: String) throws {
        let entry = Text.entry(2).replacing("\"cache\":{}", with: "\"cache\":{},\"_x\":\(value)")
        let text = Text.archive([
            Text.entry(1), entry, Text.entry(3).replacing("\"status\":200", with: "\"status\":'200'"),
        ])
        let result = try Text(text.utf8, brokenEntries: .dropped)
        #expect(result.log.entries.map(\.request.url) == ["http://a.test/1?x=1", "http://a.test/3?x=1"])
        #expect(result.repair.brokenEntryCount == 1)
    }

    @Test func `entries in the headers of a damaged entry are entries of the log`() throws {
        let entry = Text.entry(1).replacing(
            "}],\"headersSize\":-1,\"bodySize\":-1},\"response\"", with: ",\"response\"")
        let text = Text.archive([entry, Text.entry(2), Text.entry(3)])
        #expect { try Text(text) } throws: { ($0 as? HARError)?.message.contains("closing bracket") == true }
        let result = try Text(text.utf8, brokenEntries: .dropped)
        #expect(result.log.entries.map(\.request.url) == ["http://a.test/2?x=1", "http://a.test/3?x=1"])
    }

    @Test func `entries in an unclosed custom array are entries of the log`() throws {
        let start = Text.entry(1).dropLast(1) + ",\"_frames\":[{\"a\":1}"
        let result = try Text(
            Text.archive([String(start), Text.entry(2), Text.entry(3)]).utf8, brokenEntries: .dropped)
        #expect(result.log.entries.map(\.request.url).suffix(2) == ["http://a.test/2?x=1", "http://a.test/3?x=1"])
    }
}
