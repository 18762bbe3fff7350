import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct RedactTests {
    private static var secret: HAR.Log {
        .sample(
            .sample(
                "GET", "https://a.test/?api_key=Zq7pl4nt3d",
                requestHeaders: [HAR.Header(name: "Authorization", value: "Bearer Zq7pl4nt3d")],
                body: #"{"token":"Zq7pl4nt3d"}"#, type: "application/json"))
    }

    @Test func `har redact replaces secrets and prints their number by kind`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.secret, to: "a.har")
        let run = try await HarRun("redact", "a.har", "b.har", in: folder)
        #expect(run.status == 0)
        #expect(run.errors == "3 secrets (JSON member: 1, header field: 1, query item: 1)\n")
        let text = String(decoding: try folder.read("b.har"), as: UTF8.self)
        #expect(!text.contains("Zq7pl4nt3d"))
        #expect(Set(text.matches(of: /REDACTED-[0-9a-f]{16}/).map(\.output)).count == 1)
        #expect(try await HarRun("check", "b.har", in: folder).status == 0)
    }

    @Test func `har redact works with pipes and in place`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.secret, to: "a.har")
        let piped = try await HarRun("redact", "-", "-", in: folder, input: Data(contentsOf: file))
        #expect(piped.status == 0)
        #expect(try await HarRun("redact", "a.har", "a.har", in: folder).status == 0)
        #expect(try folder.read("a.har") == piped.data)
        let again = try await HarRun("redact", "a.har", "-", in: folder)
        #expect(again.data == piped.data)
        #expect(again.errors == "0 secrets\n")
    }

    @Test func `the options specify additional secrets`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            .sample(.sample("GET", "https://a.test/?t=acme", body: #"{"iban":"DE1","pin":"0000","x":"emp-17"}"#)),
            to: "a.har")
        let run = try await HarRun(
            "redact", "--query", "t", "--json-key", "iban", "--pattern", "emp-[0-9]+", "--allow", "pin", "a.har", "-",
            in: folder)
        #expect(run.output.contains("?t=REDACTED-"))
        #expect(!run.output.contains("DE1") && !run.output.contains("emp-17") && run.output.contains("0000"))
        let wrong = try await HarRun("redact", "--pattern", "my(", "a.har", "-", in: folder)
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("Pattern 1 for secrets is not a valid") && !wrong.errors.contains("my("))
    }

    @Test func `body files are redacted, and files named by their SHA-1 are renamed`() async throws {
        let folder = try TemporaryFolder()
        let body = Data(#"{"token":"Zq7pl4nt3d"}"#.utf8)
        let name = "981d107ebf13f26b9536ecc246116796dc27c687.json"
        try folder.write(body, to: name)
        try folder.write(body, to: "plain.json")
        var log = HAR.Log.sample()
        for name in [name, "plain.json", "missing.json", "../a"] {
            var entry = HAR.Entry.sample("GET", "https://a.test/", body: nil, type: "application/json")
            entry.response.content["_file"] = .string(JSONString(name))
            log.entries.append(entry)
        }
        try folder.write(log, to: "a.har")
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("out"), withIntermediateDirectories: false)
        let found = try await HarRun("check", "--secrets", "a.har", in: folder)
        #expect(found.output.contains("at /log/entries/0/response/content/_file"))
        let run = try await HarRun("redact", "a.har", "out/b.har", in: folder)
        #expect(run.status == 0)
        #expect(run.errors.contains("missing.json: body file not redacted"))
        let output = folder.url.appendingPathComponent("out")
        let names = try FileManager.default.contentsOfDirectory(atPath: output.path)
        #expect(names.count == 3 && names.contains("plain.json") && !names.contains(name))
        let redacted = try HAR.Log(contentsOf: output.appendingPathComponent("b.har"))
        let renamed = try #require(redacted.entries[0].response.content["_file"]?.text)
        #expect(names.contains(renamed) && renamed.hasSuffix(".json") && renamed.count == 45)
        #expect(try !String(contentsOf: output.appendingPathComponent(renamed), encoding: .utf8).contains("Zq7"))
        #expect(try await HarRun("check", "--secrets", "out/b.har", in: folder).status == 0)
    }

    @Test(arguments: ["safe.har", "a.har"])
    func `lengths in the archive match the redacted body file`(output: String) async throws {
        let folder = try TemporaryFolder()
        let body = Data(#"{"token":"Zq7pl4nt3d"}"#.utf8)
        try folder.write(body, to: "body.json")
        var log = HAR.Log.sample()
        for _ in 1...2 {
            var entry = HAR.Entry.sample("GET", "https://a.test/", body: nil, type: "application/json")
            entry.response.headers += [HAR.Header(name: "content-length", value: "\(body.count)")]
            entry.response.bodySize = body.count
            entry.response.content.size = body.count
            entry.response.content["_file"] = "body.json"
            log.entries.append(entry)
        }
        try folder.write(log, to: "a.har")
        #expect(try await HarRun("redact", "a.har", output, in: folder).status == 0)
        for entry in try HAR.Log(contentsOf: folder.url.appendingPathComponent(output)).entries {
            let file = try #require(entry.response.content["_file"]?.text)
            let size = try Data(contentsOf: folder.url.appendingPathComponent(file)).count
            #expect(size != body.count)
            #expect(entry.response.headers.contains { $0.name == "content-length" && $0.value == "\(size)" })
            #expect(entry.response.bodySize == size)
            #expect(entry.response.content.size == size)
        }
    }

    /// Returns an archive with one entry for each body file.
    ///
    /// The bodies are forms by default.
    private static func naming(_ names: [String], type: String = "application/x-www-form-urlencoded") -> HAR.Log {
        var log = HAR.Log.sample()
        for name in names {
            var entry = HAR.Entry.sample("POST", "https://a.test/", body: nil, type: type)
            entry.response.content["_file"] = .string(JSONString(name))
            log.entries.append(entry)
        }
        return log
    }

    @Test(arguments: ["safe.har", "a.har"])
    func `a file that the archive refers to is never replaced`(output: String) async throws {
        let folder = try TemporaryFolder()
        let text = Data("password=Zq7pl4nt3d&token=Zq7pl4nt3d".utf8)
        let file = { folder.url.appendingPathComponent($0).path }
        try FileManager.default.createDirectory(atPath: file("sub"), withIntermediateDirectories: false)
        let names = ["notes.txt", ".env", "sub/.env", "sub/form", "pipe", "link", "twice.txt"]
        for name in names where name != "pipe" && name != "link" { try folder.write(text, to: name) }
        #expect(mkfifo(file("pipe"), 0o600) == 0 && symlink("notes.txt", file("link")) == 0)
        try folder.write(Self.naming(names + ["a.har", "../a", "twice.txt"]), to: "a.har")
        let before = try folder.read("a.har")
        let run = try await HarRun("redact", "a.har", output, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        for name in names where name != "pipe" { #expect(try folder.read(name) == text, "\(name)") }
        for name in [".env", "sub/.env", "pipe", "link", "../a"] {
            #expect(run.errors.contains("har: warning: \(name): body file not redacted"), "\(name)")
        }
        if output != "a.har" { #expect(try folder.read("a.har") == before) }
        let log = try HAR.Log(contentsOf: folder.url.appendingPathComponent(output))
        let new = log.entries.map { $0.response.content["_file"]?.text ?? "" }
        #expect(new[1] == ".env" && new[4] == "pipe" && new[5] == "link")
        for (name, folderName) in [(new[0], ""), (new[3], "sub/"), (new[6], "")] {
            #expect(name.wholeMatch(of: /(sub\/)?[0-9a-f]{40}(\.txt)?/) != nil, "\(name)")
            #expect(name.hasPrefix(folderName))
            #expect(try !String(decoding: folder.read(name), as: UTF8.self).contains("Zq7"))
        }
        #expect(new[6] == new[9])
        let again = try await HarRun("redact", output, output, in: folder)
        #expect(again.status == 0)
        #expect(try HAR.Log(contentsOf: folder.url.appendingPathComponent(output)) == log)
    }

    @Test func `files in another folder are not replaced, and links are not followed`() async throws {
        let folder = try TemporaryFolder()
        let file = { folder.url.appendingPathComponent($0).path }
        for name in ["in/sub", "out", "elsewhere"] {
            try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
        }
        try folder.write(Data("password=Zq7pl4nt3d".utf8), to: "in/form.txt")
        try folder.write(Data("mine".utf8), to: "out/form.txt")
        try folder.write(Data("plain".utf8), to: "in/plain.txt")
        #expect(symlink("../elsewhere/plain.txt", file("out/plain.txt")) == 0)
        try folder.write(Self.naming(["form.txt", "plain.txt"]), to: "in/a.har")
        #expect(try await HarRun("redact", "in/a.har", "out/a.har", in: folder).status == 0)
        #expect(try folder.read("out/form.txt") == Data("mine".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: file("elsewhere")).isEmpty)
        let log = try HAR.Log(contentsOf: URL(fileURLWithPath: file("out/a.har")))
        for entry in log.entries {
            let name = try #require(entry.response.content["_file"]?.text)
            #expect(try !String(decoding: folder.read("out/" + name), as: UTF8.self).contains("Zq7"))
        }
        try folder.write(Data("plain".utf8), to: "in/sub/plain.txt")
        #expect(symlink("../elsewhere", file("out/sub")) == 0)
        try folder.write(Self.naming(["sub/plain.txt"]), to: "in/b.har")
        let run = try await HarRun("redact", "in/b.har", "out/b.har", in: folder)
        #expect(run.status == 1 && run.errors.contains("not a folder"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: file("elsewhere")).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: file("out/b.har")))
    }

    @Test func `a body file is redacted for the media type of each entry`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(#"{"password":"Zq7pl4nt3d"}"#.utf8), to: "a.dat")
        var log = Self.naming(["a.dat"], type: "image/png")
        log.entries += Self.naming(["a.dat"], type: "application/json").entries
        try folder.write(log, to: "a.har")
        #expect(try await HarRun("redact", "a.har", "a.har", in: folder).status == 0)
        let redacted = try HAR.Log(contentsOf: folder.url.appendingPathComponent("a.har"))
        let name = try #require(redacted.entries[1].response.content["_file"]?.text)
        #expect(try !String(decoding: folder.read(name), as: UTF8.self).contains("Zq7"))
    }

    @Test func `the warning for a file above the size limit names the option`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data("password=Zq7pl4nt3d&x=\(String(repeating: "x", count: 9000))".utf8), to: "form.txt")
        try folder.write(Self.naming(["form.txt"]), to: "a.har")
        let run = try await HarRun("redact", "--size-limit", "5kB", "a.har", "b.har", in: folder)
        #expect(run.status == 0 && run.errors.contains("form.txt") && run.errors.contains("--size-limit"))
        #expect(try await HarRun("body", "--size-limit", "5kB", "a.har", "0", in: folder).status == 1)
        #expect(try await HarRun("body", "a.har", "0", in: folder).output.hasPrefix("password=Zq7pl4nt3d"))
    }

    @Test func `har check --secrets reports remaining secrets without their values`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.secret, to: "a.har")
        try folder.write(.shop, to: "b.har")
        let run = try await HarRun("check", "--secrets", "a.har", "b.har", in: folder)
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                "a.har: error: Found a secret (header field `Authorization`); `har redact` replaces it. [secret] at /log/entries/0/request/headers/0/value (byte "
            ))
        #expect(run.output.hasSuffix("\n2 files: 3 errors, 0 warnings, 0 notes\n"))
        #expect(!run.output.contains("Zq7") && run.errors == "")
        #expect(try await HarRun("check", "--secrets", "b.har", in: folder).status == 0)
    }
}
