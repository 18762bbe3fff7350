import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct RepairTests {
    private static let head = #"{"log":{"version":"1.2","creator":{"name":"","version":""},"entries":["#

    /// An entry that needs no repair.
    private static let entry =
        #"{"startedDateTime":"2026-01-01T00:00:00Z","time":1,"cache":{},"timings":{"send":0,"wait":1,"receive":0},"#
        + #""request":{"method":"GET","url":"http://a.test/","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"#
        + #""queryString":[],"headersSize":-1,"bodySize":-1},"response":{"status":200,"statusText":"","#
        + #""httpVersion":"HTTP/1.1","cookies":[],"headers":[],"content":{"size":0,"mimeType":""},"redirectURL":"","#
        + #""headersSize":-1,"bodySize":-1}}"#

    private static let broken = Data("\(head)\(entry),\(entry),{\"c\":".utf8)

    @Test func `har repair repairs an archive in place and prints the result`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.broken, to: "a.har")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let run = try await HarRun("repair", "a.har", in: folder)
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n")
        let removal = "Removed an incomplete entry before the missing end of an archive. [incomplete-entry] at /log"
        #expect(lines.first?.hasSuffix(removal) == true)
        #expect(lines[1].hasSuffix("Added the missing end of the archive. [missing-end] at /log"))
        #expect(lines.last == "a.har: repaired; 2 entries kept, 4 bytes removed, 1 other repair")
        #expect(try HAR.Log(contentsOf: file).entries.count == 2)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        let again = try await HarRun("repair", "a.har", in: folder)
        #expect(again.status == 0)
        #expect(again.output == "a.har: valid, nothing to repair; 2 entries\n")
    }

    @Test func `a file that cannot be repaired is unchanged`() async throws {
        let folder = try TemporaryFolder()
        let data = Data(#"{"log":{"entries":[{"a":1},x,{"b":2}]}}"#.utf8)
        let file = try folder.write(data, to: "a.har")
        let run = try await HarRun("repair", "a.har", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: "))
        #expect(try Data(contentsOf: file) == data)
    }

    private static let brokenWithin = Data(#"{"log":{"entries":[{"a":1},{"b" 2},{"c":3}]}}"#.utf8)

    @Test func `the error for an invalid entry contains its index and a suggestion`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.brokenWithin, to: "a.har")
        let run = try await HarRun("repair", "a.har", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: a.har:1:33: /log/entries/1 (byte 32): "))
        #expect(run.errors.contains("entry 1"))
        #expect(run.errors.contains("--broken aside"))
        #expect(try Data(contentsOf: file) == Self.brokenWithin)
    }

    @Test func `--broken moves invalid entries to a separate file or deletes them`() async throws {
        let folder = try TemporaryFolder()
        let text = Data("\(Self.head)\(Self.entry),{\"b\" 2},\(Self.entry)]}}".utf8)
        let file = try folder.write(text, to: "a.har")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let aside = try await HarRun("repair", "--broken", "aside", "a.har", in: folder)
        #expect(aside.status == 0)
        #expect(aside.output.hasSuffix("a.har: repaired; 2 entries kept, 1 invalid entry moved to a.har.broken.txt\n"))
        #expect(try folder.read("a.har.broken.txt") == Data("{\"b\" 2}\n".utf8))
        #expect(try HAR.Log(contentsOf: file).entries.count == 2)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        try folder.write(text, to: "a.har")
        let dropped = try await HarRun("repair", "--broken", "drop", "a.har", in: folder)
        #expect(dropped.output.hasSuffix("a.har: repaired; 2 entries kept, 1 invalid entry dropped\n"))
        let again = try await HarRun("repair", "a.har", in: folder)
        #expect(again.output == "a.har: valid, nothing to repair; 2 entries\n")
    }

    @Test func `each repair is printed with its location, and a dry run changes nothing`() async throws {
        let folder = try TemporaryFolder()
        let entry = Self.entry.replacing("\"status\":200", with: "\"status\":\"200\"")
        let text = Data(
            "cb(\(Self.head)\n\(([Self.entry] + Array(repeating: entry, count: 5)).joined(separator: ",\n"))]}})".utf8)
        let file = try folder.write(text, to: "a.har")
        let plan = try await HarRun("repair", "--dry-run", "a.har", in: folder)
        #expect(plan.status == 1)
        #expect(plan.output.hasSuffix("a.har: can be repaired; 6 entries kept, 7 repairs\n"))
        #expect(try Data(contentsOf: file) == text)
        let all = try await HarRun("repair", "--dry-run", "--all", "a.har", in: folder)
        #expect(all.output.split(separator: "\n").count == 8)
        let json = try await HarRun("repair", "--dry-run", "--json", "a.har", in: folder)
        let report = try JSONValue(parsing: Data(json.output.utf8))
        #expect(report["repairs"]?.array?.count == 7)
        #expect(report["repairCount"] == 7)
        #expect(report["entries"] == 6)
        let run = try await HarRun("repair", "a.har", in: folder)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "a.har:1:1: Removed text outside the archive. [surrounding-text] at /log")
        #expect(lines[1].hasPrefix("a.har:3:"))
        #expect(
            lines[1].hasSuffix(
                ": Converted `status` from a string to a number. [wrong-type] at /log/entries/1/response/status"))
        #expect(lines.contains("a.har: 2 more repairs [wrong-type]; --all prints all"))
        #expect(lines.last == "a.har: repaired; 6 entries kept, 7 repairs")
        #expect(try await HarRun("check", "a.har", in: folder).status == 0)
    }

    @Test func `a dry run fails if the archive needs repairs, and describes what would be done`() async throws {
        let folder = try TemporaryFolder()
        let text = Data("\(Self.head)null,\(Self.entry),7,{\"b\" 2},\(Self.entry)],\"_x\":{\"a\" 1}}}".utf8)
        try folder.write(text, to: "a.har")
        let refused = try await HarRun("repair", "--dry-run", "a.har", in: folder)
        #expect(refused.status == 1 && refused.errors.contains("/log/entries/2 ") && refused.errors.contains("entry 2"))
        let plan = try await HarRun("repair", "--dry-run", "--broken", "aside", "a.har", in: folder)
        #expect(plan.status == 1)
        #expect(plan.output.contains("Removed an element of `entries` that is not an object. [broken-text]"))
        #expect(plan.output.contains("2 invalid entries and 1 invalid field to be moved to a.har.broken.txt"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.har"])
        let json = try await HarRun("repair", "--dry-run", "--json", "--broken", "drop", "a.har", in: folder)
        let report = try JSONValue(parsing: Data(json.output.utf8))
        #expect(report["repairCount"]?.int == report["repairs"]?.array?.count)
        #expect(report["invalidEntries"] == 2 && report["invalidFields"] == 1)
        #expect(try await HarRun("repair", "--broken", "drop", "a.har", in: folder).status == 0)
        #expect(try await HarRun("repair", "--dry-run", "a.har", in: folder).status == 0)
    }

    @Test func `a dry run of a truncated archive has the locations of the repair`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.broken, to: "a.har")
        let plan = try await HarRun("repair", "--dry-run", "a.har", in: folder)
        let copy = try await HarRun("repair", "a.har", "b.har", in: folder)
        let run = try await HarRun("repair", "a.har", in: folder)
        #expect(plan.output == run.output.replacing(": repaired;", with: ": can be repaired;"))
        #expect(copy.output == run.output)
    }

    @Test func `har repair writes to another file or a pipe, and reads compressed files and pipes`() async throws {
        let folder = try TemporaryFolder()
        let text = Data("cb(\(Self.head)\(Self.entry),\(Self.entry)]}});".utf8)
        try folder.write(text, to: "a.har")
        let file = try await HarRun("repair", "a.har", "b.har.gz", in: folder)
        #expect(file.output.hasSuffix("a.har: repaired; 2 entries kept, 2 repairs\n"))
        #expect(try folder.read("b.har.gz").starts(with: [0x1F, 0x8B]))
        #expect(try folder.read("a.har") == text)
        let zip = try await HarRun("repair", "b.har.gz", "c.har.zip", in: folder)
        #expect(zip.output == "b.har.gz: valid, nothing to repair; 2 entries\n")
        #expect(try await HarRun("repair", "c.har.zip", in: folder).errors.contains("cannot be repaired in place"))
        let pipe = try await HarRun("repair", "-", "-", in: folder, input: text)
        #expect(pipe.status == 0)
        let output = try folder.write(Data(pipe.output.utf8), to: "d.har")
        #expect(try HAR.Log(contentsOf: output).entries.count == 2)
        #expect(pipe.errors.hasPrefix("standard input:1:1: Removed text outside the archive. [surrounding-text]"))
        let plan = try await HarRun("repair", "--dry-run", "c.har.zip", in: folder)
        #expect(plan.output == "c.har.zip: valid, nothing to repair; 2 entries\n")
        let closed = try await HarRun(shell: #""$HAR" repair - - < a.har | head -c 10"#, in: folder)
        #expect(closed.status == 0)
    }

    @Test(arguments: [
        ["-"], ["--dry-run", "a.har", "b.har"], ["--json", "a.har", "-"], ["--broken", "aside", "-", "-"],
    ])
    func `har repair rejects arguments without a possible result`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.broken, to: "a.har")
        #expect(try await HarRun(["repair"] + arguments, in: folder).status == 2)
    }

    @Test(arguments: [
        ["filter", "--entries", "0-9"], ["merge"], ["split", "--by", "count=1"], ["copy"], ["redact"],
        ["export", "--to", "ndjson"],
    ])
    func `commands never write an invalid entry`(command: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.brokenWithin, to: "a.har")
        let command = command.map { "'\($0)'" }.joined(separator: " ")
        let run = try await HarRun(
            shell: #"RELAY_REDACTION_KEY=0123456789abcdef0123 "$HAR" \#(command) a.har b"#, in: folder)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: a.har:1:33: /log/entries/1 (byte 32): "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.har"])
    }

    @Test func `an error in piped input names the input`() async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("split", "--by", "count=1", "-", "b", in: folder, input: Self.brokenWithin)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: standard input:1:33: /log/entries/1 (byte 32): "))
    }

    @Test(arguments: ["entries", "check", "index", "replay"])
    func `every command reports an invalid entry that it reads`(command: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.brokenWithin, to: "a.har")
        let run = try await HarRun(command, "a.har", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: a.har:1:33: /log/entries/1 (byte 32): "))
    }

    @Test func `repairing a missing file fails and does not create it`() async throws {
        let folder = try TemporaryFolder()
        #expect(try await HarRun("repair", "a.har", in: folder).status == 1)
        #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("a.har").path))
        #expect(try await HarRun("repair", "-", in: folder).status == 2)
    }

    @Test func `errors suggest har repair if a repair may help`() async throws {
        let folder = try TemporaryFolder()
        let whole = "\(Self.head)\(Self.entry)]}}"
        for text in [
            "\(whole)\n\(whole)", "\(whole)\n[INFO] {a}", "\(whole)\0\0", whole.replacing("\"", with: "'"),
            whole.replacing("\"version\":\"1.2\"", with: "“version”:\"1.2\""), "[\(Self.entry)]", "\0\(whole)",
        ] {
            try folder.write(Data(text.utf8), to: "a.har")
            let run = try await HarRun("check", "a.har", in: folder)
            #expect(run.status == 1)
            #expect(run.errors.hasSuffix("har: note: to repair a damaged archive, use: har repair a.har\n"), "\(text)")
            #expect(try await HarRun("repair", "a.har", in: folder).status == 0, "\(text)")
        }
        try folder.write(#require(whole.data(using: .utf16LittleEndian)), to: "a.har")
        #expect(try await HarRun("check", "a.har", in: folder).errors.contains("or use `har repair`"))
        for text in ["hello", "{\"a\":1} x", "{\"version\":1}", "<p>The version of its entries</p>", "\0\u{1}\0"] {
            try folder.write(Data(text.utf8), to: "a.har")
            #expect(try await !HarRun("check", "a.har", in: folder).errors.contains("har repair"), "\(text)")
        }
    }

    @Test func `other commands reject a truncated archive and suggest har repair`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.broken, to: "a.har")
        let run = try await HarRun("merge", "a.har", "b.har", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("har repair"))
    }
}
