import ArchiveInspection
import Foundation
import HTTPArchive
import Testing

@testable import har

@Suite(.limited) struct DiffMarkdownTests {
    @Test func `the summary lists added, removed and changed entries, and secrets`() async throws {
        let secret = HAR.Header(name: "Authorization", value: "Bearer abcdefghijklmnopqrstuvwxyz012345")
        let run = try await HarRun.diff(
            .sample(.sample("GET", "https://a.test/", body: "1"), .sample("GET", "https://a.test/old")),
            .sample(
                .sample("GET", "https://a.test/", status: 404, body: "2"),
                .sample("POST", "https://a.test/new", requestHeaders: [secret])),
            "--markdown")
        #expect(run.status == 1)
        #expect(run.errors == "")
        #expect(
            run.output == """
                #### `b.har`: 1 added, 1 removed, 1 changed, 0 equal

                **1 secret in the new version:**

                - ``Found a secret (header field `Authorization`); `har redact` replaces it. (/log/entries/1/request/headers/0/value)``

                Added:

                - `POST https://a.test/new` 200

                Removed:

                - `GET https://a.test/old` 200

                Changed:

                - `GET https://a.test/`
                  - `status 200 → 404`
                  - `body line 1: 1 → 2`


                """, "\(run.output)")
    }

    @Test func `text from archives is only in code spans`() async throws {
        let hostile = "@team #1 | ` `` </code><img src=x> [a](b) **x**\n\n# y\r\u{202E}\u{1B}[31m ```"
        func entry(_ text: String) -> HAR.Entry {
            .sample("GET", "https://a.test/", headers: [HAR.Header(name: "X-\(text)", value: text)], body: text)
        }
        let run = try await HarRun.diff(
            .sample(entry("1"), .sample("@x`", "https://a.test/`@old\n")),
            .sample(entry(hostile), .sample("GET|", "https://a.test/\(hostile)")), "--markdown")
        #expect(run.status == 1)
        for line in run.output.split(separator: "\n") {
            #expect(line.unicodeScalars.allSatisfy { !$0.isUnprintable }, "\(line)")
            // Code spans are replaced as a parser of Markdown finds them.
            let outside = line.replacing(/(`+)(?!`).*?[^`]\1(?!`)/, with: "")
            #expect(!outside.contains { "@<`[".contains($0) }, "\(line): \(outside)")
        }
        #expect(run.output.contains("@team") && run.output.contains("@old"))
    }

    @Test func `the summary is limited to 60,000 bytes`() async throws {
        func log(_ host: String, _ count: Int) -> HAR.Log {
            var log = HAR.Log.sample()
            let path = String(repeating: "ä", count: 200)
            let cookie = HAR.Header(name: "Cookie", value: "session=abcdefghijklmnopqrstuvwxyz")
            log.entries = (0..<count).map {
                .sample("GET", "https://\(host).test/\($0)/\(path)", requestHeaders: [cookie], body: "\(host)\($0)")
            }
            for index in 0..<count {
                log.entries.append(.sample("GET", "https://same.test/\(index)", body: "\(host) \(path)"))
            }
            return log
        }
        let run = try await HarRun.diff(log("a", 400), log("b", 500), "--markdown")
        #expect(run.status == 1)
        #expect(50_000...60_000 ~= run.data.count, "\(run.data.count)")
        #expect(
            run.output.hasPrefix("#### `b.har`: 600 added, 400 removed, 400 changed, 0 equal\n"),
            "\(run.output.prefix(99))")
        #expect(run.output.matches(of: /(?m)^- … and \d+ more$/).count == 4)
    }

    @Test func `archives without differences have a summary of one line`() async throws {
        let run = try await HarRun.diff(.shop, .shop, "--markdown")
        #expect(run.status == 0)
        #expect(run.output == "#### `b.har`: 0 added, 0 removed, 0 changed, 7 equal\n\n")
    }

    @Test func `a dry run of redact writes nothing, and fails if there are secrets`() async throws {
        let folder = try TemporaryFolder()
        let secret = HAR.Header(name: "Authorization", value: "Bearer abcdefghijklmnopqrstuvwxyz012345")
        try folder.write(.sample(.sample("GET", "https://a.test/", requestHeaders: [secret])), to: "a.har")
        var entry = HAR.Entry.sample("GET", "https://a.test/", body: nil, type: "application/json")
        entry.response.content["_file"] = .text("body.json")
        try folder.write(.sample(entry), to: "b.har")
        try folder.write(Data(#"{"password":"correct horse battery"}"#.utf8), to: "body.json")
        try folder.write(.sample(.sample("GET", "https://a.test/")), to: "c.har")
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        for (name, status) in [("a.har", 1), ("b.har", 1), ("c.har", 0)] as [(String, Int32)] {
            let content = try folder.read(name)
            let run = try await HarRun("redact", "--dry-run", name, in: folder)
            #expect(run.status == status, "\(name): \(run.errors)")
            #expect(run.output == "" && run.errors.hasPrefix(status == 1 ? "1 secret (" : "0 secrets"), "\(run.errors)")
            #expect(try folder.read(name) == content)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before)
        for arguments in [["redact", "a.har"], ["redact", "--dry-run", "a.har", "d.har"]] {
            #expect(try await HarRun(arguments, in: folder).status == 2)
        }
    }
}
