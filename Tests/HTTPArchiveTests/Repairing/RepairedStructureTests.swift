@testable import ArchiveRepair
import Foundation
import TestSupport
import Testing

@testable import HTTPArchive

/// Repairing files with several archives, or with entries that are not in a log.
@Suite(.limited) struct RepairedStructureTests {
    private typealias Text = RepairedArchiveText

    private static let entries = (1...3).map(Text.entry)

    private static let joined = entries.joined(separator: ",")

    private static let withoutLog = [
        "[\(joined)]", entries.joined(separator: "\n"), "\(entries.joined(separator: ",\n")),", "{\"log\":[\(joined)]}",
        "{\"entries\":[\(joined)]}", "{\"version\":\"1.2\",\"pages\":[],\"entries\":[\(joined)]}",
        "{\"log\":{\"Entries\":[\(joined)]}}",
        "{\"log\":{\"entries\":{\"a\":\(entries.joined(separator: ",\"b\":"))}}}", "callback([\(joined)]);",
        "{\"log\":{\"entries\":\(joined)]}}", "{\"log\":{\"log\":{\"entries\":[\(joined)]}}}",
    ]

    @Test(arguments: withoutLog)
    func `entries without a log get a log`(text: String) throws {
        let result = try Text(text)
        #expect(result.log.entries.count == 3)
        #expect(result.log.version == "1.2")
        for entry in Self.entries { #expect(result.text.contains(entry)) }
    }

    @Test(arguments: ["7", "\"x\"", "[]", "true"])
    func `an element of entries that is not an object is broken text`(element: String) throws {
        for text in [
            Text.archive([element, Text.entry(1)]), Text.archive([Text.entry(1), element]),
            Text.archive([Text.entry(1), element, Text.entry(2)]), Text.archive([element]),
        ] {
            let folder = try TemporaryFolder()
            let file = folder.file("a.har")
            try Data(text.utf8).write(to: file)
            #expect { try HARRepair(of: file) } throws: { ($0 as? HARError)?.code == .malformedJSON }
            let result = try Text(text.utf8, brokenEntries: .dropped)
            #expect(result.repair.brokenEntryCount == 1)
        }
    }

    @Test(arguments: [
        #"{"startedDateTime":"2026-01-01T00:00:00Z","pages":[],"entries":[]}"#,
        #"{"startedDateTime":"2026-01-01T00:00:00Z","pages":[{}],"entries":[{"a":1}]}"#,
        #"[{"startedDateTime":"x","pages":[],"entries":[]}]"#,
        #"{"log":{"entries":[{"startedDateTime":"x","pages":[{}],"entries":[{"a":1}]}]}}"#,
        #"{"request":{},"pages":[],"entries":[]}"#, #"{"startedDateTime":1,"log":{"entries":[]}}"#,
    ])
    func `a log with a field of an entry is repaired`(text: String) throws { _ = try Text(text) }

    @Test(arguments: ["null", "undefined", "None"])
    func `null in entries is removed`(element: String) throws {
        for elements in [[element, Self.joined], [Self.joined, element], [element, element, Self.joined, element]] {
            let result = try Text(Text.archive(elements))
            #expect(result.log.entries.count == 3)
            #expect(result.kinds.contains("null-field") && result.repair.brokenEntryCount == 0)
        }
        #expect(try Text(Text.archive([element])).log.entries.isEmpty)
    }

    @Test(arguments: [
        ("\"entries\":{\"a\":\(Text.entry(1)),\"b\":\(Text.entry(2))}", "Converted `entries` from an object"),
        ("\"entires\":[\(Text.entry(1)),\(Text.entry(2))]", "Corrected the name of `entries`."),
    ])
    func `a change of the list of entries names the field`(entries: String, message: String) throws {
        let result = try Text("{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"\",\"version\":\"\"},\(entries)}}")
        #expect(result.log.entries.count == 2)
        #expect(result.notes.map(\.pointer.description) == ["/log/entries"])
        #expect(result.notes.first?.message.hasPrefix(message) == true)
    }

    @Test(arguments: [": ", " :\n"])
    func `a field after the log is kept regardless of the whitespace around it`(colon: String) throws {
        let result = try Text("\(Text.whole.dropLast()) , \"_z\"\(colon){\"a\" : 1,} }")
        #expect(result.log.documentFields["_z"] == ["a": 1])
        #expect(result.kinds == ["extra-comma"])
    }

    @Test func `repeated lists of entries are joined`() throws {
        let text = Text.archive([Self.entries[0]]).dropLast(2) + ",\"entries\":[\(Self.entries[1])]}}"
        let result = try Text(String(text))
        #expect(result.log.entries.map(\.request.url) == ["http://a.test/1?x=1", "http://a.test/2?x=1"])
        #expect(!result.kinds.isEmpty)
    }

    @Test func `entries that are a scalar are kept in a custom field`() throws {
        let result = try Text("{\"log\":{\"entries\":\"x\"}}")
        #expect(result.log["_originalEntries"]?.text == "x")
        #expect(result.kinds.contains("wrong-type"))
    }

    @Test func `a byte order mark is removed`() throws {
        let result = try Text("\u{FEFF}" + Text.whole)
        #expect(result.text.hasPrefix("{") && result.kinds == ["text-encoding"])
        #expect(result.log.entries.count == 3)
    }

    @Test(arguments: ["\u{B}", "\u{C}"])
    func `whitespace that JSON does not allow is removed everywhere`(space: String) throws {
        for text in [
            space + Text.whole, Text.whole + space, Text.whole.replacing("},\n{", with: "},\(space){"),
            Text.whole.replacing("{\"log\"", with: "{\(space)\"log\""),
        ] {
            let result = try Text(text)
            #expect(!result.text.contains(space) && !result.kinds.isEmpty)
            for entry in Self.entries { #expect(result.text.contains(entry)) }
        }
    }

    @Test func `a single entry becomes an archive`() throws {
        #expect(try Text(Text.entry(1)).text.contains(Text.entry(1)))
    }

    @Test(arguments: ["", "\n", ",\n", " // next\n"])
    func `archives in one file are merged`(separator: String) throws {
        let result = try Text(Text.whole + separator + Text.archive([Text.entry(4)]) + separator)
        #expect(result.log.entries.map(\.request.url) == (1...4).map { "http://a.test/\($0)?x=1" })
        #expect(result.kinds.contains("merged-archive"))
    }

    @Test(arguments: Cases.some(25, of: 1...Text.entry(3).utf8.count))
    func `a truncated archive before another archive loses only its last entry`(count: Int) throws {
        let text = Text.whole.dropLast(3 + count) + Text.archive([Text.entry(4), Text.entry(5)])
        let result = try Text(String(text))
        #expect(result.log.entries.map(\.request.url).suffix(2) == ["http://a.test/4?x=1", "http://a.test/5?x=1"])
        #expect(result.log.entries.count == 4)
        #expect(count == Text.entry(3).utf8.count || result.repair.removedByteCount ?? 0 > 0)
    }

    @Test func `pages with equal identifiers are kept apart`() throws {
        func archive(_ title: String, _ number: Int) -> String {
            let page = #"{"startedDateTime":"2026-01-01T00:00:00Z","id":"p","title":"\#(title)","pageTimings":{}}"#
            let entry = Text.entry(number).replacing(
                "{\"started", with: "{\"pageref\":\"p\",\"started", maxReplacements: 1)
            return Text.archive([entry]).replacing("\"entries\"", with: "\"pages\":[\(page)],\"entries\"")
        }
        let log = try Text(archive("x", 1) + archive("y", 2) + archive("x", 3)).log
        let pages = try #require(log.pages)
        #expect(pages.map(\.title) == ["x", "y"])
        #expect(Set(pages.map(\.id)).count == 2)
        #expect(log.entries.map(\.pageref) == [pages[0].id, pages[1].id, pages[0].id])
    }

    @Test func `other fields are kept`() throws {
        let start = "{\"_x\":1,\"log\":{\"_y\":[NaN],\"_v\":1.2.3,\"entries\":["
        let text = start + Text.entry(1) + "],\"_z\":{a:1}},\"_w\":'q'}"
        let log = try Text(text).log
        #expect(log["_y"]?.array == [JSONValue.null])
        #expect(log["_z"]?["a"]?.int == 1)
        #expect(log["_v"]?.text == "1.2.3")
        #expect(log.documentFields["_x"]?.int == 1)
        #expect(log.documentFields["_w"]?.text == "q")
    }

    @Test func `a compressed archive is repaired and stays compressed`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har.gz")
        let writer = try OutputFile(url: file, settings: .compressed)
        try writer.write(Array(Text.whole.replacing("\"status\":200", with: "\"status\":'200'").utf8))
        try writer.finish()
        #expect(try HARRepair(of: file).entryCount == 3)
        #expect(try Data(contentsOf: file).starts(with: GzipReader.signature))
        #expect(try HAR.Log(contentsOf: file).entries.map(\.response.status) == [200, 200, 200])
        #expect(try HARRepair(of: file).brokenEntryCount == nil)
    }

    @Test func `the text before the damage of a compressed archive is kept`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har.gz")
        let writer = try OutputFile(url: file, settings: .compressed)
        try writer.write(Array(Text.whole.utf8))
        try writer.finish()
        let data = try Data(contentsOf: file)
        for (size, count) in [(data.count - 8, 3), (data.count - 20, 2), (200, 0)] {
            try data.prefix(size).write(to: file)
            var notes: [RepairNote] = []
            let repair = try HARRepair(of: file, report: { notes.append($0) })
            #expect(repair.entryCount == count && notes.first?.kind == .compressedData)
            #expect(repair.compressionDamage == .data)
            #expect(try HARRepair(of: file).brokenEntryCount == nil)
            #expect(try HAR.Log(contentsOf: file).entries.count == count)
        }
    }

    /// A byte of the checksum, of the size, and of the checksum of a member before another one, from the end.
    @Test(arguments: [(5, "", HARRepair.CompressionDamage.checksum), (1, "", .checksum), (5, "\n", .data)])
    func `a compressed archive with a wrong checksum is not called incomplete`(
        offset: Int, rest: String, expected: HARRepair.CompressionDamage
    ) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har.gz")
        var data = Data(try #require(Deflate.deflated(Array(Text.whole.utf8), .gzip)))
        data[data.count - offset] ^= 1
        if !rest.isEmpty { data += Data(try #require(Deflate.deflated(Array(rest.utf8), .gzip))) }
        try data.write(to: file)
        var notes: [RepairNote] = []
        let repair = try HARRepair(of: file, to: .none, report: { notes.append($0) })
        #expect(repair.entryCount == 3 && repair.compressionDamage == expected)
        #expect(notes.map(\.kind) == [.compressedData])
    }

    @Test(arguments: ["", " ", "\u{0}", ",", ";", ")"])
    func `every change of the text after an archive is reported`(text: String) throws {
        let result = try Text(Text.whole + text)
        #expect(result.kinds == (text.allSatisfy { $0 == " " } ? [] : ["surrounding-text"]))
    }

    @Test(arguments: [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian])
    func `text in UTF-16 is converted`(encoding: String.Encoding) throws {
        let text = Text.whole.replacing("\"OK\"", with: "\"ä😀\"")
        let result = try Text(#require(text.data(using: encoding)))
        #expect(result.kinds == ["text-encoding"])
        #expect(result.log.entries.map(\.response.statusText) == ["ä😀", "ä😀", "ä😀"])
    }

    @Test func `an archive is repaired into another file`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: Text.whole)
        let copy = folder.file("b.har")
        _ = try HARRepair(of: file, to: .output(OutputFile(url: copy)))
        #expect(try String(contentsOf: copy, encoding: .utf8) == Text.whole)
        let damaged = "cb(\(Text.whole));"
        try Data(damaged.utf8).write(to: file)
        _ = try HARRepair(of: file, to: .output(OutputFile(url: copy)))
        #expect(try String(contentsOf: file, encoding: .utf8) == damaged)
        let repaired = try String(contentsOf: copy, encoding: .utf8)
        for number in 1...3 { #expect(repaired.contains(Text.entry(number))) }
    }
}

extension OutputFile.Settings {
    fileprivate static var compressed: Self {
        var settings = Self()
        settings.compression = .byName
        return settings
    }
}
