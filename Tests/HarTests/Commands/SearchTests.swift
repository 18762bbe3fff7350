import Foundation
import HTTPArchive
import Testing

@testable import har

@Suite(.limited) struct SearchTests {
    private func search(_ arguments: String..., in log: HAR.Log = Self.log) async throws -> HarRun {
        let folder = try TemporaryFolder()
        try folder.write(log, to: "a.har")
        return try await HarRun(["search", "a.har"] + arguments, in: folder)
    }

    private static var log: HAR.Log {
        let type = HAR.Header(name: "Content-Type", value: "text/plain; charset=utf-8")
        var encoded = HAR.Entry.sample("GET", "https://a.test/base64", headers: [type], body: "R3LDvMOfZQ==")
        encoded.response.content.encoding = "base64"
        var image = HAR.Entry.sample("GET", "https://a.test/image", body: "bmVlZGxl", type: "image/png")
        image.response.content.encoding = "base64"
        var socket = HAR.Entry.sample("GET", "wss://a.test/socket", status: 101)
        socket.fields["_webSocketMessages"] = [["type": "send", "time": 1, "opcode": 1, "data": "a needle"]]
        var posted = HAR.Entry.sample("POST", "https://a.test/form")
        posted.request.postData = HAR.PostData(mimeType: "text/plain", text: "first\nsecond needle here\nthird")
        return .sample(
            .sample("GET", "https://a.test/items/gr%C3%BC%C3%9Fe"),
            .sample("GET", "https://a.test/", headers: [HAR.Header(name: "X-Name", value: "Needle")]), encoded, image,
            socket, posted, .sample("GET", "https://a.test/slash", body: "a/b \"quoted\" \\ <tag>"))
    }

    @Test func `prints each match with its entry, part and line`() async throws {
        let run = try await search("needle")
        #expect(run.status == 0)
        #expect(
            run.output == """
                1 GET 200 https://a.test/
                    response header: X-Name: Needle
                4 GET 101 wss://a.test/socket
                    sent message: a needle
                5 POST 200 https://a.test/form
                    request body:2: second needle here

                """)
    }

    @Test func `searches decoded bodies and URLs`() async throws {
        let run = try await search("GRÜßE")
        #expect(
            run.output == """
                0 GET 200 https://a.test/items/gr%C3%BC%C3%9Fe
                    decoded url: https://a.test/items/grüße
                2 GET 200 https://a.test/base64
                    response body:1: Grüße

                """)
    }

    @Test(arguments: ["a/b", "\"quoted\"", "\\ <", "<TAG>"])
    func `finds text that JSON escapes`(text: String) async throws {
        #expect(try await search("--in", "body", text).output.hasPrefix("6 GET 200 https://a.test/slash\n"))
    }

    @Test func `the case matters only with --match-case`() async throws {
        #expect(try await search("--match-case", "Needle", "--count").output == "1\n")
        #expect(try await search("NEEDLE", "--count").output == "3\n")
    }

    @Test func `finds matches of a regular expression`() async throws {
        let run = try await search("--regex", "^second .* here$")
        #expect(run.output.hasSuffix("request body:2: second needle here\n"))
        let invalid = try await search("--regex", "(")
        #expect(invalid.status == 2)
        #expect(invalid.errors.contains("'(' is not a valid regular expression; for its syntax, see https://"))
    }

    @Test func `a regular expression that needs too much memory for one entry is an error`() async throws {
        let text = "<script>" + String(repeating: "ab ", count: 333_333) + "</script>"
        let log = HAR.Log.sample(
            .sample("GET", "https://a.test/0", body: text),
            .sample("GET", "https://a.test/1", body: "<script>ab</script>"))
        for (options, output) in [(["--count"], "1\n"), ([], "1 GET 200 https://a.test/1\n")] {
            let folder = try TemporaryFolder()
            try folder.write(log, to: "a.har")
            let arguments = ["search", "a.har", "--regex", #"<script>(a|b|\s)*</script>"#] + options
            let run = try await HarRun(arguments, in: folder)
            #expect(run.status == 2)
            #expect(run.output.hasPrefix(output), "\(run.output)")
            #expect(run.errors.contains("a.har: /log/entries/0: The regular expression '<script>"), "\(run.errors)")
        }
    }

    @Test func `a regular expression that needs too much time is an error, which ends the search after ten entries`()
        async throws
    {
        let body = String(repeating: "a", count: 50) + "!"
        let entries = (0..<30).map { HAR.Entry.sample("GET", "https://b.test/\($0)", body: body) }
        let folder = try TemporaryFolder()
        try folder.write(HAR.Log(creator: HAR.Creator(name: "x", version: "1"), entries: entries), to: "a.har")
        let run = try await HarRun("search", "a.har", "--regex", "(a+)+$", in: folder)
        #expect(run.status == 2)
        #expect(run.errors.contains("a.har: /log/entries/0: The regular expression '(a+)+$' needs"), "\(run.errors)")
    }

    @Test func `only line feeds and carriage returns end lines`() async throws {
        let body = "one\u{2028}two MATCH\r\nthree MATCH\rfour MATCH"
        let run = try await search("MATCH", in: .sample(.sample("GET", "https://a.test/0", body: body)))
        for number in 1...3 { #expect(run.output.contains("response body:\(number): "), "\(run.output)") }
    }

    @Test func `a byte order mark is not part of a text`() async throws {
        let body = "\u{FEFF}MATCH"
        let run = try await search("--regex", "^MATCH$", in: .sample(.sample("GET", "https://a.test/0", body: body)))
        #expect(run.output.hasSuffix("    response body:1: MATCH\n"))
    }

    @Test func `prints lines around a match in a body`() async throws {
        let run = try await search("--context", "1", "second")
        #expect(run.output.hasSuffix("\n      first\n    request body:2: second needle here\n      third\n"))
    }

    @Test func `lines around matches are printed once, and distant lines are separated`() async throws {
        let body = (1...12).map { [2, 3, 5, 11].contains($0) ? "\($0) x and x" : "\($0)" }.joined(separator: "\n")
        let log = HAR.Log.sample(.sample("GET", "https://a.test/", body: body))
        #expect(
            try await search("x", "--in", "body", "--context", "1", in: log).output == """
                0 GET 200 https://a.test/
                      1
                    response body:2: 2 x and x
                    response body:3: 3 x and x
                      4
                    response body:5: 5 x and x
                      6
                      --
                      10
                    response body:11: 11 x and x
                      12

                """)
    }

    @Test func `distant matches in a long line are shown separately`() async throws {
        let body = "a x" + String(repeating: "-", count: 121) + "x b x"
        let log = HAR.Log.sample(.sample("GET", "https://a.test/", body: body))
        let dashes = String(repeating: "-", count: 60)
        #expect(
            try await search("x", "--in", "body", in: log).output == """
                0 GET 200 https://a.test/
                    response body:1: a x\(dashes)…
                    response body:1: …\(dashes)x b x

                """)
    }

    @Test func `--limit limits the matches of each entry`() async throws {
        let log = HAR.Log.sample(
            .sample("GET", "https://a.test/x", body: "x\nx\nx"), .sample("GET", "https://a.test/", body: "x x"))
        #expect(
            try await search("x", "--limit", "2", in: log).output == """
                0 GET 200 https://a.test/x
                    url: https://a.test/x
                    response body:1: x
                    … 2 more matches; list them with --limit
                1 GET 200 https://a.test/
                    response body:1: x x

                """)
        let json = try JSONValue(parsing: await search("x", "--limit", "1", "--json", in: log).data)
        #expect(json.array?.compactMap { $0["index"]?.int } == [0, 1])
        #expect(try await search("x", "--limit", "1", "--count", in: log).status == 2)
    }

    @Test func `--json prints the lines around a match`() async throws {
        let json = try JSONValue(parsing: await search("--json", "--in", "body", "needle", "-c", "1").data)
        #expect(json[0]?["linesBefore"] == ["first"])
        #expect(json[0]?["linesAfter"] == ["third"])
    }

    @Test(
        arguments: [
            ("Müller", "decoded response body:1: {\"a\":\"Müller"), ("x/y", "decoded response body:1: "),
            ("Hans Ü", "decoded request body:1: n=Hans Ü"), ("sold out", "decoded url: https://a.test/?q=sold out"),
            ("{\"a\"", "response body:1: {\"a\":\"M\\u00fcller x\\/y\"}"), ("n=Hans", "request body:1: n=Hans+%C3%9C"),
        ])
    func `finds escaped text once`(text: String, match: String) async throws {
        var entry = HAR.Entry.sample(
            "POST", "https://a.test/?q=sold+out", body: #"{"a":"M\u00fcller x\/y"}"#, type: "application/json")
        entry.request.postData = HAR.PostData(mimeType: "application/x-www-form-urlencoded", text: "n=Hans+%C3%9C")
        let lines = try await search(text, in: .sample(entry)).output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last?.hasPrefix("    " + match) == true, "\(lines)")
    }

    @Test(arguments: ["application/zip", "application/pdf", "application/wasm", "application/grpc", "image/png"])
    func `binary bodies are not searched`(type: String) async throws {
        let log = HAR.Log.sample(.sample("GET", "https://a.test/", body: "a needle", type: type))
        #expect(try await search("needle", in: log).status == 1)
    }

    @Test(arguments: ["application/octet-stream", "text/plain", "x-unknown"])
    func `bodies whose bytes are not text are not searched`(type: String) async throws {
        for bytes in [[0x6E, 0x65, 0x65, 0x64, 0x6C, 0x65, 0x00], [0x6E, 0x65, 0x65, 0x64, 0x6C, 0x65, 0xFF]] {
            let text = Data(bytes.map { UInt8($0) }).base64EncodedString()
            var entry = HAR.Entry.sample("GET", "https://a.test/", body: text, type: type)
            entry.response.content.encoding = "base64"
            let isText = type == "text/plain" && !bytes.contains(0)
            #expect(try await search("needle", in: .sample(entry)).status == (isText ? 0 : 1))
        }
    }

    @Test(
        arguments: [
            (["\n"], ["1: a↵b↵"]), (["\r"], ["1: a↵↵b↵"]), (["\r\n"], ["1: a↵b↵"]), (["\nb"], ["1: a↵b"]),
            (["b\r"], ["2: b↵"]), (["--regex", "a\\r"], ["1: a↵"]),
            (["--regex", "\\r|\\n"], ["1: a↵", "1: a↵b↵", "2: b↵"]),
        ] as [([String], [String])])
    func `a match can begin and end within a line break`(query: [String], lines: [String]) async throws {
        let folder = try TemporaryFolder()
        let entry = HAR.Entry.sample("GET", "https://a.test/", body: "a\r\nb\r\n", type: "text/plain")
        try folder.write(.sample(entry), to: "a.har")
        for options in [[], ["--context", "1"], ["--json"], ["--count"]] {
            let run = try await HarRun(["search", "a.har"] + query + options, in: folder)
            #expect(run.status == 0 && run.errors == "", "\(query) \(options)")
            if options.isEmpty {
                let found = run.output.split(separator: "\n").dropFirst()
                #expect(found.map { $0.trimmingPrefix("    response body:") } == lines.map { $0[...] }, "\(run.output)")
            }
        }
    }

    @Test func `a match across lines is printed on one line`() async throws {
        let log = HAR.Log.sample(.sample("GET", "https://a.test/", body: "one\r\ntwo\nthree", type: "text/plain"))
        let run = try await search("one\\s+two\\s", "--regex", in: log)
        #expect(run.output.hasSuffix("\n    response body:1: one↵two↵three\n"), "\(run.output)")
    }

    @Test(arguments: [("text/html", nil), ("x/y", "gzip")])
    func `bodies that are recorded in gzip format are searched`(type: String, coding: String?) async throws {
        let headers = coding.map { [HAR.Header(name: "Content-Encoding", value: $0)] } ?? []
        // The text "a needle".
        let text = "H4sIAAAAAAACA0tUyEtNTclJBQB2BURiCAAAAA=="
        var entry = HAR.Entry.sample("GET", "https://a.test/", headers: headers, body: text, type: type)
        entry.response.content.encoding = "base64"
        #expect(try await search("needle", in: .sample(entry)).output.hasSuffix("    response body:1: a needle\n"))
        let folder = try TemporaryFolder()
        try folder.write(.sample(entry), to: "a.har")
        #expect(try await HarRun("body", "a.har", "0", in: folder).output == "a needle")
        #expect(try await HarRun("show", "a.har", "0", in: folder).output.contains("\n  a needle\n"))
    }

    @Test func `prints matches as JSON`() async throws {
        let json = try JSONValue(parsing: await search("--json", "--in", "body", "needle").data)
        #expect(
            json == [
                [
                    "index": 5, "part": "request body", "line": 2, "column": 8, "before": "second ", "match": "needle",
                    "after": " here",
                ]
            ])
    }

    @Test func `the exit status is 1 without a match and 2 for an error`() async throws {
        let run = try await search("absent")
        #expect((run.status, run.output, run.errors) == (1, "", ""))
        #expect(try await search("absent", "--count").output == "0\n")
        let folder = try TemporaryFolder()
        #expect(try await HarRun("search", "none.har", "x", in: folder).status == 2)
        try folder.write(Data(#"{"log":{"entries":[{"request":{"url":"https://a.test/x"}},{"#.utf8), to: "cut.har")
        let cut = try await HarRun("search", "cut.har", "a.test", in: folder)
        #expect(cut.status == 2)
        #expect(cut.output.hasPrefix("0 - 0 https://a.test/x\n"))
        #expect(cut.errors.hasPrefix("har: error: cut.har"))
    }

    @Test func `conditions limit the search`() async throws {
        #expect(try await search("needle", "--method", "POST", "--count").output == "1\n")
    }

    @Test func `other commands select entries by text`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.log, to: "a.har")
        let run = try await HarRun("entries", "--search", "needle", "--columns", "index", "a.har", in: folder)
        #expect(run.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } == ["1", "4", "5"])
        let kept = try await HarRun("filter", "--search", "grüße", "a.har", "-", in: folder)
        #expect(try HAR.Log(data: kept.data).entries.count == 2)
    }

    @Test func `a body file that cannot be read is reported once, and the other texts are searched`() async throws {
        let folder = try TemporaryFolder()
        var gone = HAR.Entry.sample("POST", "https://a.test/", body: nil)
        gone.request.postData = HAR.PostData(mimeType: "text/plain", text: "a needle")
        gone.response.content["_file"] = "gone.txt"
        try folder.write(.sample(gone, .sample("GET", "https://a.test/", body: "2 needles")), to: "a.har")
        let warning = """
            har: warning: a.har: entry 0: gone.txt: body file not read: The body file cannot be read from the \
            archive's folder: No such file or directory. Copy the body files together with the archive.

            """
        let all = try await HarRun("search", "a.har", "needle", "--count", in: folder)
        #expect((all.status, all.output, all.errors) == (2, "2\n", warning))
        let url = try await HarRun("search", "a.har", "needle", "--in", "url", in: folder)
        #expect((url.status, url.errors) == (1, ""))
        let conditions = ["--search", "2 needles", "--search", "absent"]
        let found = try await HarRun(["search", "a.har", "needle", "--count"] + conditions, in: folder)
        #expect((found.status, found.output, found.errors) == (2, "1\n", warning))
        let entries = try await HarRun(["entries", "a.har", "--json", "--columns", "index"] + conditions, in: folder)
        #expect((entries.status, entries.errors) == (0, warning))
        #expect(try JSONValue(parsing: entries.data) == [["index": 1]])
        let data = try folder.read("a.har")
        for input in ["a.har", "-"] {
            let kept = try await HarRun(["filter"] + conditions + [input, "-"], in: folder, input: data)
            #expect(kept.status == 0)
            #expect(kept.errors.contains("entry 0: gone.txt: body file not read: "))
            #expect(try HAR.Log(data: kept.data).entries.count == 1)
        }
    }

    @Test func `shortens long lines and replaces control characters`() async throws {
        let body = String(repeating: "x", count: 500) + "\u{1B}needle" + String(repeating: "y", count: 500)
        let run = try await search("needle", in: .sample(.sample("GET", "https://a.test/", body: body)))
        let line = try #require(run.output.split(separator: "\n").last)
        #expect(
            line
                == "    response body:1: …\(String(repeating: "x", count: 59))\u{FFFD}needle\(String(repeating: "y", count: 60))…"
        )
    }

    @Test func `searches cookies that no header field contains`() async throws {
        var entry = HAR.Entry.sample(
            "GET", "https://a.test/", requestHeaders: [HAR.Header(name: "Cookie", value: "id=needle; x=1")])
        entry.request.cookies = [HAR.Cookie(name: "id", value: "needle"), HAR.Cookie(name: "a b", value: "needle 2")]
        entry.response.cookies = [HAR.Cookie(name: "id", value: "needle")]
        let log = HAR.Log.sample(entry, .sample("GET", "https://a.test/other"))
        #expect(
            try await search("needle", in: log).output == """
                0 GET 200 https://a.test/
                    request header: Cookie: id=needle; x=1
                    request cookie: a b=needle 2
                    response cookie: id=needle

                """)
        #expect(try await search("--in", "cookies", "ID=N", "--count", in: log).output == "1\n")
        #expect(try await search("--in", "cookies", "x=1", "--count", in: log).output == "0\n")
        #expect(try await search("a b=needle", in: log).output.hasSuffix("    request cookie: a b=needle 2\n"))
    }

    @Test func `searches a recorded request body whose charset is unknown`() async throws {
        var entry = HAR.Entry.sample(
            "POST", "https://a.test/", requestHeaders: [HAR.Header(name: "Content-Length", value: "5")])
        entry.request.postData = HAR.PostData(mimeType: "text/plain", text: "Größe")
        #expect(try await search("größe", in: .sample(entry)).output.hasSuffix("    request body:1: Größe\n"))
    }

    @Test func `many matches in one line are printed`() async throws {
        let body = String(repeating: "é needle ", count: 5_000)
        let log = HAR.Log.sample(.sample("GET", "https://a.test/", body: body + "\nlast needle"))
        let lines = try await search("needle", "--context", "1", in: log).output.split(separator: "\n")
        #expect(lines.last == "    response body:2: last needle")
        let json = try JSONValue(parsing: await search("needle", "--json", in: log).data)
        #expect(json.array?.count == 5_001)
        #expect(json[4_999]?["column"]?.int == 9 * 4_999 + 3)
        #expect(json[5_000]?["line"]?.int == 2)
    }

    @Test func `an encoded request body is searched even if the response is an image`() async throws {
        var entry = HAR.Entry.sample("POST", "https://a.test/", body: "iVBORw0K", type: "image/png")
        entry.response.content.encoding = "base64"
        entry.request.postData = HAR.PostData(mimeType: "text/plain", text: "YSBuZWVkbGU=")
        entry.request.postData?.fields["encoding"] = "base64"
        let run = try await search("needle", in: .sample(entry))
        #expect(run.output == "0 POST 200 https://a.test/\n    request body:1: a needle\n")
    }
}
