import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct CheckTests {
    @Test func `an archive written by the library has no findings`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(.sample("GET", "https://a.test/", body: "a")), to: "a.har")
        let run = try await HarRun("check", "a.har", in: folder)
        #expect(run.status == 0)
        #expect(run.output == "1 file: 0 errors, 0 warnings, 0 notes\n")
    }

    @Test func `methods and names of headers that HTTP does not allow are warnings`() async throws {
        let folder = try TemporaryFolder()
        func entry(_ method: String, _ name: String) -> HAR.Entry {
            .sample(method, "https://a.test/", headers: [HAR.Header(name: name, value: "x")], body: "a")
        }
        let log = HAR.Log.sample(entry("", "X-A"), entry("GE T", ""), entry("M-SEARCH", "x y"), entry("GET", "ä"))
        try folder.write(log, to: "a.har")
        let run = try await HarRun("check", "--all", "a.har", in: folder)
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count { $0.contains("[invalid-method]") } == 2, "\(run.output)")
        #expect(run.output.split(separator: "\n").count { $0.contains("[invalid-header-name]") } == 3, "\(run.output)")
    }

    @Test(arguments: [
        ["--pattern", "x", "a.har"], ["--header", "x", "a.har"], ["--allow", "x", "a.har"],
        ["--secrets", "--pattern", "(", "a.har"], ["-", "-"],
    ])
    func `options that have no effect or are invalid are usage errors`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        #expect(try await HarRun(["check"] + arguments, in: folder).status == 2)
    }

    @Test func `a finding shows a file, a severity, a rule and a location`() async throws {
        let folder = try TemporaryFolder()
        let document = #"{"log": {"version": "1.2", "creator": {"name": "a", "version": "1"}, "entries": 5}}"#
        try folder.write(Data(document.utf8), to: "a.har")
        let run = try await HarRun("check", "a.har", in: folder)
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("a.har: error: "))
        #expect(run.output.contains(" at /log/entries (byte "))
        #expect(run.output.hasSuffix("\n1 file: 1 error, 0 warnings, 0 notes\n"))
    }

    @Test func `findings of many entries and of other values between them are in the order of the file`() async throws {
        let folder = try TemporaryFolder()
        let entry = #"{"request": {"method": ""}}"#
        let entries = (0..<60).map { $0 % 25 == 24 ? "null" : entry }.joined(separator: ",")
        try folder.write(Data(#"{"log": {"entries": [\#(entries), {]}}"#.utf8), to: "a.har")
        let run = try await HarRun("check", "--all", "a.har", in: folder)
        #expect(run.status == 1)
        // The text after the entries is not valid. The entries before it are checked.
        let found = run.output.split(separator: "\n").compactMap { line -> Int? in
            guard line.contains("[invalid-method]") || line.contains("found null") else { return nil }
            return line.split(separator: "/log/entries/").last.flatMap { Int($0.prefix(while: \.isNumber)) }
        }
        #expect(found == Array(0..<60), "\(run.output)")
    }

    @Test func `findings of more entries than are checked at a time have the indices of their entries`() async throws {
        let folder = try TemporaryFolder()
        let count = 3000
        let entries = (0..<count).map { #"{"request": {"method": "\#($0 % 700 == 0 ? "" : "GET")"}}"# }
        try folder.write(Data(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#.utf8), to: "a.har")
        let run = try await HarRun("check", "--all", "a.har", in: folder)
        let found = run.output.split(separator: "\n").compactMap { line -> Int? in
            guard line.contains("[invalid-method]") else { return nil }
            return line.split(separator: "/log/entries/").last.flatMap { Int($0.prefix(while: \.isNumber)) }
        }
        #expect(found == Array(stride(from: 0, to: count, by: 700)))
    }

    @Test func `findings are grouped by rule, and only the first three of each rule are printed`() async throws {
        let folder = try TemporaryFolder()
        var log = HAR.Log.sample(.sample("GET", "https://a.test/", body: "a"))
        for index in 0..<5 {
            log.entries[0]["x\(index)"] = .number(JSONNumber(1))
            log.entries[0].request["_\(index)"] = .number(JSONNumber(1))
        }
        log.entries[0].request["method"] = nil
        try folder.write(log, to: "a.har")
        let run = try await HarRun("check", "a.har", in: folder)
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " at /").first ?? "" }
        let unknown = (0..<3).map {
            "a.har: note: `x\($0)` in an entry is not in HAR 1.2. Names of custom fields must begin with an underscore. [unknown-field]"
        }
        #expect(
            lines.filter { $0.contains("unknown-field") }.map(String.init) == unknown + [
                "a.har: note: 2 more findings [unknown-field]; --all prints all"
            ])
        #expect(lines.first?.hasPrefix("a.har: error: `method` is missing") == true)
        let all = try await HarRun("check", "--all", "a.har", in: folder)
        #expect(all.output.split(separator: "\n").count { $0.contains("[unknown-field]") } == 5)
    }

    @Test func `an error for a misspelled entries member suggests the correct name`() async throws {
        let folder = try TemporaryFolder()
        let document = #"{"log": {"version": "1.2", "entires": [{"request": {}}]}}"#
        try folder.write(Data(document.utf8), to: "a.har")
        for command in ["check", "entries", "inspect", "replay"] {
            let run = try await HarRun(command, "a.har", in: folder)
            #expect(run.status == 1)
            #expect(run.errors.contains("/log/entires"), "\(command)")
            #expect(run.errors.contains("Expected `entries` in `log`, found `entires`. Correct the name."))
        }
    }

    @Test func `har check continues with the other files if a file cannot be read`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(), to: "a.har")
        let run = try await HarRun("check", "missing.har", "a.har", in: folder)
        #expect(run.status == 1)
        #expect(run.output == "2 files (1 unreadable): 0 errors, 0 warnings, 0 notes\n")
        #expect(
            run.errors
                == "har: error: missing.har: The file cannot be read: No such file or directory. Check the path. [unreadableFile]\n"
        )
    }

    @Test func `har check --json writes a JSON object`() async throws {
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
