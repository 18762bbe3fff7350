import Foundation
import HTTPArchive
import TestSupport
import Testing

/// Tests of output files: permissions, special files, and outputs that are the same file as the input.
@Suite(.limited) struct OutputTests {
    /// The commands that write a file, and whether the file is redacted.
    private static let commands: [(arguments: [String], isRedacted: Bool)] = [
        (["copy", "shop.har"], false), (["filter", "--status", "2xx", "shop.har"], false),
        (["merge", "shop.har", "shop.har"], false), (["redact", "shop.har"], true),
        (["import", "vinyl.json"], false), (["export", "--to", "curl", "shop.har"], false),
        (["export", "--to", "dvr", "shop.har"], false), (["export", "--to", "ndjson", "shop.har"], false),
        (["table", "shop.har", "-o"], false),
    ]

    private func folder() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        #expect(try await HarRun("export", "--to", "vinyl", "shop.har", "vinyl.json", in: folder).status == 0)
        return folder
    }

    private func mode(of name: String, in folder: TemporaryFolder) throws -> mode_t {
        var status = stat()
        try #require(lstat(folder.url.appendingPathComponent(name).path, &status) == 0, "\(name)")
        return status.st_mode
    }

    @Test func `a new file is private, unless it is redacted`() async throws {
        let folder = try await folder()
        for (index, (arguments, isRedacted)) in Self.commands.enumerated() {
            let command = arguments.joined(separator: " ")
            let run = try await HarRun(shell: "umask 027; exec \"$HAR\" \(command) new\(index)", in: folder)
            #expect(run.status == 0, "\(command): \(run.errors)")
            #expect(try mode(of: "new\(index)", in: folder) == S_IFREG | (isRedacted ? 0o640 : 0o600), "\(command)")
        }
        #expect(try await HarRun("split", "--by", "host", "shop.har", "parts", in: folder).status == 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/parts") {
            #expect(try mode(of: "parts/" + name, in: folder) == S_IFREG | 0o600)
        }
    }

    @Test func `a replaced file keeps its permissions`() async throws {
        let folder = try await folder()
        for (arguments, _) in Cases.some(4, of: Self.commands) where !["merge", "import"].contains(arguments[0]) {
            for mode: mode_t in [0o600, 0o664] {
                try folder.write(Data("old".utf8), to: "old")
                #expect(chmod(folder.url.appendingPathComponent("old").path, mode) == 0)
                #expect(try await HarRun(arguments + ["old"], in: folder).status == 0)
                #expect(try self.mode(of: "old", in: folder) == S_IFREG | mode, "\(arguments)")
                #expect(try folder.read("old") != Data("old".utf8))
            }
        }
    }

    @Test func `pipes, devices and redirected output are written to and not replaced`() async throws {
        let folder = try await folder()
        for (arguments, _) in Cases.some(4, of: Self.commands) {
            let command = "\"$HAR\" " + arguments.joined(separator: " ")
            let expected = try await HarRun(shell: command + " -", in: folder).data
            let pipe = try await HarRun(
                shell: "mkfifo p; cat p > piped & \(command) p; wait; test -p p && rm p", in: folder)
            #expect(pipe.status == 0, "\(command): \(pipe.errors)")
            #expect(try folder.read("piped") == expected, "\(command)")
            let redirected = "echo before > file; \(command) /dev/stdout >> file && echo after >> file"
            #expect(try await HarRun(shell: redirected, in: folder).status == 0)
            #expect(try folder.read("file") == Data("before\n".utf8) + expected + Data("after\n".utf8), "\(command)")
            #expect(try await HarRun(shell: command + " /dev/null && test -c /dev/null", in: folder).status == 0)
        }
        #expect(!FileManager.default.fileExists(atPath: "/dev/null.part"))
    }

    @Test func `writing to a full device fails`() async throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let folder = try await folder()
        for (arguments, _) in Cases.some(4, of: Self.commands) {
            #expect(try await HarRun(arguments + ["/dev/full"], in: folder).status == 1, "\(arguments)")
        }
    }

    @Test func `an export never replaces its archive`() async throws {
        let folder = try await folder()
        let file = { folder.url.appendingPathComponent($0).path }
        #expect(symlink("shop.har", file("link")) == 0 && link(file("shop.har"), file("hardlink")) == 0)
        let before = try folder.read("shop.har")
        for name in ["shop.har", "./shop.har", "link", "hardlink"] {
            for command in [
                ["export", "--to", "curl"], ["export", "--to", "dvr"], ["import"], ["merge", "vinyl.json"],
                ["table", "-o"],
            ] {
                let run = try await HarRun(command + ["shop.har", name], in: folder)
                #expect(run.status == 1, "\(command) \(name)")
                #expect(run.errors.contains("choose"), "\(run.errors)")
            }
        }
        let piped = try await HarRun(shell: "\"$HAR\" export --to curl - shop.har < shop.har", in: folder)
        #expect(piped.status == 1)
        #expect(try folder.read("shop.har") == before)
    }

    @Test func `har redact writes body files to the current folder if its output is a pipe or a device`() async throws {
        let folder = try TemporaryFolder()
        let name = "bodies-\(UUID().uuidString).txt"
        var log = HAR.Log.sample(.sample("GET", "https://a.test/", body: nil, type: "text/plain"))
        log.entries[0].response.content["_file"] = .string(JSONString(name))
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("sub"), withIntermediateDirectories: false)
        try folder.write(log, to: "sub/a.har")
        try folder.write(Data("plain".utf8), to: "sub/" + name)
        #expect(try await HarRun("redact", "sub/a.har", "/dev/null", in: folder).status == 0)
        #expect(try folder.read(name) == Data("plain".utf8))
        #expect(!FileManager.default.fileExists(atPath: "/dev/" + name))
    }

    @Test func `an export never includes a forbidden body file`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data("KEY=Zq7pl4nt3d".utf8), to: ".env")
        for message in ["request", "response"] {
            var log = HAR.Log.sample(.sample("POST", "https://a.test/", body: "x", type: "text/plain"))
            if message == "request" {
                log.entries[0].request.postData = HAR.PostData(fields: ["mimeType": "text/plain", "_file": ".env"])
            } else {
                log.entries[0].response.content = HAR.Content(fields: ["mimeType": "text/plain", "_file": ".env"])
            }
            try folder.write(log, to: "a.har")
            for form in ["curl", "vinyl", "dvr", "ndjson", "markdown", "k6", "swift"] {
                let run = try await HarRun("export", "--to", form, "a.har", in: folder)
                // Formats without the body do not read the file.
                let readsFile = form != "ndjson" && (message == "request" || form != "curl" && form != "k6")
                #expect(run.errors.contains("hidden") == readsFile, "\(message) \(form) \(run.errors)")
                #expect(!run.output.contains("Zq7"), "\(form)")
            }
            let table = try await HarRun("table", "--bodies", "a.har", in: folder)
            #expect(table.errors.contains("hidden") && !table.output.contains("Zq7"))
            let options = message == "request" ? ["--request"] : []
            #expect(try await HarRun(["body", "a.har", "0"] + options, in: folder).output == "")
            let replay = try await HarRun("replay", "--verbose", "a.har", in: folder)
            #expect(!(replay.output + replay.errors).contains("Zq7"))
        }
    }
}
