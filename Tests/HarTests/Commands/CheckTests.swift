import Foundation
import HTTPArchive
import Testing

@Suite struct CheckTests {
    @Test func `has no findings in an archive of the library`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(.sample("GET", "https://a.test/", body: "a")), to: "a.har")
        let run = try await HarRun("check", "a.har", in: folder)
        #expect(run.status == 0)
        #expect(run.output == "1 file: 0 errors, 0 warnings, 0 notes\n")
    }

    @Test func `a finding has a file, a severity, a rule and a location`() async throws {
        let folder = try TemporaryFolder()
        let document = #"{"log": {"version": "1.2", "creator": {"name": "a", "version": "1"}, "entries": 5}}"#
        try folder.write(Data(document.utf8), to: "a.har")
        let run = try await HarRun("check", "a.har", in: folder)
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("a.har: error: "))
        #expect(run.output.contains(" at /log/entries (byte "))
        #expect(run.output.hasSuffix("\n1 file: 1 error, 0 warnings, 0 notes\n"))
    }

    @Test func `checks the other files if one cannot be read`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(), to: "a.har")
        let run = try await HarRun("check", "missing.har", "a.har", in: folder)
        #expect(run.status == 1)
        #expect(run.output == "2 files (1 unreadable): 0 errors, 0 warnings, 0 notes\n")
        #expect(run.errors == "har: error: missing.har: The file cannot be read: No such file or directory.\n")
    }

    @Test func `writes a JSON object`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(), to: "a.har")
        try folder.write(Data([0xEF, 0xBB, 0xBF]) + folder.read("a.har"), to: "b.har")
        let run = try await HarRun("check", "--json", "a.har", "b.har", "missing.har", in: folder)
        #expect(run.status == 1)
        let json = try JSONValue(parsing: run.data)
        #expect(json["findings"]?.array?.count == 1)
        #expect(json["findings"]?[0]?["file"] == "b.har")
        #expect(json["findings"]?[0]?["rule"] == "byte-order-mark")
        #expect(json["unreadable"]?[0]?["file"] == "missing.har")
        #expect(json["files"] == 3)
        #expect(json["notes"] == 1)
    }
}
