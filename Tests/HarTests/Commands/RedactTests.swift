import Foundation
import HTTPArchive
import Testing

@Suite struct RedactTests {
    private static var secret: HAR.Log {
        .sample(
            .sample(
                "GET", "https://a.test/?api_key=Zq7pl4nt3d",
                requestHeaders: [HAR.Header(name: "Authorization", value: "Bearer Zq7pl4nt3d")],
                body: #"{"token":"Zq7pl4nt3d"}"#, type: "application/json"))
    }

    @Test func `takes the secrets out, and says how many of which kinds there were`() async throws {
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

    @Test func `reads and writes pipes, and its own input`() async throws {
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

    @Test func `takes what the options say`() async throws {
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
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("number 1, is no regular expression") && !wrong.errors.contains("my("))
    }

    @Test func `redacts files beside the archive, and names by SHA-1 follow`() async throws {
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
        #expect(run.errors.contains("missing.json: This file of a body cannot be read."))
        let output = folder.url.appendingPathComponent("out")
        let names = try FileManager.default.contentsOfDirectory(atPath: output.path)
        #expect(names.count == 3 && names.contains("plain.json") && !names.contains(name))
        let redacted = try HAR.Log(contentsOf: output.appendingPathComponent("b.har"))
        let renamed = try #require(redacted.entries[0].response.content["_file"]?.text)
        #expect(names.contains(renamed) && renamed.hasSuffix(".json") && renamed.count == 45)
        #expect(try !String(contentsOf: output.appendingPathComponent(renamed), encoding: .utf8).contains("Zq7"))
        #expect(try await HarRun("check", "--secrets", "out/b.har", in: folder).status == 0)
    }

    @Test func `check finds what is left, and never says it`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.secret, to: "a.har")
        try folder.write(.shop, to: "b.har")
        let run = try await HarRun("check", "--secrets", "a.har", "b.har", in: folder)
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                "a.har: error: A secret (header field `Authorization`); `har redact` takes it out. [secret] at /log/entries/0/request/headers/0/value (byte "
            ))
        #expect(run.output.hasSuffix("\n2 files: 3 errors, 0 warnings, 0 notes\n"))
        #expect(!run.output.contains("Zq7") && run.errors == "")
        #expect(try await HarRun("check", "--secrets", "b.har", in: folder).status == 0)
    }
}
