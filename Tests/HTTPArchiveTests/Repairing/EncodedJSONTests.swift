import Foundation
import Testing

@testable import HTTPArchive

/// Repairing archives that were written as a string.
@Suite(.limited) struct EncodedJSONTests {
    private typealias Text = RepairedArchiveText

    /// Returns the text as a JSON string.
    private static func string(_ text: String) -> String {
        String(decoding: JSONValue.string(JSONString(text)).data(), as: UTF8.self)
    }

    private static let body = #""text":"{\"a\":\"\\\\ \\\"é\\n\u0041\"}""#

    private static let archive = Text.whole.replacing("\"text\":\"hi\"", with: body)

    private static let encoded = string(archive)

    private static let texts = [
        encoded, string(encoded), string(string(encoded)), encoded + "\n", "  \n" + encoded, "cb(\(encoded));",
        "JSON.parse(\(encoded))", "{\"a\":\"b\\\"\",\"har\":\(encoded),\"c\":\"[d]\"}", "[\(encoded)]",
        String(encoded.dropFirst().dropLast()), String(encoded.dropLast()), string("\n" + archive),
        "\"" + archive.utf16.map { "\\u" + String(format: "%04x", $0) }.joined() + "\"",
        "{\"log\":" + string(String(archive.dropFirst(7).dropLast())) + "}",
        "{\"log\":{\"version\":\"1.2\",\"entries\":"
            + string("[" + (1...3).map(Text.entry).joined(separator: ",") + "]") + "}}",
        "{\"log\":{\"entries\":[" + (1...3).map { string(Text.entry($0)) }.joined(separator: ",") + "]}}",
    ]

    @Test(arguments: texts.indices)
    func `an archive in a string is decoded`(index: Int) throws {
        let result = try Text(Self.texts[index])
        #expect(result.kinds.first == "encoded-json")
        #expect(result.log.entries.map(\.request.url) == (1...3).map { "http://a.test/\($0)?x=1" })
        let body = index < 14 ? #"{"a":"\\ \"é\nA"}"# : "hi"
        #expect(result.log.entries.map(\.response.content.text) == [body, body, body])
    }

    @Test func `several archives in strings are merged`() throws {
        #expect(try Text(Self.encoded + "\n" + Self.encoded + "\n").log.entries.count == 6)
    }

    @Test func `text is not decoded if the file contains an entry`() throws {
        let text = Text.whole.replacing("\"hi\"", with: Self.encoded)
        let result = try Text("cb(\(text))")
        #expect(result.log.entries.count == 3)
        #expect(result.log.entries[0].response.content.text == Self.archive)
    }

    @Test func `strings larger than a chunk are decoded`() throws {
        let large = Text.whole.replacing("\"hi\"", with: "\"" + String(repeating: "\\\"\\\\", count: 50_000) + "\"")
        let result = try Text(Self.string(large))
        #expect(result.log.entries[2].response.content.text == String(repeating: "\"\\", count: 50_000))
    }
}
