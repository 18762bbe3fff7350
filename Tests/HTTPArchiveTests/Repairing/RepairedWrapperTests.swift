import Foundation
import Testing

@testable import HTTPArchive

/// Repairing entries that are inside other values.
@Suite(.limited) struct RepairedWrapperTests {
    private typealias Text = RepairedArchiveText

    private static let entries = (1...3).map(Text.entry)

    /// Returns a JSON string.
    private static func string(_ text: String) -> String {
        String(decoding: JSONValue.string(JSONString(text)).data(), as: UTF8.self)
    }

    private static func join(_ separator: String, _ wrap: (String, Int) -> String) -> String {
        entries.enumerated().map { wrap($0.element, $0.offset) }.joined(separator: separator)
    }

    private static let wrapped = [
        "[" + join(",") { entry, _ in "{\"entry\":\(entry)}" } + "]",
        "{\"hits\":{\"hits\":[" + join(",") { entry, index in "{\"_id\":\(index),\"_source\":\(entry),\"sort\":[1]}" }
            + "]}}",
        "{" + join(",") { entry, index in "\"http://a.test/\(index)\":\(entry)" } + "}",
        join("\n") { entry, _ in "{\"level\":\"info\",\"entry\":\(entry),\"more\":{\"request\":1}}" },
        join("\n") { entry, _ in "{\"log\":\(string(entry + "\n")),\"stream\":\"stdout\"}" },
        "{\"log\":\(string(Text.whole + "\n")),\"stream\":\"stdout\"}",
        Text.archive([entries[0], "{\"entry\":\(entries[1])}", entries[2]]),
        Text.archive(["{\"a\":[{\"b\":\(entries[0])}],\"c\":\(entries[1])}", entries[2]]),
        "{\"data\":{\"first\":\(entries[0])},\"rest\":[\(entries[1]),{\"x\":[[\(entries[2])]]}]}",
    ]

    @Test(arguments: wrapped.indices)
    func `every entry inside other values is kept`(index: Int) throws {
        let result = try Text(Self.wrapped[index])
        #expect(result.log.entries.map(\.request.url) == (1...3).map { "http://a.test/\($0)?x=1" })
        for entry in Self.entries { #expect(result.text.contains(entry)) }
    }

    @Test func `an entry in a custom field is not an entry of the log`() throws {
        let inner = Text.entry(2).replacing(
            "{\"started", with: "{\"_redirects\":[\(Text.entry(4))],\"started", maxReplacements: 1)
        let broken = Text.entry(1).replacing("\"status\":200", with: "\"status\":+200")
        let result = try Text(Text.archive([broken, inner, Text.entry(3)]))
        #expect(result.log.entries.map(\.request.url) == (1...3).map { "http://a.test/\($0)?x=1" })
        #expect(result.text.contains(inner))
    }
}
