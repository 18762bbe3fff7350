import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct HARMergerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Merges the given archives, and returns the JSON text of the result.
    private func merge(_ documents: String...) throws -> String {
        var merger = HARMerger()
        for (index, document) in documents.enumerated() {
            merger.add(try HARArchive(contentsOf: folder.file("\(index).har", holding: document)))
        }
        let file = folder.file("merged.har")
        let writer = try HARWriter(to: file)
        try merger.write(to: writer)
        try writer.finish()
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Merges archives whose entries have the given names and start times in seconds, and returns the merged names.
    private func order(_ archives: [(String, Int?)]...) throws -> String {
        var merger = HARMerger()
        for (index, archive) in archives.enumerated() {
            let entries = archive.map { name, second in
                #"{"n":"\#(name)","startedDateTime":"\#(second.map { "2026-01-01T00:00:0\($0)Z" } ?? "?")"}"#
            }
            let text = #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#
            merger.add(try HARArchive(contentsOf: folder.file("\(index).har", holding: text)))
        }
        #expect(merger.count == archives.joined().count)
        let file = folder.file("merged.har")
        let writer = try HARWriter(to: file)
        try merger.write(to: writer)
        try writer.finish()
        return try HAR.Log(contentsOf: file).entries.compactMap { $0["n"]?.text }.joined()
    }

    @Test func `entries are in chronological order`() throws {
        #expect(try order([("a", 1), ("c", 3)], [("b", 2), ("d", 4)]) == "abcd")
    }

    @Test func `entries of an archive do not need to be sorted`() throws {
        #expect(try order([("d", 4), ("a", 1), ("c", 3)], [("e", 5), ("b", 2)]) == "abcde")
    }

    @Test func `entries with the same time are in the order of the archives`() throws {
        #expect(try order([("a", 1), ("b", 1), ("e", 2)], [("c", 1), ("d", 1)]) == "abcde")
    }

    @Test func `an entry without a time follows its predecessor`() throws {
        #expect(try order([("a", 1), ("e", 3), ("f", nil), ("g", nil), ("b", 1)], [("d", 2), ("c", 1)]) == "abcdefg")
    }

    @Test func `entries without a time at the start of an archive come first`() throws {
        #expect(try order([("b", 1)], [("a", nil), ("c", 2)]) == "abc")
    }

    @Test func `entries are copied byte for byte`() throws {
        let entry = #"{ "startedDateTime":"2026-01-01T00:00:00Z",  "x": 1.50, "x": "\ud800" }"#
        let text = try merge(#"{"log":{"entries":[]}}"#, #"{"log":{"entries":[\#(entry)]}}"#)
        #expect(text.contains(entry))
    }

    @Test func `other fields are copied from the first archive, in the same order`() throws {
        let text = try merge(
            #"{"a":1,"log":{"version":"1.2","creator":{"name":"A"},"entries":[{"n":1}],"_b":2},"c":3}"#,
            #"{"z":1,"log":{"version":"1.1","creator":{"name":"B"},"browser":{},"_y":1,"entries":[{"n":2}]}}"#)
        let expected: JSONValue = [
            "a": 1,
            "log": ["version": "1.2", "creator": ["name": "A"], "entries": [["n": 1], ["n": 2]], "_b": 2], "c": 3,
        ]
        #expect(try JSONValue(parsing: text) == expected)
    }

    @Test func `merging no archives creates an empty one`() throws {
        #expect(try JSONValue(parsing: merge())["log"]?["entries"] == [])
    }

    @Test func `pages of all archives are kept, without duplicates`() throws {
        let one = #"{"id":"1","title":"One"}"#
        let text = try merge(
            #"{"log":{"entries":[{"pageref":"1"}],"pages":[\#(one)]}}"#,
            #"{"log":{"pages":[\#(one),{"id":"2"}],"entries":[{"pageref":"1"},{"pageref":"2"}]}}"#)
        let log: JSONValue = [
            "entries": [["pageref": "1"], ["pageref": "1"], ["pageref": "2"]],
            "pages": [["id": "1", "title": "One"], ["id": "2"]],
        ]
        #expect(try JSONValue(parsing: text) == ["log": log])
    }

    @Test func `different pages with the same identifier are renamed, and their entries updated`() throws {
        let second = #"{"log":{"pages":[{"id":"1","title":"B"}],"entries":[{"pageref":"1","n":2}]}}"#
        let text = try merge(
            #"{"log":{"pages":[{"id":"1","title":"A"}],"entries":[{"pageref":"1","n":1}]}}"#, second,
            #"{"log":{"pages":[{"id":"1-2"},{"id":"1","title":"C"}],"entries":[{"pageref":"1"},{"pageref":"1-2"}]}}"#,
            second)
        let log: JSONValue = [
            "pages": [
                ["id": "1", "title": "A"], ["id": "1-3", "title": "B"], ["id": "1-2"], ["id": "1-4", "title": "C"],
            ],
            "entries": [
                ["pageref": "1", "n": 1], ["pageref": "1-3", "n": 2], ["pageref": "1-4"], ["pageref": "1-2"],
                ["pageref": "1-3", "n": 2],
            ],
        ]
        #expect(try JSONValue(parsing: text) == ["log": log])
    }

    @Test func `pages precede the entries if the first archive has no pages`() throws {
        let text = try merge(
            #"{"log":{"version":"1.2","entries":[]}}"#, #"{"log":{"entries":[],"pages":[{"id":"1"},{"title":"x"}]}}"#)
        let log: JSONValue = ["version": "1.2", "pages": [["id": "1"], ["title": "x"]], "entries": []]
        #expect(try JSONValue(parsing: text) == ["log": log])
    }
}
