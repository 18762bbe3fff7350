import Foundation
import HTTPArchive
import Testing

@testable import ArchiveInspection

@Suite(.limited) struct ArchiveMergeTests {
    private static func entry(_ path: String, at second: Int, _ fields: String = "") -> String {
        #"{"startedDateTime":"2026-01-01T12:00:0\#(second)Z","request":{"method":"GET","url":"https://a.test\#(path)"}\#(fields)}"#
    }

    private static func log(_ entries: [String], _ fields: String = "") -> String {
        "{\"log\": {\n  \"version\": \"1.2\",\n\(fields)  \"entries\": [\n    "
            + entries.joined(separator: ",\n    ") + "\n  ]\n}}\n"
    }

    private static func merge(_ base: String, _ ours: String, _ theirs: String) throws -> (
        text: String, conflicts: [String]
    ) {
        let merge = try #require(
            ArchiveMerge(base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8), markerSize: 7))
        return (String(decoding: merge.text, as: UTF8.self), merge.conflicts)
    }

    private let a = entry("/a", at: 1)
    private let b = entry("/b", at: 2)
    private let c = entry("/c", at: 3)
    private let d = entry("/d", at: 4)

    @Test func `changes of one side are taken, and everything else is preserved byte for byte`() throws {
        let changed = Self.entry("/b", at: 2, #","_note":"x""#)
        let (text, conflicts) = try Self.merge(
            Self.log([a, b, c]), Self.log([a, b]), Self.log([a, changed, c, d]))
        #expect(conflicts == [])
        #expect(text == Self.log([a, changed, d]))
        for (base, ours, theirs, expected) in [
            ([a, b], [a, b], [b], [b]), ([a], [a, a], [a], [a, a]), ([a], [a], [b], [b]),
            ([a], [a, c], [a, b, d], [a, b, c, d]), ([b], [a, b], [b, c], [a, b, c]), ([a], [a, b], [a, b], [a, b]),
            ([a, b, c], [c, b, a], [a, b, c, d], [c, d, b, a]),
        ] {
            #expect(try Self.merge(Self.log(base), Self.log(ours), Self.log(theirs)).text == Self.log(expected))
        }
        #expect(try Self.merge(Self.log([a, b]), Self.log([a]), Self.log([b])).text.contains("\"entries\": [\n  ]\n"))
    }

    @Test func `a version that is only formatted differently has no conflict`() throws {
        let spaced = Self.log([a.replacing(":", with: " : "), b]).replacing("https : ", with: "https:")
            .replacing("12 : 00 : 0", with: "12:00:0")
        let changed = Self.entry("/a", at: 1, #","_note":"x""#)
        let (text, conflicts) = try Self.merge(Self.log([a, b]), spaced, Self.log([changed, b]))
        #expect(conflicts == [])
        #expect(text == Self.log([changed, b]))
    }

    @Test func `line breaks and indentation are as in our version`() throws {
        let ours = Self.log([a, c]).replacing("\n", with: "\r\n")
        let (text, _) = try Self.merge(Self.log([a]), ours, Self.log([a, b.replacing(",", with: ",\n  ")]))
        #expect(text == Self.log([a, b.replacing(",", with: ",\n  "), c]).replacing("\n", with: "\r\n"))
        let compact = #"{"log":{"entries":[\#(a)]}}"#
        #expect(try Self.merge(compact, compact, Self.log([a, b])).text.contains("[\(a),\(b)]"))
        let empty = #"{"log":{"entries":[]}}"#
        #expect(try Self.merge(empty, empty, Self.log([a, b])).text.contains("[\n    \(a),\n    \(b)\n  ]"))
    }

    @Test(arguments: [0, 1, 2], [0, 1, 2])
    func `each version of a conflict is valid when it is chosen`(before: Int, after: Int) throws {
        let start = [c, d].prefix(before)
        let end = [Self.entry("/e", at: 5), Self.entry("/f", at: 6)].prefix(after)
        let (ours, theirs) = (Self.entry("/a", at: 1, #","x":1"#), Self.entry("/a", at: 1, #","x":2"#))
        for (mine, yours) in [([ours], [theirs]), ([], [theirs]), ([ours], [])] {
            let (text, conflicts) = try Self.merge(
                Self.log(start + [a] + end), Self.log(start + mine + end), Self.log(start + yours + end))
            #expect(conflicts.count == 1)
            #expect(
                text.contains("\n<<<<<<< ours\n") && text.contains("\n=======\n") && text.contains("\n>>>>>>> theirs\n")
            )
            for (side, chosen) in [("ours", mine), ("theirs", yours)] {
                let resolved = try JSONValue(parsing: GitTests.resolved(text, choosing: side))
                let expected = try JSONValue(parsing: Self.log(start + chosen + end))
                #expect(resolved.canonicalText() == expected.canonicalText(), "\(text)")
            }
        }
    }

    @Test func `conflict markers have the requested size, and lines without other text`() throws {
        let text = #"{"log":{"entries":[\#(a)]}}"#
        let changed = [1, 2].map { text.replacing("}]", with: ",\"x\":\($0)}]") }
        let merge = ArchiveMerge(
            base: Array(text.utf8), ours: Array(changed[0].utf8), theirs: Array(changed[1].utf8), markerSize: 9)
        let lines = String(decoding: merge?.text ?? [], as: UTF8.self).split(separator: "\n")
        #expect(
            lines.map { $0.prefix(10) } == [
                #"{"log":{"e"#, "<<<<<<<<< ", #"{"startedD"#, "=========", #"{"startedD"#, ">>>>>>>>> ", "]}}",
            ])
    }

    @Test func `fields of the log are merged`() throws {
        func log(_ fields: String) -> String { Self.log([a], fields) }
        let base = log("  \"comment\": \"x\",\n  \"_old\": 1,\n")
        let (text, conflicts) = try Self.merge(
            base, log("  \"comment\": \"y\",\n  \"_old\": 1,\n"), log("  \"comment\": \"x\",\n  \"_new\": [2],\n"))
        #expect(conflicts == [])
        #expect(text == log("  \"comment\": \"y\",\n  \"_new\": [2],\n"))
        let other = try Self.merge(base, log("  \"comment\": \"y\",\n"), log("  \"comment\": \"z\",\n"))
        #expect(other.conflicts == ["field comment"])
        for (side, comment) in [("ours", "y"), ("theirs", "z")] {
            let value = try JSONValue(parsing: GitTests.resolved(other.text, choosing: side))
            #expect(value["log"]?["comment"]?.text == comment, "\(other.text)")
        }
        // New archives by different tools.
        let creators = try Self.merge(
            "", log("  \"creator\": {\"name\": \"A\"},\n"), log("  \"creator\": {\"name\": \"B\"},\n"))
        #expect(creators.conflicts == [])
        #expect(creators.text.contains("\"A\"") && !creators.text.contains("\"B\""))
    }

    @Test func `different new pages with one identifier are both kept`() throws {
        func log(_ entries: [String], _ pages: String...) -> String {
            Self.log(
                entries, "  \"pages\": [\(pages.map { #"{"id":"P","title":"\#($0)"}"# }.joined(separator: ", "))],\n")
        }
        let (mine, yours) = (Self.entry("/m", at: 5, #","pageref":"P""#), Self.entry("/y", at: 6, #","pageref":"P""#))
        let (text, conflicts) = try Self.merge(log([a]), log([a, mine], "ours"), log([a, yours], "theirs"))
        #expect(conflicts == [])
        let value = try HAR.Log(data: Data(text.utf8))
        #expect(value.pages?.map(\.id) == ["P", "P-2"])
        #expect(value.entries.map(\.pageref) == [nil, "P", "P-2"])
        #expect(try Self.merge(log([a]), log([a], "x"), log([a, yours], "x")).text == log([a, yours], "x"))
        #expect(try Self.merge(log([a], "x"), log([a], "ours"), log([a], "theirs")).conflicts == ["page P"])
    }

    @Test func `values of unexpected types are kept`() throws {
        for value in ["null", "5", "\"x\"", "[1, [2], {}]", "{\"a\": {}}", "[]"] {
            let text = "\u{FEFF} {\"log\": {\"pages\": \(value), \"entries\": [\(a) , null]}, \"x\": \(value)} \n"
            #expect(try Self.merge(text, text, text).text == text)
            let added = text.replacing(" , null", with: " , null, \(b)")
            #expect(try Self.merge(text, text, added).text == added)
            #expect(try Self.merge(text, added, text).text == added)
            #expect(try Self.merge("", added, added).text == added)
        }
        for text in ["", "x", "[", "{", "{\"a", "{\"a\":", "{\"a\":1", "{\"a\":[}"] {
            #expect(ArchiveMerge(base: [], ours: Array(text.utf8), theirs: Array("{}".utf8), markerSize: 7) == nil)
        }
    }

    @Test(arguments: 0..<200) func `random versions are merged by entry`(seed: Int) throws {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let all = (0..<8).map { Self.entry("/\($0)", at: $0) }
        let base = all.filter { _ in random(2) == 0 }
        func version() -> [String] { all.filter { random(4) == 0 ? !base.contains($0) : base.contains($0) } }
        let (ours, theirs) = (version(), version())
        let (text, conflicts) = try Self.merge(Self.log(base), Self.log(ours), Self.log(theirs))
        #expect(conflicts == [])
        let expected = all.filter {
            base.contains($0) ? ours.contains($0) && theirs.contains($0) : ours.contains($0) || theirs.contains($0)
        }
        #expect(
            try HAR.Log(data: Data(text.utf8)).entries.map(\.request.url)
                == HAR.Log(data: Data(Self.log(expected).utf8)).entries.map(\.request.url))
        if ours == theirs { #expect(text == Self.log(ours)) }
    }
}
