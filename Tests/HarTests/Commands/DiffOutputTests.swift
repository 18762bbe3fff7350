import Foundation
import HTTPArchive
import Testing

/// Tests of the input and the output of `har diff`.
@Suite(.limited) struct DiffOutputTests {
    @Test func `prints JSON`() async throws {
        let long = String(repeating: "x", count: 100)
        let first = HAR.Log.sample(.json(#"{"a": 1, "ts": 1700000000000}"#), .sample("GET", "https://a.test/old"))
        let second = HAR.Log.sample(
            .sample("GET", "https://a.test/new", status: 404),
            .json(#"{"a": "\#(long)", "ts": 1700000009999}"#, headers: [HAR.Header(name: "X", value: "1")]))
        let run = try await HarRun.diff(first, second, "--json")
        #expect(run.status == 1)
        #expect(
            try JSONValue(parsing: run.data) == [
                "added": [["index": 0, "method": "GET", "url": "https://a.test/new", "status": 404]],
                "removed": [["index": 1, "method": "GET", "url": "https://a.test/old", "status": 200]],
                "changed": [
                    [
                        "a": 0, "b": 1, "method": "GET", "url": "https://a.test/",
                        "differences": [
                            ["part": "header", "name": "x", "b": "1"],
                            ["part": "body", "pointer": "/a", "a": 1, "b": .string(JSONString(long))],
                        ],
                    ]
                ],
                "ignored": [["part": "body", "name": "/ts", "count": 1]], "equal": 0,
            ])
        let equal = try await HarRun.diff(.sample(), .sample(), "--json")
        #expect(
            try JSONValue(parsing: equal.data) == [
                "added": [], "removed": [], "changed": [], "ignored": [], "equal": 0,
            ])
    }

    @Test func `one of the archives can be standard input`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        let data = try folder.read("a.har")
        for arguments in [["-", "a.har"], ["a.har", "-"]] {
            let run = try await HarRun(["diff"] + arguments, in: folder, input: data)
            #expect(run.output == "0 added, 0 removed, 0 changed, 7 equal\n")
            #expect(run.status == 0)
        }
    }

    @Test func `compares the entries that conditions select`() async throws {
        var second = HAR.Log.shop
        second.entries[2].response.status = 500
        #expect(try await HarRun.diff(.shop, second, "--host", "shop.test").status == 0)
        #expect(try await HarRun.diff(.shop, second, "--host", "cdn.test").output.contains("    status 200 → 500\n"))
    }

    @Test(arguments: [
        "a.har missing.har", "a.har broken.har", "truncated.har a.har", "- -", "--ignore x a.har a.har",
        "--ignore json:x a.har a.har", "--json --matching a.har a.har", "--all --matching a.har a.har", "a.har",
    ])
    func `exits with status 2 for an error`(arguments: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        try folder.write(Data(#"{"log":{"entries":[{},{"request":{]}]}}"#.utf8), to: "broken.har")
        try folder.write(Data(#"{"log":{"entries":[{},{"req"#.utf8), to: "truncated.har")
        let run = try await HarRun(shell: "\"$HAR\" diff \(arguments) < /dev/null", in: folder)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("har: error: "))
    }

    @Test func `secrets are masked`() async throws {
        func entry(_ secret: String) -> HAR.Entry {
            var entry = HAR.Entry.json(
                #"{"access_token": "\#(secret)", "user": {"password": {"x": "\#(secret)"}}, "note": "key \#(secret)!"}"#,
                url: "https://a.test/?token=\(secret)", headers: [HAR.Header(name: "X-Api-Key", value: secret)])
            entry.request.headers = [
                HAR.Header(name: "Authorization", value: "Bearer \(secret)"),
                HAR.Header(name: "Cookie", value: "id=\(secret)"),
            ]
            return entry
        }
        let secrets = ["Zq7pl4nt3dSecret01", "Zq7pl4nt3dSecret02"]
        for options in [["--all"], ["--all", "--json"], []] {
            let folder = try TemporaryFolder()
            try folder.write(.sample(entry(secrets[0])), to: "a.har")
            try folder.write(.sample(entry(secrets[1]), entry(secrets[0])), to: "b.har")
            let run = try await HarRun(["diff"] + options + ["a.har", "b.har"], in: folder)
            #expect(run.status == 1)
            for secret in secrets { #expect(!run.output.contains(secret), "\(options) \(run.output)") }
        }
        let run = try await HarRun.diff(.sample(entry(secrets[0])), .sample(entry(secrets[1])), "--all")
        #expect(run.output.contains("\n    request header authorization: ••• (only a secret differs)\n"))
        #expect(run.output.contains("\n    body /access_token: \"•••\" (only a secret differs)\n"))
    }

    @Test func `secrets of fields that are equal in both entries are masked in other fields`() async throws {
        let secrets = (both: "hunter-number-22", first: "correct horse battery", second: "rubber ducks 4711")
        func entry(_ line: String, _ secret: String, ofRequest header: String) -> HAR.Entry {
            let body = "<p>\(line)</p>\n<p>The end</p>\n<script>\nvar x = {\"password\": \"\(secret)\"}\n</script>\n"
            return .sample(
                "GET", "https://a.test/",
                requestHeaders: [
                    HAR.Header(name: "X-Api-Key", value: secrets.both), HAR.Header(name: "X-Kind", value: header),
                ],
                headers: [HAR.Header(name: "X-Token", value: secrets.both)], body: body, type: "text/html")
        }
        let lines = "\(secrets.both), \(secrets.first), \(secrets.second)"
        for headers in [("a", "a"), (secrets.first, secrets.both)] {
            let run = try await HarRun.diff(
                .sample(entry("old: \(lines)", secrets.first, ofRequest: headers.0)),
                .sample(entry("new: \(lines)", secrets.second, ofRequest: headers.1)), "--all")
            #expect(run.output.contains("body line 1: <p>old: REDACTED"), "\(run.output)")
            for secret in [secrets.both, secrets.first, secrets.second] {
                #expect(!run.output.contains(secret), "\(secret): \(run.output)")
            }
        }
    }

    @Test func `replaces terminal control characters`() async throws {
        let hostile = "\u{1B}[2J\u{202E}"
        let header = HAR.Header(name: "X\(hostile)", value: hostile)
        let entry = HAR.Entry.sample("GET", "https://a.test/", headers: [header], body: "a\(hostile)")
        let run = try await HarRun.diff(
            .sample(entry, .sample("G\(hostile)", "https://a.test/\(hostile)")),
            .sample(.sample("GET", "https://a.test/", body: "b\(hostile)")))
        #expect(run.status == 1)
        #expect(!run.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }

    @Test func `exits without an error when the reader of a pipe exits`() async throws {
        let folder = try TemporaryFolder()
        let path = String(repeating: "a", count: 1000)
        let entries = (0..<400).map { HAR.Entry.sample("GET", "https://a.test/\(path)/\($0)") }
        try folder.write(HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: entries), to: "a.har")
        try folder.write(.sample(), to: "b.har")
        let run = try await HarRun(shell: #""$HAR" diff b.har a.har | head -n 1"#, in: folder)
        #expect(run.output.hasPrefix("+ 0 GET https://a.test/a"))
        #expect(run.errors == "")
    }
}
