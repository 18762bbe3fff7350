@testable import ArchiveRepair
import Foundation
import Testing

@testable import HTTPArchive

/// Repairing text that is not valid JSON.
@Suite(.limited) struct RepairedTextTests {
    private typealias Text = RepairedArchiveText

    private static func whole(_ start: String, _ end: String) -> String { start + Text.whole + end }

    @Test(arguments: [
        ("callback(", ");"), ("/**/onInputData(", ")"), ("var har = ", ";"), ("\u{FEFF}cb(", ")"), (")]}',\n", ""),
        ("while(1);", ""), ("// {a}\n/* b */ ", "\n// end"), ("Text:\n```json\n", "\n```\nend"),
        ("[INFO] {\"level\":\"x\"}\n", "\n[INFO] done"), ("{\"data\":{\"har\":", "}}"),
    ])
    func `text around an archive is removed`(start: String, end: String) throws {
        let result = try Text(Self.whole(start, end))
        #expect(result.log.entries.count == 3)
        for number in 1...3 { #expect(result.text.contains(Text.entry(number))) }
        #expect(result.kinds.contains("surrounding-text"))
    }

    @Test(arguments: [
        ("\"OK\"", "\"O\nK\t\u{1}\"", "O\nK\t\u{1}", "control-character"),
        ("\"OK\"", "\"O\u{0}K\"", "O\u{0}K", "control-character"),
        ("\"OK\"", #""\x41\'\d\0\u{1F600}\u12""#, "A'\\d\u{0}😀\\u12", "escape"),
        ("\"OK\"", "'O\"\\'K'", "O\"'K", "quotes"),
        ("\"OK\"", "u'OK'", "OK", "quotes"), ("\"statusText\":", "statusText:", "OK", "unquoted-name"),
        ("\"statusText\":", "'statusText' :", "OK", "quotes"), ("\"OK\",", "\"OK\" ", "OK", "missing-comma"),
        ("\"OK\",", "\"OK\",,", "OK", "extra-comma"), ("\"OK\",", "\"OK\", // c\n/* d */ # e\n", "OK", "comment"),
        ("\"OK\",", "\"OK\",\u{A0}", "OK", "whitespace"), ("{\"status\"", "{,\"status\"", "OK", "extra-comma"),
        ("\"OK\"", #""\ud83d""#, "\u{FFFD}", "invalid-unicode"), ("\"OK\"", "`O\"\\`K`", "O\"`K", "quotes"),
        ("\"OK\"", "'O\\'' +\n \"K\"", "O'K", "concatenation"), ("\"OK\"", "('O'\n 'K' )", "OK", "concatenation"),
        ("\"OK\"", "OK", "OK", "unquoted-text"), ("\"OK\"", "12ms", "12ms", "unquoted-text"),
        ("\"OK\"", "ObjectId(\"OK\")", "OK", "call"), ("\"OK\"", "new String( 'OK' )", "OK", "call"),
        ("\"OK\",", "\"OK\",\u{B}", "OK", "whitespace"), ("\"OK\",", "\"OK\"\u{C},", "OK", "whitespace"),
        ("\"OK\",", "\"OK\",\u{200B}\u{3000}", "OK", "whitespace"), ("\"OK\"", "“OK”", "OK", "quotes"),
        ("\"OK\"", "„O\"K“", "O\"K", "quotes"), ("\"OK\"", "«O \\u004B”", "O K", "quotes"),
        ("\"OK\"", "‘O’K’", "O’K", "quotes"), ("\"statusText\"", "`statusText`", "OK", "quotes"),
        ("\"statusText\"", "“statusText”", "OK", "quotes"),
        ("\"OK\",", "\"OK\",\n<<<<<<< HEAD\n=======\n>>>>>>> b\n", "OK", "comment"),
    ])
    func `a string, a name or a separator is repaired`(
        old: String, new: String, expected: String, kind: String
    ) throws {
        let result = try Text(Text.changing(old, new))
        #expect(Set(result.kinds).subtracting(kind == "call" ? ["quotes"] : []) == [kind])
        #expect(result.log.entries.map(\.response.statusText) == ["OK", expected, "OK"])
        let note = try #require(result.notes.first)
        #expect(note.pointer.description.hasPrefix("/log/entries/1/response"))
        for number in [1, 3] { #expect(result.text.contains(Text.entry(number))) }
    }

    @Test func `an archive with typographic quotation marks is repaired`() throws {
        let parts = Text.whole.split(separator: "\"", omittingEmptySubsequences: false)
        let text = parts.enumerated().reduce("") {
            $0 + ($1.offset == 0 ? "" : $1.offset % 2 == 1 ? "“" : "”") + $1.element
        }
        #expect(try Text(text).text.contains(Text.entry(2)))
    }

    @Test(arguments: [
        ("NaN", nil, "non-finite-number"), ("-Infinity", nil, "non-finite-number"),
        ("Infinity", nil, "non-finite-number"),
        ("undefined", nil, "literal"), ("None", nil, "literal"), ("", nil, "missing-value"), ("+1", 1, "number"),
        ("0x1F", 31, "number"), ("007", 7, "number"), (".5", 0.5, "number"), ("5.", 5, "number"), ("10n", 10, "number"),
        ("\"1\"", 1, "wrong-type"), ("\"1 ms\"", 1, "wrong-type"), ("\"1.5s\"", 1500, "wrong-type"),
        ("true", 1, "wrong-type"), ("1.#INF", nil, "non-finite-number"), ("-1.#IND", nil, "non-finite-number"),
        ("NumberLong(1)", 1, "call"), ("NumberInt(\"1\")", 1, "call"), ("{\"$numberInt\":\"1\"}", 1, "wrong-type"),
    ])
    func `a number is repaired`(new: String, expected: Double?, kind: String) throws {
        let result = try Text(Text.changing("\"time\":1,", "\"time\":\(new),"))
        #expect(result.kinds.contains(kind))
        // A number that is not known is the sum of the timings.
        #expect(result.log.entries[1].time == expected ?? 1)
        #expect(result.notes.allSatisfy { $0.pointer.description == "/log/entries/1/time" })
    }

    @Test func `JSON written as Python is repaired`() throws {
        let python = Text.whole.replacing("\"", with: "'").replacing("'cache':{}", with: "'cache':None,'_x':True")
        let result = try Text(python)
        #expect(result.log.entries.map { $0["_x"]?.bool } == [true, true, true])
        #expect(result.log.entries[2].request.url == "http://a.test/3?x=1")
    }

    @Test(arguments: [
        ("]}}", ",]}}"), ("]}}", "],},}"), ("},\n{", "}\n{"), ("},\n{", "},,\n{"), ("]}}", "]}"), ("]}}", "]"),
        ("]}}", ""),
        ("]}}", "}}"), ("]}}", "]]}}"), ("},\n{", "}},\n{"), ("},\n{", "}],\n{"),
    ])
    func `brackets and commas between entries are repaired`(old: String, new: String) throws {
        let result = try Text(Text.whole.replacing(old, with: new))
        #expect(result.log.entries.count == 3)
        for number in 1...3 { #expect(result.text.contains(Text.entry(number))) }
    }

    @Test func `the location of a repair refers to the damaged file`() throws {
        let result = try Text(Text.changing("\"OK\"", "\n  'OK'"))
        let note = try #require(result.notes.first)
        #expect(note.line == 3)
        #expect(note.column == 3)
        #expect(note.pointer.description == "/log/entries/1/response/statusText")
        let field = try Text("// x\n" + Text.changing("\"status\":200", "\n\n\"statusText\":'a',\"status\":\"200\""))
        let status = try #require(field.notes.last)
        #expect(status.line == 5)
        #expect(status.column == 27)
        #expect(status.pointer.description == "/log/entries/1/response/status")
    }

    @Test func `each repair outside the entries has its own location`() throws {
        let entries = Text.archive([Text.entry(1)]).dropFirst(Text.head.utf8.count)
        let text = """
            {
            \u{A0} "log": {
             \u{A0}"version" // a
             : "1.2",, // b
            \u{A0}'creator': {"name": "t",
            \u{A0}"version": "1"},
            "pages": [],,
            pageTimings: 1, 'entries'\u{A0}: [\(entries)
            """
        let result = try Text(text)
        let locations = result.notes.map { "\($0.line):\($0.column) \($0.kind.rawValue)" }
        #expect(
            locations == [
                "2:1 whitespace", "3:2 whitespace", "3:13 comment", "4:10 extra-comma", "4:12 comment",
                "5:1 whitespace", "5:2 quotes", "6:1 whitespace", "7:13 extra-comma", "8:1 unquoted-name",
                "8:17 quotes", "8:26 whitespace",
            ])
        #expect(result.repair.repairCount == locations.count)
    }

    @Test func `an entry without a log is not reported twice`() throws {
        let entry = Text.entry(1).replacing("\"startedDateTime\"", with: "startedDateTime")
            .replacing("\"time\":1,", with: "\"time\":1, /* a */")
        let kinds = try Text(entry).kinds.filter { $0 != "missing-field" }
        #expect(kinds == ["bare-entries", "unquoted-name", "comment"])
    }

    @Test func `a repair in an empty list is located at the list`() throws {
        let result = try Text(Text.changing("\"cookies\":[]", "\"cookies\":[\u{0}]"))
        #expect(result.notes.map(\.pointer.description) == ["/log/entries/1/request/cookies"])
    }

    @Test func `invalid UTF-8 in a body becomes base64, and U+FFFD elsewhere`() throws {
        let bytes = try Array(Text.changing("\"hi\"", "\"h\u{1}i\"").utf8).map { $0 == 1 ? 0xFF : $0 }
        let content = try Text(bytes).log.entries[1].response.content
        #expect(content.encoding == "base64")
        #expect(content.text == Data([0x68, 0xFF, 0x69]).base64EncodedString())
        let header = try Array(Text.changing("\"b\"", "\"b\u{1}\"").utf8).map { $0 == 1 ? 0xFF : $0 }
        #expect(try Text(header).log.entries[1].request.headers[0].value == "b\u{FFFD}")
        let names = [("\"time\"", "\"_n\u{1}\":1,\"time\""), ("\"cache\":{}", "\"cache\":{\"_n\u{1}\":{}}")]
        for (old, new) in names {
            let name = try Array(Text.changing(old, new).utf8).map { $0 == 1 ? 0xFF : $0 }
            #expect(try Text(name).text.contains("\"_n\u{FFFD}\""))
        }
        let outside = Text.whole.dropLast() + ",\"_a\u{1}\":{\"_b\u{1}\":\"c\u{1}\"}}"
        let result = try Text(Array(outside.utf8).map { $0 == 1 ? 0xFF : $0 })
        #expect(result.text.contains("\"_a\u{FFFD}\"") && result.text.contains("\"_b\u{FFFD}\""))
        #expect(result.text.contains("\"c\u{FFFD}\""))
    }
}
