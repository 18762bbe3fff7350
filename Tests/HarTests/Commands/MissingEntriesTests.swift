import Foundation
import HTTPArchive
import Testing

/// Archives whose log has no array of entries, and elements of the array that are not entries.
@Suite(.limited) struct MissingEntriesTests {
    private static let commands = [
        ["entries", "a.har"], ["inspect", "a.har"], ["stats", "a.har"], ["table", "a.har"], ["search", "a.har", "x"],
        ["waterfall", "a.har"], ["diff", "a.har", "a.har"], ["copy", "a.har", "b.har"],
        ["filter", "--method", "GET", "a.har", "b.har"], ["split", "--by", "count=1", "a.har", "b"],
        ["merge", "a.har", "a.har", "b.har"], ["redact", "a.har", "b.har"], ["replay", "a.har"], ["index", "a.har"],
        ["body", "a.har", "0"], ["show", "a.har", "0"], ["export", "--to", "k6", "a.har", "-"],
        ["check", "--secrets", "a.har"],
    ]

    private static let beginning = #"{"log": {"creator": {"name": "a", "version": "1"}, "#

    @Test(arguments: [
        (#""entries": null, "#, "null"), (#""entries": {}, "#, "an object"), (#""entries": 7, "#, "a number"),
        (#""entries": "x", "#, "a string"), ("", "no such field"), (#""entries": [null], "#, "null"),
        (#""entries": ["https://a.test/", 7, [], true], "#, "a string"), (#""entries": [[[1], "x"]], "#, "an array"),
    ])
    func `every command reports a log without entries, and har repair repairs it`(
        field: String, found: String
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data((Self.beginning + field + #""version": "1.2"}}"#).utf8), to: "a.har")
        for command in Self.commands {
            let run = try await HarRun(command, in: folder)
            #expect(run.status == (["search", "diff"].contains(command[0]) ? 2 : 1), "\(command)")
            #expect(run.errors.contains("found \(found). Repair the file with `har repair"), "\(command)")
            #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("b.har").path))
        }
        let check = try await HarRun("check", "a.har", in: folder)
        #expect(check.status == 1 && check.output.hasSuffix(" 0 warnings, 0 notes\n"))
        #expect(try await HarRun("repair", "--broken", "drop", "a.har", in: folder).status == 0)
        let entries = try await HarRun("entries", "a.har", in: folder)
        #expect(entries.status == 0 && entries.output.isEmpty && entries.errors.isEmpty)
    }

    @Test(arguments: ["0", "first", "12"])
    func `har repair converts an object of entries to an array`(name: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(.sample("GET", "https://a.test/1"), .sample("GET", "https://a.test/2")), to: "a.har")
        let log = try HAR.Log(contentsOf: folder.url.appendingPathComponent("a.har"))
        var fields = log.fields
        fields["entries"] = .object([name: .object(log.entries[0].fields), "z": .object(log.entries[1].fields)])
        try folder.write(JSONValue.object(["log": .object(fields)]).data(), to: "a.har")
        #expect(try await HarRun("entries", "a.har", in: folder).status == 1)
        #expect(try await HarRun("repair", "a.har", in: folder).status == 0)
        let entries = try await HarRun("entries", "a.har", in: folder).output
        #expect(entries.contains("https://a.test/1\n") && entries.contains("https://a.test/2\n"))
    }

    @Test func `an archive with an empty array of entries is valid`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(), to: "a.har")
        for command in Self.commands where !["body", "show", "waterfall"].contains(command[0]) {
            #expect(try await !HarRun(command, in: folder).errors.contains("har repair"), "\(command)")
        }
    }

    @Test func `every command counts only the objects in entries`() async throws {
        let folder = try TemporaryFolder()
        try Self.write(["null", #""x""#, "5", "[]", Self.entry, "true"], in: folder)
        func output(_ arguments: String...) async throws -> String {
            let run = try await HarRun(arguments, in: folder)
            return run.output + run.errors
        }
        for command in ["copy", "redact"] { _ = try await output(command, "a.har", "\(command).har") }
        _ = try await output("filter", "--method", "GET", "a.har", "filter.har")
        _ = try await output("merge", "a.har", "merge.har")
        for file in ["a.har", "copy.har", "redact.har", "filter.har", "merge.har"] {
            #expect(try await output("entries", file).split(separator: "\n").count == 1, "\(file)")
            #expect(try await output("entries", file).hasPrefix("    0 "), "\(file)")
        }
        #expect(try await output("inspect", "a.har").contains("Entries  1\n"))
        #expect(try await output("stats", "a.har").hasPrefix("Entries   1\n"))
        #expect(try await output("table", "a.har").split(separator: "\n").count == 2)
        #expect(try await output("waterfall", "a.har").contains("1 entry"))
        #expect(try await output("diff", "a.har", "a.har") == "0 added, 0 removed, 0 changed, 1 equal\n")
        #expect(try await output("replay", "a.har").hasPrefix("1 request: 1 answered"))
        #expect(try await output("index", "a.har").hasPrefix("1 entry"))
        #expect(try await output("show", "a.har", "0").hasPrefix("Entry 0  GET https://a.test/x"))
        #expect(try await output("show", "a.har", "4").contains("expected an entry index (0)"))
        #expect(try await output("repair", "--broken", "drop", "a.har", "repair.har").contains("1 entry kept"))
    }

    private static let entry = String(
        decoding: JSONValue.object(HAR.Entry.sample("GET", "https://a.test/x").fields).data(), as: UTF8.self)

    private static func write(_ elements: [String], in folder: TemporaryFolder) throws {
        let entries = elements.joined(separator: ", ")
        try folder.write(Data((beginning + #""entries": [\#(entries)], "version": "1.2"}}"#).utf8), to: "a.har")
    }
}
