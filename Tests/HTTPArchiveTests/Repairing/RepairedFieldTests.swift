@testable import ArchiveRepair
import Foundation
import Testing

@testable import HTTPArchive

/// Repairing missing fields and values of the wrong type.
@Suite(.limited) struct RepairedFieldTests {
    private typealias Text = RepairedArchiveText

    /// The headers, cookies and query of the second entry after a change.
    private static func request(_ old: String, _ new: String) throws -> HAR.Request {
        try Text(Text.changing(old, new)).log.entries[1].request
    }

    private static let headers = #""headers":[{"name":"A","value":"b"}]"#

    @Test(arguments: [
        (#"{"A":"b","C":["d","e"],"N":1,"Z":null}"#, ["A: b", "C: d", "C: e", "N: 1", "Z: "]),
        (#""A: b\r\n:method: GET\r\nC: d""#, ["A: b", ":method: GET", "C: d"]),
        (#"[["A","b"],null,"C: d",{"name":"E"},{"value":5}]"#, ["A: b", "C: d", "E: ", ": 5"]),
        (#""A: b\r\nC: d\n  folded""#, ["A: b", "C: d folded"]),
        (#"[{"key":"A","value":"b"},{"Name":"C","Value":"d"}]"#, ["A: b", "C: d"]),
        (#"[{"A":"b"},{"C":"d","E":["f","g"]}]"#, ["A: b", "C: d", "E: f", "E: g"]),
        (#"[{"name":"A","value":["b","c"]}]"#, ["A: b", "A: c"]),
        ("null", []), ("{}", []), ("7", []), (#"{"name":"A","value":"b"}"#, ["A: b"]),
    ])
    func `header fields in other notations become a list`(new: String, expected: [String]) throws {
        let request = try Self.request(Self.headers, "\"headers\":\(new)")
        #expect(request.headers.map { "\($0.name): \($0.value)" } == expected)
    }

    @Test func `missing lists come from the header fields and the URL`() throws {
        let cookie = try Self.request(
            "\"cookies\":[],\(Self.headers)", #""headers":[{"name":"Cookie","value":"a=b; c=d"}]"#)
        #expect(cookie.cookies.map { "\($0.name)=\($0.value)" } == ["a=b", "c=d"])
        let query = try Self.request(#""queryString":[{"name":"x","value":"1"}],"#, "")
        #expect(query.queryString.map { "\($0.name)=\($0.value)" } == ["x=1"])
        let text = Text.entry(1).replacing(
            #""cookies":[],"headers":[],"content""#, with: #""headers":{"Set-Cookie":"s=1; Secure"},"content""#)
        let response = try Text(Text.archive([text])).log.entries[0].response
        #expect(response.cookies.map(\.secure) == [true])
    }

    @Test(arguments: [
        ("\"200\"", 200, false), ("\"200 OK\"", 200, false), ("null", 0, false), ("\"\"", 0, false),
        ("\"abc\"", 0, true),
        ("{\"a\":1}", 0, true), ("[]", 0, true), ("true", 0, true), ("\"HTTP/1.1 200 OK\"", 200, false),
        ("[200]", 200, false), ("\" 200 \"", 200, false), ("\"200.0\"", 200, false), ("200.0", 200, false),
        ("2e2", 200, false), ("999", 999, false),
    ])
    func `a status of another type is converted, or kept in another field`(
        new: String, expected: Int, isKept: Bool
    ) throws {
        let response = try Text(Text.changing("\"status\":200", "\"status\":\(new)")).log.entries[1].response
        #expect(response["status"] == .number(JSONNumber(expected)))
        #expect((response["_originalStatus"] != nil) == isKept)
    }

    @Test(arguments: [
        ("1767225602", "2026-01-01T00:00:02.000Z"), ("1767225602500", "2026-01-01T00:00:02.500Z"),
        ("\"1767225602\"", "2026-01-01T00:00:02.000Z"), ("1767225602500000", "2026-01-01T00:00:02.500Z"),
        ("\"Thu, 01 Jan 2026 00:00:02 GMT\"", "2026-01-01T00:00:02.000Z"),
        ("\"2026-01-01 00:00:02.123\"", "2026-01-01T00:00:02.123Z"),
        ("\"2026-01-01T00:00:02\"", "2026-01-01T00:00:02Z"),
        ("\"2026/01/01 01:00:02 +0100\"", "2026-01-01T00:00:02.000Z"),
        ("\"20260101T000002Z\"", "2026-01-01T00:00:02.000Z"),
        ("\"yesterday\"", "2026-01-01T00:00:01.000Z"), ("null", "2026-01-01T00:00:01.000Z"),
        ("-5", "2026-01-01T00:00:01.000Z"),
    ])
    func `a date is converted, or taken from the previous entry`(new: String, expected: String) throws {
        let text = try Text.changing("\"2026-01-01T00:00:02.000Z\"", new)
        #expect(try Text(text).log.entries[1].startedDateTime == expected)
    }

    @Test(arguments: [
        (#""12.5""#, "12.5"), (#""12,5""#, "12.5"), (#"" 7 ""#, "7"), (#""12,5 ms""#, "12.5"), (#""1.5 s""#, "1500.0"),
        ("1e1", "1e1"),
    ])
    func `a time in a string becomes a number`(new: String, expected: String) throws {
        let entry = try Text(Text.changing("\"time\":1", "\"time\":\(new)")).log.entries[1]
        #expect(entry["time"]?.number?.text == expected && entry["_originalTime"] == nil)
    }

    @Test(arguments: [
        (#""2""#, "2"), (#"" 2,0 ""#, "2"), ("2.0", "2"), ("2e0", "2"), (#""2 bytes""#, "2"), ("-0", "-0"),
    ])
    func `a size in a string or with a fraction of zeros becomes an integer`(new: String, expected: String) throws {
        let content = try Text(Text.changing("\"size\":2", "\"size\":\(new)")).log.entries[1].response.content
        #expect(content["size"]?.number?.text == expected && content["_originalSize"] == nil)
    }

    @Test func `a size that is not a number is kept, and replaced with the size of the text`() throws {
        let content = try Text(Text.changing("\"size\":2", "\"size\":true")).log.entries[1].response.content
        #expect(content.size == 2 && content["_originalSize"] == true)
    }

    @Test(arguments: [#"{"type":"Buffer","data":[104,255]}"#, "[104,255]"])
    func `a body that was recorded as bytes is encoded in base64`(value: String) throws {
        let content = try Text(Text.changing("\"text\":\"hi\"", "\"text\":\(value)")).log.entries[1].response.content
        #expect(content.text == "aP8=" && content.encoding == "base64")
        let request = try Self.request(
            "\"bodySize\":-1},", "\"bodySize\":-1,\"postData\":{\"mimeType\":\"a/b\",\"text\":\(value)}},")
        #expect(request.body.data == Data([104, 255]))
    }

    @Test func `each converted element is reported at its own location`() throws {
        let result = try Text(Text.changing(Self.headers, #""headers":["A: 1","B: 2"]"#))
        #expect(result.notes.map(\.pointer.description).map { $0.suffix(9) } == ["headers/0", "headers/1"])
        #expect(result.notes[1].column == result.notes[0].column + 7)
    }

    @Test func `an element without content is reported as removed from its list`() throws {
        let result = try Text(Text.changing(Self.headers, #""headers":[null,[],"A: 1"]"#))
        #expect(
            result.notes.map { "\($0.kind.rawValue) \($0.pointer) \($0.message)" } == [
                "null-field /log/entries/1/request/headers Removed null from `headers`.",
                "wrong-type /log/entries/1/request/headers Removed an empty array from `headers`.",
                "wrong-type /log/entries/1/request/headers/0 Converted a string to a header.",
            ])
        let text = Text.whole.replacing("\"entries\":[", with: "\"pages\":[null],\"entries\":[")
        let pages = try Text(text)
        #expect(pages.notes.map { "\($0.pointer) \($0.message)" } == ["/log/pages Removed null from `pages`."])
        #expect(pages.log.pages == [])
    }

    @Test func `the first entry without a date uses the date of the next one`() throws {
        let first = Text.entry(1).replacing("\"startedDateTime\":\"2026-01-01T00:00:01.000Z\",", with: "")
        #expect(
            try Text(Text.archive([first, Text.entry(2)])).log.entries[0].startedDateTime == "2026-01-01T00:00:02.000Z")
        #expect(try Text(Text.archive([first])).log.entries[0].startedDateTime == "1970-01-01T00:00:00.000Z")
    }

    @Test(arguments: [
        ("\"time\":1,", ""), ("\"cache\":{},", ""), ("\"cache\":{}", "\"cache\":[]"),
        ("\"timings\":{\"send\":0,\"wait\":1,\"receive\":0}", "\"timings\":null"),
        ("\"content\":{\"size\":2,\"mimeType\":\"text/plain\",\"text\":\"hi\"},", ""),
        ("\"httpVersion\":\"HTTP/1.1\"", "\"httpVersion\":1.1"),
        ("\"headersSize\":-1", "\"headersSize\":null"), ("\"bodySize\":-1", "\"bodySize\":\"12 bytes\""),
        ("\"method\":\"GET\",", ""),
        ("\"url\":\"http://a.test/2?x=1\",", ""), ("\"redirectURL\":\"\",", ""),
        ("\"cookies\":[]", "\"cookies\":\"a=b; c\""),
        ("\"cookies\":[]", "\"cookies\":{\"a\":\"b\",\"c\":{\"value\":\"d\",\"path\":\"/\"}}"),
        (
            "\"cookies\":[]",
            "\"cookies\":[{\"name\":\"a\",\"value\":\"b\",\"secure\":\"true\",\"httpOnly\":0,\"expires\":-1}]"
        ),
        ("\"text\":\"hi\"", "\"text\":\"h!i\",\"encoding\":\"base64\""), ("\"text\":\"hi\"", "\"_file\":\"../x\""),
        ("\"headersSize\"", "\"postData\":\"a=b\",\"headersSize\""),
        ("\"headersSize\"", "\"postData\":[{\"name\":\"a\"}],\"headersSize\""),
        ("\"time\":1,", "\"time\":1,\"pageref\":5,\"connection\":443,\"serverIPAddress\":false,"),
        ("\"name\":\"A\"", "\"name\":[1]"), ("\"mimeType\":\"text/plain\"", "\"mimeType\":{}"),
    ])
    func `a field of an entry is repaired without changes to other entries`(old: String, new: String) throws {
        let result = try Text(Text.changing(old, new))
        #expect(result.log.entries.count == 3)
        for number in [1, 3] { #expect(result.text.contains(Text.entry(number))) }
        #expect(result.notes.allSatisfy { $0.pointer.description.hasPrefix("/log/entries/1") })
    }

    @Test(arguments: ["\"status\":\"x\",\"status\":200", "\"status\":200,\"status\":\"x\""])
    func `a repeated field keeps the value of the right type`(new: String) throws {
        let response = try Text(Text.changing("\"status\":200", new)).log.entries[1].response
        #expect(response.status == 200)
        #expect(response["_originalStatus"] == "x")
    }

    @Test func `a body that is not text is kept`() throws {
        let json = try Text(Text.changing("\"hi\"", "{\"a\":[1, 2]}")).log.entries[1].response.content
        #expect(json.text == #"{"a":[1,2]}"#)
        let content = #""content":{"size":2,"mimeType":"text/plain","text":"hi"}"#
        let text = try Text(Text.changing(content, "\"content\":\"hällo\"")).log.entries[1].response.content
        #expect(text.text == "hällo")
        #expect(text.size == 6)
    }

    @Test(arguments: [
        "{\"log\":{}}", "{\"log\":{\"entries\":null}}",
        "{\"log\":{\"version\":1.2,\"creator\":\"t\",\"entries\":[{}]}}",
        "{\"log\":{\"entries\":[{\"request\":\"GET http://a.test/b?c=d HTTP/1.1\",\"response\":200}],\"browser\":[]}}",
        "{\"log\":{\"pages\":[null,\"p\",{\"id\":5}],\"entries\":[]}}",
        "{\"log\":{\"pages\":{\"p1\":{\"title\":\"x\"}},\"entries\":[]}}",
        "{\"log\":{\"comment\":5,\"pages\":7,\"entries\":[]},\"log\":3}",
        "{\"log\":{\"entries\":[{\"request\":5,\"response\":[],\"timings\":\"\"}]}}",
    ])
    func `every required field is added`(text: String) throws {
        let result = try Text(text)
        #expect(!result.notes.isEmpty)
    }
}
