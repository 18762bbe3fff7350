import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct ExportTests {
    /// Exports an archive to standard output; the shop archive by default.
    private func exported(_ form: String, _ log: HAR.Log = .shop) async throws -> (text: String, errors: String) {
        let folder = try TemporaryFolder()
        try folder.write(log, to: "shop.har")
        let run = try await HarRun("export", "--to", form, "shop.har", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        return (run.output, run.errors)
    }

    private func quoting(_ text: String) -> HAR.Log {
        var entry = HAR.Entry.sample("POST", "https://a.test/?q='x'&y=$HOME", body: "it's `\"fine\"` \u{2028}")
        entry.request.headers = [HAR.Header(name: "Authorization", value: "Bearer it's $(secret)")]
        entry.request.postData = HAR.PostData(mimeType: "text/plain", text: text)
        return .sample(entry)
    }

    @Test(arguments: ["curl", "vinyl", "dvr", "ndjson", "markdown", "k6", "swift"])
    func `a request with many header fields is exported`(form: String) async throws {
        var entry = HAR.Entry.sample("GET", "https://a.test/", body: "a")
        entry.request.headers = (0..<1_000).map { HAR.Header(name: "X-\($0)", value: "\($0)") }
        entry.response.headers = (0..<1_000).map { HAR.Header(name: "X-\($0 % 2)", value: "\($0)") }
        #expect(try await exported(form, .sample(entry)).text.contains("a.test"))
    }

    @Test func `curl commands have shell quoting`() async throws {
        let folder = try TemporaryFolder()
        let body = "it's \"$HOME\" `pwd` \\n\n!"
        try folder.write(quoting(body), to: "a.har")
        // A shell function replaces curl and prints its arguments.
        let script = """
            "$HAR" export --to curl a.har a.sh && sh -n a.sh
            curl() { for word in "$@"; do printf '<%s>' "$word"; done; }
            . ./a.sh
            """
        let run = try await HarRun(shell: script, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.hasPrefix("<https://a.test/?q='x'&y=$HOME>"))
        #expect(run.output.contains("<-H><Authorization: Bearer it's $(secret)>"))
        #expect(run.output.hasSuffix("<--data-raw><\(body)>"))
    }

    @Test func `curl commands accept compressed responses, and a comment names each omitted entry`() async throws {
        var compressed = HAR.Entry.sample("GET", "https://a.test/", body: "a")
        compressed.request.headers = [HAR.Header(name: "accept-encoding", value: "gzip, br")]
        var plain = HAR.Entry.sample("GET", "https://a.test/plain", body: "a")
        plain.request.headers = [HAR.Header(name: "Accept-Encoding", value: "identity")]
        let data = HAR.Entry.sample("GET", "data:,a\nb", body: "a")
        let lines = try await exported("curl", .sample(compressed, plain, data)).text.split(separator: "\n")
        #expect(
            lines.dropFirst(2) == [
                "curl 'https://a.test/' -H 'accept-encoding: gzip, br' --compressed",
                "curl 'https://a.test/plain' -H 'Accept-Encoding: identity'",
                "# Left out: entry 2, GET data:,a b: the scheme is data, not http or https",
            ])
    }

    @Test func `curl commands send the cookies of requests without a Cookie field`() async throws {
        var recorded = HAR.Entry.sample("GET", "https://a.test/", body: "a")
        recorded.request.cookies = [HAR.Cookie(name: "a", value: "1"), HAR.Cookie(name: "b", value: "2=3")]
        var sent = recorded
        sent.request.headers = [HAR.Header(name: "cookie", value: "c=4")]
        let lines = try await exported("curl", .sample(recorded, sent)).text.split(separator: "\n")
        #expect(
            lines.dropFirst(2) == [
                "curl 'https://a.test/' -H 'Cookie: a=1; b=2=3'", "curl 'https://a.test/' -H 'cookie: c=4'",
            ])
    }

    /// A POST request whose media type is recorded only with its body.
    private var posted: HAR.Entry {
        var entry = HAR.Entry.sample("POST", "https://a.test/", body: "a")
        entry.request.postData = HAR.PostData(mimeType: "application/json", text: "{}")
        return entry
    }

    @Test(arguments: [
        ("curl", "-H 'Content-Type: application/json'"), ("k6", #""headers":{"Content-Type":"application/json"}"#),
        ("vinyl", #""Content-Type":"application/json""#), ("dvr", #""Content-Type":"application/json""#),
    ])
    func `a media type that is recorded only with the body is sent`(form: String, field: String) async throws {
        #expect(try await exported(form, .sample(posted)).text.contains(field))
        var sent = posted
        sent.request.headers = [HAR.Header(name: "content-type", value: "text/x")]
        #expect(try await !exported(form, .sample(sent)).text.contains("application/json"))
    }

    @Test func `Markdown contains the reason of a failure and the messages`() async throws {
        var entry = HAR.Entry.sample("GET", "https://a.test/", status: 0)
        entry["_error"] = "net::ERR_FAILED"
        entry["_webSocketMessages"] = [
            ["type": "send", "time": 1767268800.5, "opcode": 1, "data": #"{"a":1}"#],
            ["type": "receive", "time": -1, "opcode": 2, "data": "AAEC"], ["type": "receive", "opcode": 8, "data": ""],
            ["type": "error", "data": "lost"],
        ]
        let run = try await exported("markdown", .sample(entry))
        #expect(run.errors == "")
        #expect(
            run.text.hasSuffix(
                """
                ### Response: 0

                Failed: `net::ERR_FAILED`

                ### Messages: 4

                Sent, text, 0.500 s

                ```json
                {"a":1}
                ```

                Received, binary

                A binary body of 3 bytes.

                Received, close

                error

                ```
                lost
                ```


                """), "\(run.text)")
    }

    @Test(arguments: ["vinyl", "dvr"])
    func `a warning has the number of repeated header fields`(form: String) async throws {
        let headers = ["set-cookie", "Set-Cookie", "set-cookie", ":a", ":a", "x"].map {
            HAR.Header(name: $0, value: "v")
        }
        let run = try await exported(form, .sample(.sample("GET", "https://a.test/", headers: headers)))
        #expect(
            run.errors == "har: warning: joined 2 repeated header fields of 1 entry with commas, because the \(form) "
                + "format has one value per name\n")
    }

    @Test(arguments: ["curl", "vinyl", "dvr", "k6", "swift"])
    func `a warning has the number of messages that are left out`(form: String) async throws {
        var entry = posted
        entry["_webSocketMessages"] = [["data": "a"], ["data": "b"]]
        let run = try await exported(form, .sample(entry, posted))
        #expect(
            run.errors
                == "har: warning: left out 2 WebSocket messages of 1 entry, which the \(form) format cannot represent\n"
        )
    }

    @Test(arguments: ["3-1", "0x3", "3..5", "3,", "99999999999999999999"])
    func `a mistyped index is not an output file`(index: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("export", "--to", "curl", "shop.har", index, in: folder)
        #expect((run.status, run.output) == (2, ""))
        let message = "expected an index such as 3 or a range such as 7-9, found '\(index)'; "
        #expect(run.errors.hasPrefix("har: error: " + message), "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["shop.har"])
        #expect(try await HarRun("export", "--to", "curl", "shop.har", "--output", index, in: folder).status == 0)
        #expect(try await HarRun("export", "--to", "curl", "shop.har", "1", "\(index).sh", in: folder).status == 0)
    }

    @Test(arguments: ["curl", "dvr"])
    func `a warning is printed if no entry matches the indices and conditions`(form: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("export", "--to", form, "shop.har", "3", "--entries", "2", in: folder)
        #expect(run.status == 0)
        #expect(run.errors == "har: warning: no entry matches the conditions; the output has no entries\n")
    }

    @Test func `a warning counts the entries that a format cannot represent`() async throws {
        let curl = try await exported("curl")
        #expect(curl.text.split(separator: "\n").count { $0.hasPrefix("curl ") } == 6)
        #expect(curl.errors == "har: warning: skipped 1 entry that the curl format cannot represent\n")
        let vinyl = try await exported("vinyl")
        #expect(vinyl.errors == "har: warning: skipped 2 entries that the vinyl format cannot represent\n")
    }

    @Test(arguments: ["vinyl", "dvr"]) func `Content-Length is the length of the exported body`(form: String)
        async throws
    {
        var log = quoting("four")
        let length = HAR.Header(name: "content-length", value: "99")
        log.entries[0].request.headers.append(length)
        log.entries[0].response.headers.append(length)
        let entry = log.entries[0]
        let lengths = try await exported(form, log).text.matches(of: /content-length"\s*:\s*"(\d+)"/).map { Int($0.1) }
        #expect(lengths == [entry.request.body.data?.count, entry.response.body.data?.count])
    }

    /// An entry whose response body is in a file that does not exist, and a complete entry.
    private var logWithMissingFile: HAR.Log {
        var gone = HAR.Entry.sample("GET", "https://a.test/0", body: nil)
        gone.response.content["_file"] = "gone.txt"
        return .sample(gone, .sample("GET", "https://a.test/1", body: "x"))
    }

    @Test(arguments: ["curl", "ndjson", "k6"])
    func `only the body files that a format needs are read`(form: String) async throws {
        let result = try await exported(form, logWithMissingFile)
        #expect(result.text.contains("https://a.test/0") && result.text.contains("https://a.test/1"))
        #expect(result.errors == "")
    }

    @Test(arguments: ["vinyl", "dvr", "markdown", "swift"])
    func `a body file that cannot be read is reported, and the other entries are exported`(form: String) async throws {
        let result = try await exported(form, logWithMissingFile)
        #expect(result.text.contains("https://a.test/0") == (form == "markdown"))
        #expect(result.text.contains("The body cannot be read from its file.") == (form == "markdown"))
        #expect(result.text.contains("https://a.test/1"))
        let warnings = result.errors.split(separator: "\n")
        #expect(warnings.count == (form == "markdown" ? 1 : 2), "\(result.errors)")
        #expect(warnings.last?.hasPrefix("har: warning: shop.har: entry 0: gone.txt: body file not read: ") == true)
    }

    @Test func `a comment in curl scripts names a request body file that cannot be read`() async throws {
        var gone = HAR.Entry.sample("POST", "https://a.test/0", body: "x")
        gone.request.postData = HAR.PostData(mimeType: "text/plain")
        gone.request.postData?["_file"] = "gone.txt"
        let result = try await exported("curl", .sample(gone, .sample("GET", "https://a.test/1", body: "x")))
        #expect(result.text.contains("https://a.test/0: the request body cannot be read from its file\n"))
        #expect(result.text.contains("curl 'https://a.test/1'"))
        #expect(result.errors.contains("entry 0: gone.txt: body file not read: "))
    }

    @Test func `NDJSON contains the unchanged entries`() async throws {
        let text = try await exported("ndjson").text
        let lines = text.split(separator: "\n")
        let entries = try lines.map { HAR.Entry(fields: try #require(JSONValue(parsing: String($0)).object)) }
        #expect(entries == HAR.Log.shop.entries)
    }

    @Test func `Markdown fences are longer than fences in bodies`() async throws {
        let text = try await exported("markdown", quoting("a\n```\n# b")).text
        #expect(text.hasPrefix("# shop\n\n## 0: POST `https://a.test/?q='x'&y=$HOME`\n"))
        #expect(text.contains("| `Authorization` | `Bearer it's $(secret)` |"))
        #expect(text.contains("````\na\n```\n# b\n````\n"))
    }

    @Test func `Markdown tables and code spans keep delimiters with combining marks`() async throws {
        var log = quoting("x")
        log.entries[0].request.headers = [
            HAR.Header(name: "A", value: #"\|"#), HAR.Header(name: "B", value: "|\u{301}"),
            HAR.Header(name: "C", value: "`\u{301}"),
        ]
        let text = try await exported("markdown", log).text
        #expect(text.contains(#"| `A` | \\\| |"# + "\n"))
        #expect(text.contains("| `B` | `\\|\u{301}` |\n"))
        #expect(text.contains("| `C` | `` `\u{301} `` |\n"))
    }

    @Test func `k6 scripts send a header field named __proto__`() async throws {
        var log = quoting("x")
        log.entries[0].request.headers = [HAR.Header(name: "__proto__", value: "a")]
        let text = try await exported("k6", log).text
        #expect(text.contains(#"{"headers":{["__proto__"]:"a","Content-Type":"text/plain"},"redirects":0}"#))
    }

    @Test func `the names of k6 checks contain no double colons`() async throws {
        let url = "http://[::1]/:::\u{301}?a::b:"
        let text = try await exported("k6", .sample(.sample("GET", url))).text
        #expect(text.contains(#"http.request("GET", "\#(url)", "#))
        let name = "0: GET http://[%3A%3A1]/%3A%3A:\u{301}?a%3A%3Ab%3A%3A 200"
        #expect(text.contains(#"check(response, { "\#(name)": (r) => "#), "\(text)")
    }

    @Test func `k6 scripts contain JavaScript literals`() async throws {
        var log = quoting("a\"\\\n\u{2029}")
        log.entries[0].request.headers.append(HAR.Header(name: "Content-Length", value: "7"))
        var binary = HAR.Entry.sample("PUT", "https://a.test/")
        binary.request.postData = HAR.PostData(mimeType: "image/png", text: "AP8B")
        binary.request.postData?["_encoding"] = "base64"
        log.entries.append(binary)
        let text = try await exported("k6", log).text
        #expect(
            text.contains(
                #"http.request("POST", "https://a.test/?q='x'&y=$HOME", "a\"\\\n\u2029", {"headers":{"Authorization":"Bearer it's $(secret)","Content-Type":"text/plain"},"redirects":0});"#
            ))
        #expect(text.contains(#"http.request("PUT", "https://a.test/", encoding.b64decode("AP8B", "std"), "#))
        #expect(text.contains(#"(r) => r.status === 200 });"#))
        #expect(text.hasSuffix("}\n"))
    }

    @Test(arguments: ["curl", "vinyl", "dvr", "ndjson", "markdown", "k6", "swift"])
    func `har export writes complete files, from files and pipes`(form: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "archive.har")
        try folder.write(Data("old".utf8), to: "out")
        let script = """
            "$HAR" export --to \(form) archive.har out 2>errors && "$HAR" export --to \(form) - <archive.har 2>errors
            """
        let run = try await HarRun(shell: script, in: folder)
        #expect(run.status == 0)
        #expect(run.data == (try folder.read("out")))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted().filter { $0 != "caches" }
                == ["archive.har", "errors", "out"])
    }

    @Test func `a truncated archive is not exported, and the old output is unchanged`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(#"{"log":{"entries":[{"request":{"url":"http://a.test"#.utf8), to: "a.har")
        try folder.write(Data("old".utf8), to: "out")
        let run = try await HarRun("export", "--to", "ndjson", "a.har", "out", in: folder)
        #expect(run.status == 1)
        #expect(try folder.read("out") == Data("old".utf8))
    }

    @Test(arguments: ["curl", "dvr", "ndjson"])
    func `a file with the given entries is written if they are before the damage`(form: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(.sample("GET", "https://a.test/0"), .sample("GET", "https://a.test/1")), to: "a.har")
        try folder.write(folder.read("a.har").dropLast(100), to: "a.har")
        for (arguments, isWritten) in [(["a.har", "0", "out"], true), (["a.har", "0-1", "out2"], false)] {
            let run = try await HarRun(["export", "--to", form] + arguments, in: folder)
            #expect(run.status == 1 && run.errors.hasPrefix("har: error: a.har:"), "\(run.errors)")
            let path = folder.url.appendingPathComponent(arguments[2]).path
            #expect(FileManager.default.fileExists(atPath: path) == isWritten)
        }
        #expect(try String(decoding: folder.read("out"), as: UTF8.self).contains("https://a.test/0"))
    }
}
