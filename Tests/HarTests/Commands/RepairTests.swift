import Foundation
import HTTPArchive
import Testing

@Suite struct RepairTests {
    private static let broken = Data(#"{"log":{"version":"1.2","entries":[{"a":1},{"b":2},{"c":"#.utf8)

    @Test func `har repair repairs an archive in place and prints the result`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.broken, to: "a.har")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let run = try await HarRun("repair", "a.har", in: folder)
        #expect(run.status == 0)
        #expect(run.output == "a.har: repaired; 2 entries kept, 6 bytes removed\n")
        #expect(try HAR.Log(contentsOf: file).entries.count == 2)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        let again = try await HarRun("repair", "a.har", in: folder)
        #expect(again.status == 0)
        #expect(again.output == "a.har: valid; 2 entries\n")
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
        let file = try folder.write(Self.brokenWithin, to: "a.har")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let aside = try await HarRun("repair", "--broken", "aside", "a.har", in: folder)
        #expect(aside.status == 0)
        #expect(aside.output == "a.har: repaired; 2 entries kept, 1 invalid entry moved to a.har.broken.txt\n")
        #expect(try folder.read("a.har.broken.txt") == Data("{\"b\" 2}\n".utf8))
        #expect(try HAR.Log(contentsOf: file).entries.count == 2)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        try folder.write(Self.brokenWithin, to: "a.har")
        let dropped = try await HarRun("repair", "--broken", "drop", "a.har", in: folder)
        #expect(dropped.output == "a.har: repaired; 2 entries kept, 1 invalid entry dropped\n")
        #expect(try await HarRun("repair", "a.har", in: folder).output == "a.har: valid; 2 entries\n")
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

    @Test func `other commands reject a truncated archive and suggest har repair`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.broken, to: "a.har")
        let run = try await HarRun("merge", "a.har", "b.har", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("har repair"))
    }
}
