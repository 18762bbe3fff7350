import Foundation
import HTTPArchive
import Testing

/// Tests with a folder that the user has no permission to read.
@Suite(.limited, .enabled(if: geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
struct UnreadableFolderTests {
    /// The command that runs the tool as a user without privileges, because the administrator can read any folder.
    private static let prefix =
        geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs " : ""

    /// A folder `all` with an archive, a recording, and a folder that cannot be read.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let secret = folder.url.appendingPathComponent("all/closed")
        try FileManager.default.createDirectory(at: secret, withIntermediateDirectories: true)
        try folder.write(.sample(.sample("GET", "https://a.test/")), to: "all/a.har")
        try folder.write(.sample(.sample("GET", "https://b.test/")), to: "all/closed/b.har")
        let track = #"[{"request":{"url":"https://c.test"},"response":{"url":"https://c.test","status":200}}]"#
        try folder.write(Data(track.utf8), to: "all/c.json")
        for (name, mode) in [
            ("all/closed", 0), ("all", 0o755), ("all/a.har", 0o644), ("all/c.json", 0o644), (".", 0o755),
        ] {
            let path = folder.url.appendingPathComponent(name).path
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        return folder
    }

    private func run(_ arguments: String, in folder: TemporaryFolder) async throws -> HarRun {
        try await HarRun(shell: "\(Self.prefix)\"$HAR\" \(arguments)", in: folder)
    }

    @Test(arguments: [
        ("import all -", "https://c.test"), ("table all --columns url", "https://a.test/"), ("status all", "all/a.har"),
        ("status --json --sources all all/a.har", "all/a.har"),
    ])
    func `a subfolder that cannot be read is reported, and the other files are read`(
        arguments: String, output: String
    ) async throws {
        let folder = try Self.folder()
        let run = try await run(arguments, in: folder)
        #expect(run.output.contains(output), "\(run.output)")
        #expect(run.status == 1)
        let errors = run.errors.split(separator: "\n").filter { $0.hasPrefix("har: error: ") }
        #expect(errors.count == 1, "\(run.errors)")
        #expect(
            errors.first?.hasSuffix("all/closed: cannot read the folder; check its permissions [unreadableFile]")
                == true)
    }

    @Test(arguments: [
        "copy all/a.har all/b.har", "filter --method GET all/a.har all/a.har", "repair all/a.har all/b.har",
        "redact all/a.har all/a.har", "export --to ndjson all/a.har all/b.ndjson", "table all/a.har -o all/b.csv",
        "split --by host all/a.har all", "index --output all/a.index all/a.har",
        "record all/c.har -- http://127.0.0.1:1/",
        "record all/a.har -- http://127.0.0.1:1/",
    ])
    func `output in a folder without write permission is an error, and nothing changes`(arguments: String) async throws
    {
        let folder = try Self.folder()
        let path = folder.url.appendingPathComponent("all").path
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path) }
        let before = try folder.read("all/a.har")
        let run = try await run(arguments, in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("har: error: "), "\(run.errors)")
        #expect(run.errors.lowercased().contains("permission") || run.errors.contains("writable"), "\(run.errors)")
        #expect(try folder.read("all/a.har") == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["a.har", "c.json", "closed"])
    }

    @Test(arguments: [
        "import all/closed -", "table all/closed", "status all/closed", "status --sources all/closed all/a.har",
    ])
    func `a folder that cannot be read is an error`(arguments: String) async throws {
        let folder = try Self.folder()
        let run = try await run(arguments, in: folder)
        #expect(run.status == 1)
        #expect(
            run.errors.contains("all/closed: cannot read the folder; check its permissions [unreadableFile]\n"),
            "\(run.errors)")
    }
}
