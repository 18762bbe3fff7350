@testable import ArchiveChecking
@testable import ArchiveRepair
import Foundation
import TestSupport
import Testing

@testable import HTTPArchive

/// Repairing archives with broken entries.
@Suite(.limited) struct HARRepairTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns the text of an entry with a nested object that starts like an entry.
    private static func entry(_ number: Int) -> String {
        #"""
        {"startedDateTime": "2026-01-0\#(number)T00:00:00Z", "x": [{"a":1}, {"startedDateTime":2}], "time": 1,
         "request": {"method":"GET", "url":"http://a.test/\#(number)", "httpVersion":"HTTP/1.1", "cookies":[],
          "headers":[], "queryString":[], "headersSize":-1, "bodySize":-1},
         "cache": {}, "timings": {"send":0, "wait":1, "receive":0},
         "response": {"status":200, "httpVersion":"HTTP/1.1", "cookies":[], "headers":[], "redirectURL":"",
          "headersSize":-1, "bodySize":-1, "content":{"size":0, "mimeType":""}, "statusText":"},{\"startedDateTime\":1"}}
        """#
    }

    private static let entries = (1...4).map(entry)

    /// Returns an archive with fields before and after the entries.
    private static func archive(
        _ entries: [String], end: String = "],\n\"pages\":[\(page)]},\"_z\":[]}\n"
    ) -> String {
        #"{"log":{"version":"1.2","creator":{"name":"","version":""},"entries":["# + entries.joined(separator: ",\n")
            + end
    }

    private static let page = #"{"id":"p","title":"","startedDateTime":"2026-01-01T00:00:00Z","pageTimings":{}}"#

    /// Changes that break an entry, each in a different way.
    private static let changes: [(of: String, by: String)] = [
        ("\"method\":", "\"method\""),
        ("\"method\":\"GET\"", "method\":\"GET\""), ("\"method\":\"GET\"", "\"method:\"GET\""),
        ("\"method\":\"GET\"", "\"method\":\"GET"), ("[{\"a\"", "{\"a\""), ("{\"a\":1}", "{\"a\":1"),
        ("2}],", "2},"), ("{\"method\"", "[\"method\""), ("\"x\": [", "\"x\": f(), \"y\": ["),
        (":1\"}}", ":1}}"),
        ("{\"startedDateTime\": ", "\"startedDateTime\": "), ("{\"startedDateTime\": ", "{startedDateTime\": "),
        ("{\"startedDateTime\": ", "{\"startedDateTime: "), ("GET", "G\"ET"), ("{\"a\":1}", "{\"a\":1}}"),
        ("{\"a\":1}", "{\"a\":1}]}"), ("2}],", "2}]},"),
        ("{\"a\":1}", "a\":1}"), ("\"bodySize\":-1},", "\"bodySize\":-1}},"),
    ]

    /// The indices of changes after which the text is valid up to the end of the entry.
    private static let closingChanges = [15]

    @Test(arguments: Cases.some(2, of: 0..<4), changes.indices)
    func `a broken entry is dropped or moved to a file, and all others are kept`(index: Int, change: Int) throws {
        var entries = Self.entries
        let (old, new) = Self.changes[change]
        entries[index] = entries[index].replacing(old, with: new)
        #expect(entries[index] != Self.entries[index])
        let text = Self.archive(entries)
        let expected = Self.entries.enumerated().filter { $0.offset != index }.map(\.element)

        let file = try folder.file("a.har", holding: text)
        let reading = ReadingOutcome.decoding(text.utf8)
        let error = #expect(throws: HARError.self) { try HARRepair(of: file) }
        #expect(error?.code == .malformedJSON)
        #expect(error?.message.contains("--broken") == true)
        // If the damaged text closes the list of entries, the strict parser finds an error only after this entry.
        if !Self.closingChanges.contains(change) {
            #expect(error?.context.line == reading.context?.line)
            #expect(error?.context.column == reading.context?.column)
        }
        let start = text.utf8.count - text.utf8.drop { $0 != UInt8(ascii: "[") }.count
        #expect((error?.context.byteOffset ?? 0) > start)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)

        let second = folder.file("second.txt")
        let repair = try HARRepair(of: file, brokenEntries: .setAside(second))
        #expect(repair.entryCount == 3)
        #expect(repair.brokenEntryCount == 1)
        try expectWhole(file, expected)
        #expect(try String(contentsOf: second, encoding: .utf8) == entries[index] + "\n")
        #expect(try FileManager.default.attributesOfItem(atPath: second.path)[.posixPermissions] as? Int == 0o600)

        try Data(text.utf8).write(to: file)
        _ = try HARRepair(of: file, brokenEntries: .dropped)
        try expectWhole(file, expected)
        #expect(try HARRepair(of: file).brokenEntryCount == nil)
    }

    private func expectWhole(_ file: URL, _ entries: [String]) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        let log = try HAR.Log(contentsOf: file)
        #expect(log.entries.count == entries.count, "\(text)")
        for entry in entries { #expect(text.contains(entry)) }
        #expect(log.version == "1.2")
        #expect(log.pages?.map(\.id) == ["p"])
        #expect(log.documentFields["_z"] == [])
    }

    @Test func `several broken entries and a missing end are repaired together`() throws {
        var entries = Self.entries
        entries[0] = entries[0].replacing("\"GET\"", with: "G ET")
        entries[2] = entries[2].replacing("2}],", with: "2 2}],")
        entries[3] = String(entries[3].prefix(60))
        let file = try folder.file("a.har", holding: Self.archive(entries, end: ""))
        #expect(throws: HARError.self) { try HARRepair(of: file) }
        let repair = try HARRepair(of: file, brokenEntries: .setAside(folder.file("b.txt")))
        #expect(repair.entryCount == 1)
        #expect(repair.brokenEntryCount == 2)
        #expect(repair.removedByteCount == 60)
        #expect(try HAR.Log(contentsOf: file).entries.map(\.startedDateTime) == ["2026-01-02T00:00:00Z"])
        let aside = [entries[0], entries[2], entries[3]].map { $0 + "\n" }.joined()
        #expect(try String(contentsOf: folder.file("b.txt"), encoding: .utf8) == aside)
    }

    @Test func `every kind of destination has the same result for a truncated archive`() throws {
        let text = Array(Self.archive([Self.entries[0]], end: "],\n\"pages\":[\(Self.page)] } , \"_z\" : [] }\n").utf8)
        let file = folder.file("a.har")
        for size in Cases.some(150, of: 9..<text.count) {
            try Data(text.prefix(size)).write(to: file)
            let plan = try HARRepair(of: file, to: .none)
            let copy = try HARRepair(of: file, to: .output(OutputFile(url: folder.file("b.har"))))
            let repair = try HARRepair(of: file)
            for other in [plan, copy] {
                #expect(other.removedByteCount ?? 0 == repair.removedByteCount ?? 0, "\(size)")
                #expect(other.entryCount == repair.entryCount, "\(size)")
            }
        }
    }

    @Test(
        arguments: [
            "", #""version":"1.2""#, #""version":"1.2","creator":{"name":"","version":""}"#, #""pages":[1,{"id":"a"}]"#,
            #""x":{"a":1}"#, #""x":[1],"entries":{"a":1}"#, #""entries":null"#,
        ], ["", "}", ",", ",\"x"])
    func `a truncated archive without entries becomes an archive`(fields: String, end: String) throws {
        let file = try folder.file("a.har", holding: #"{"log":{"# + fields + end)
        let repair = try HARRepair(of: file, brokenEntries: .dropped)
        #expect(repair.entryCount == 0)
        #expect(try HARArchive(contentsOf: file).count == 0)
        #expect(try HARRepair(of: file).brokenEntryCount == nil)
    }

    @Test(arguments: ["Entries", "en|ries", "entry", "x"], ["", ",{\"request\":", "]", "],\"y\":[1"])
    func `a truncated archive keeps entries with a misspelled name`(name: String, end: String) throws {
        let file = try folder.file("a.har", holding: "{\"log\":{\"\(name)\":[\(Self.entries[0])" + end)
        let plan = try HARRepair(of: file, to: .none, brokenEntries: .dropped)
        let repair = try HARRepair(of: file, brokenEntries: .dropped)
        #expect(repair.entryCount == plan.entryCount)
        #expect(try HARArchive(contentsOf: file).count == repair.entryCount)
        if name.hasPrefix("E") { #expect(repair.entryCount == 1) }
    }

    @Test(arguments: [",\n,", "\n", ",]\n,"])
    func `repairing errors between entries removes no entries`(separator: String) throws {
        let text = Self.archive([Self.entries[0] + separator + Self.entries[1], Self.entries[2]])
        let file = try folder.file("a.har", holding: text)
        let repair = try HARRepair(of: file, brokenEntries: .dropped)
        #expect(repair.entryCount == 3)
        try expectWhole(file, Array(Self.entries.prefix(3)))
    }

    @Test(arguments: [",", ", ", "\n"])
    func `repairing thousands of trailing separators removes no entries`(separator: String) throws {
        let whole = Self.archive([Self.entries[0]])
        let end = try #require(whole.range(of: "]", options: .backwards)).lowerBound
        let text = whole[..<end] + String(repeating: separator, count: 3000)
        let file = try folder.file("a.har", holding: String(text))
        #expect(try HARRepair(of: file, brokenEntries: .dropped).entryCount == 1)
        #expect(try HARArchive(contentsOf: file).count == 1)
    }

    @Test func `a large archive with one broken entry keeps all others`() throws {
        var entries = (0..<Cases.count(300, orAll: 2000)).map { _ in Self.entry(1) }
        entries[234] = entries[234].replacing("GET\"", with: "GET")
        let file = try folder.file("a.har", holding: Self.archive(entries))
        let repair = try HARRepair(of: file, brokenEntries: .dropped)
        #expect(repair.entryCount == entries.count - 1)
        #expect(repair.brokenEntryCount == 1)
    }

    @Test(arguments: ["f()", "{\"a\" 1}", "\"1.2\"\"", "\"1\", x"])
    func `a broken field before the entries is removed like a broken entry`(version: String) throws {
        let text = Self.archive(Self.entries).replacing("\"1.2\"", with: version)
        let file = try folder.file("a.har", holding: text)
        let error = #expect(throws: HARError.self) { try HARRepair(of: file) }
        #expect(error?.code == .malformedJSON)
        #expect(error?.message.contains("--broken") == true)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        #expect(try HARRepair(of: file, brokenEntries: .dropped).brokenEntryCount == 1)
        #expect(try HAR.Log(contentsOf: file).entries.count == 4)
        #expect(try errors(in: file) == [])
    }

    private func errors(in file: URL) throws -> [HARFinding] {
        var errors: [HARFinding] = []
        try HARChecker.check(contentsOf: file) { if $0.severity == .error { errors.append($0) } }
        return errors
    }

    @Test(arguments: ["hello", "{}", "[1,2]", "{\"a\":{\"b\":[]}}", ""])
    func `a file without an archive cannot be repaired and is unchanged`(text: String) throws {
        let file = try folder.file("a.har", holding: text)
        let error = #expect(throws: HARError.self) { try HARRepair(of: file, brokenEntries: .dropped) }
        #expect(error?.code == .malformedJSON || error?.code == .notAnArchive)
        #expect(error?.message.contains("cannot be repaired") == true)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `repair changes nothing if the file for broken entries already exists`() throws {
        let text = "{\"log\":{\"entries\":[{\"n\":1 2}]}}"
        let file = try folder.file("a.har", holding: text)
        let second = try folder.file("b.txt", holding: "before")
        for destination in [HARRepair.Destination.sameFile, .none] {
            let error = #expect(throws: HARError.self) {
                try HARRepair(of: file, to: destination, brokenEntries: .setAside(second))
            }
            #expect(error?.code == .unwritableFile)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        #expect(try String(contentsOf: second, encoding: .utf8) == "before")
    }

    @Test func `a valid archive is unchanged`() throws {
        let text = Self.archive(Self.entries)
        let file = try folder.file("a.har", holding: text)
        for treatment in [HARRepair.BrokenEntries.refused, .dropped, .setAside(folder.file("b.txt"))] {
            let repair = try HARRepair(of: file, brokenEntries: treatment)
            #expect(repair.entryCount == 4 && repair.removedByteCount == nil && repair.brokenEntryCount == nil)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        #expect(try folder.names == ["a.har"])
    }
}
