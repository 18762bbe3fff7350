@testable import ArchiveRepair
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPArchive

/// The time and the results of repairs of text that begins many values and ends none.
@Suite(.limited) struct HostileTextTests {
    private typealias Text = RepairedArchiveText

    private static let list = "{\"log\":{\"entries\":["
    private static let entry = list + Text.entry(1) + ","
    private static let broken = entry + "{\"a\" 1"

    /// The start of a file, and the text that is repeated after it.
    private static let repetitions: [(start: String, repeated: String)] = [
        ("", list + "{"), ("", list + "{\"request\":{\"a\":["), ("", "{\"a\":'"), (list, "{\"a\":'"),
        ("", "{\"request\":/*"), (list, "{\"request\":/*"), (entry, "{\"request\"://"), (entry, "{\"request\":#"),
        (entry, "{\"request\":<!--"), ("", "/*{"), (list, "/*{\"a\":\""), (broken + "/*", "{\"startedDateTime\":"),
        (entry, "{\"request\":{},\"response\":{},\"x\":[\"" + String(repeating: "y", count: 900) + "\","),
        (entry, "{\"request\":{},\"response\":{},\"x\":[{\"log\":{\"version\":\"\",\"entries\":["),
        ("", "{\"x\":[{\"y\":{\"log\":{\"version\":\"1\"}}},"), ("", "{\"x\":{\"log\":{\"version\":1]"),
        ("", "{\"a\":["), ("", "[[{"), (entry, "]"), (broken, "]"), (broken, "],\"x\":[]"), (broken, "],\"pages\":[]"),
        (broken, "]}}x"), ("{\"log\":{\"pages\":[", "{\"log\":"), ("{\"log\":{", "\"entries\":[{\"request\":{},"),
        ("{\"log\":{", "\"pages\":[{\"request\" ,"), ("{\"log\":{", "\"pages\":\""), ("{\"log\":{", "\"a"),
        (entry + "{\"a\":\"", "\\\""), (entry + "{\"a\":\"", "\\'{\""), (entry + "{\"a\":\"", "{a:"), (entry, "{a:"),
        (entry, "{\"startedDateTime\":{"), (entry, "{\"startedDateTime\":\"a\" 1,"),
        (broken, "{\"startedDateTime\":[1],"),
        (entry, "{\"startedDateTime\" 1},"), ("x", "{\"a\":1,"), ("x{", "\"a\":1,"), ("", "("), ("", "\""),
        (list, "'\""),
        ("", "{\"log\":{}},\"a\":[["), ("", "{\"log\":{}\"a\":[{\"log\":{\"version\":\""),
        (entry, "{\"a\":1}]\"b\":1,"),
        (entry, "{\"a\":'/*{\"log\":{\"entries\":[{\"request\":{\""),
    ]

    @Test(arguments: repetitions.indices)
    func `the number of scanned bytes is proportional to the length of repetitions`(index: Int) throws {
        let (start, repeated) = Self.repetitions[index]
        let folder = try TemporaryFolder()
        let text = start + String(repeating: repeated, count: Cases.count(10_000, orAll: 60_000) / repeated.utf8.count)
        let file = try folder.file("a.har", holding: text)
        // Unlike time, the numbers of bytes do not depend on the machine.
        let size = text.utf8.count
        let total = Mutex(0)
        _ = try? HARRepair(of: file, brokenEntries: .dropped, progress: { count in total.withLock { $0 = count } })
        #expect(total.withLock { $0 } < 20 * size)
        try Data(text.utf8).write(to: file)
        guard let scan = try? ArchiveScan(of: InputFile(url: file), size: size, limits: JSONScanner.Limits()) else {
            return
        }
        #expect(scan.reader.scannedByteCount < 10 * size)
    }

    @Test(arguments: Cases.some(15, of: stride(from: 10, to: 3 * Text.entry(1).utf8.count, by: 13).map(\.self)))
    func `a damaged archive can be truncated anywhere`(count: Int) throws {
        let text = Text.whole.replacing("\"", with: "'").replacing("'wait':1", with: "wait:+1,/*x*/")
        let end = text.utf8.count - count
        let result = try Text(String(decoding: text.utf8.prefix(end), as: UTF8.self).utf8, brokenEntries: .dropped)
        let whole = text.utf8.prefix(end).split(separator: UInt8(ascii: "\n")).count {
            $0.suffix(3).elementsEqual("}},".utf8)
        }
        #expect(result.log.entries.count >= whole)
    }

    @Test func `an entry that contains an archive is unchanged`() throws {
        let entry = Text.entry(2).replacing("{\"started", with: "{\"_x\":[\(Text.whole)],\"started", maxReplacements: 1)
        let text = Text.archive([Text.entry(1).replacing("\"status\":200", with: "\"status\":+200"), entry])
        let result = try Text(text)
        #expect(result.log.entries.count == 2)
        #expect(result.text.contains(entry))
    }

    @Test func `JavaScript in a broken body is not an archive`() throws {
        let script = "\"a \"b\" {log:{version:1,entries:[]}} {request:{},response:{}}\""
        let result = try Text(Text.changing("\"hi\"", script).utf8, brokenEntries: .dropped)
        #expect(result.log.entries.map(\.request.url) == ["http://a.test/1?x=1", "http://a.test/3?x=1"])
        #expect(result.kinds == ["broken-text"])
    }
}
