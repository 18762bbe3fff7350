import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct ShowTests {
    private func show(_ entries: HAR.Entry..., arguments: [String] = ["0"]) async throws -> HarRun {
        let folder = try TemporaryFolder()
        let creator = HAR.Creator(name: "Tests", version: "1")
        try folder.write(HAR.Log(creator: creator, entries: entries), to: "a.har")
        return try await HarRun(["show", "a.har"] + arguments, in: folder)
    }

    @Test func `prints request, response, body and timings of an entry`() async throws {
        var entry = HAR.Entry.sample(
            "POST", "https://shop.test/items?page=2&q=a%20b",
            requestHeaders: [HAR.Header(name: "Content-Type", value: "application/x-www-form-urlencoded")], status: 201,
            headers: [HAR.Header(name: "Content-Type", value: "application/json")],
            body: #"{"items":[{"id":1,"name":"Äpfel"}]}"#, type: "application/json")
        entry.request.queryString = [
            HAR.QueryParameter(name: "page", value: "2"), HAR.QueryParameter(name: "q", value: "a b"),
        ]
        entry.request.postData = HAR.PostData(
            mimeType: "application/x-www-form-urlencoded", text: "name=Gr%C3%BC%C3%9Fe&amount=1")
        entry.timings = HAR.Timings(blocked: 2, dns: 2, connect: 6, send: 1, wait: 4, receive: 1, ssl: 4)
        entry.response.statusText = "Created"
        let run = try await show(entry)
        #expect(run.status == 0)
        #expect(
            run.output == """
                Entry 0  POST https://shop.test/items?page=2&q=a%20b
                  Started   2026-01-01T12:00:00.000Z
                  Time      12 ms
                  Protocol  HTTP/1.1

                Query
                  page  2
                  q     a b

                Request header
                  Content-Type  application/x-www-form-urlencoded

                Request body  (application/x-www-form-urlencoded, 29 bytes)
                  name    Grüße
                  amount  1

                Response  201 Created

                Response header
                  Content-Type  application/json

                Response body  (application/json, 36 bytes)
                  {
                    "items": [
                      {
                        "id": 1,
                        "name": "Äpfel"
                      }
                    ]
                  }

                Timings
                  blocked █████                                          2.0 ms
                  dns          █████                                     2.0 ms
                  connect           █████                                2.0 ms
                  ssl                    ██████████                      4.0 ms
                  send                             ███                   1.0 ms
                  wait                               ███████████         4.0 ms
                  receive                                      ███       1.0 ms

                """, "\(run.output)")
    }

    @Test(arguments: [
        ("text/xml", "<a><b x='1'>text</b><c/></a>", ["<a>", "  <b x='1'>text</b>", "  <c/>", "</a>"]),
        ("text/plain", "one\ntwo\n", ["one", "two"]),
        (
            "text/event-stream", "event: a\ndata: 1\n\ndata: 2\n",
            ["event 1", "  event: a", "  data: 1", "event 2", "  data: 2"]
        ),
        ("application/graphql", "{ items }", ["{ items }"]),
        (
            "application/json", #"{"query":"query Q {\n  items\n}","operationName":"Q","variables":{"n":1}}"#,
            ["operation: Q", "query:", "  query Q {", "    items", "  }", "variables:", "  {", #"    "n": 1"#, "  }"]
        ),
        (
            "application/json",
            #"{"query":"{ a }","operationName":null,"variables":{},"extensions":{"n":1},"hits":"x"}"#,
            ["query:", "  { a }", "extensions:", "  {", #"    "n": 1"#, "  }", "hits:", #"  "x""#]
        ),
        (
            "application/json", #"[{"query":"{ a }"},{"query":"{ b }"}]"#,
            ["query:", "  { a }", "", "query:", "  { b }"]
        ),
        ("application/json", "\u{FEFF}{\"a\":1}", ["{", #"  "a": 1"#, "}"]),
        ("application/json", "not JSON", ["not JSON"]),
        ("application/yaml", "---\na: 1\n---\nb: 2\n", ["---", "a: 1", "---", "b: 2"]),
        ("text/markdown", "---\ntitle: x\n---\ntext", ["---", "title: x", "---", "text"]),
        ("application/grpc", "\u{0}\u{1}a", ["000000  00 01 61                                         ..a"]),
        (
            "multipart/form-data; boundary=x",
            "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n", ["a  (1 byte)", "  1"]
        ),
    ])
    func `formats a body by its media type`(type: String, body: String, lines: [String]) async throws {
        let header = HAR.Header(name: "Content-Type", value: type)
        let run = try await show(.sample("GET", "https://a.test/", headers: [header], body: body, type: type))
        let text = lines.map { "  \($0)\n" }.joined()
        #expect(run.output.contains(" bytes)\n\(text)\nTimings"), "\(run.output)")
    }

    @Test(
        arguments: [
            ("text/plain; charset=iso-8859-1", "R3L832U=", "base64", "5"), ("text/plain", "Größe", nil, "5"),
            ("text/plain; charset=iso-8859-1", "Größe 日本", nil, "5"),
            ("text/plain; charset=utf-16le", "Größe", nil, "10"),
        ] as [(String, String, String?, String)])
    func `decodes text with its charset`(type: String, text: String, encoding: String?, length: String) async throws {
        let headers = [
            HAR.Header(name: "Content-Type", value: type), HAR.Header(name: "Content-Length", value: length),
        ]
        var entry = HAR.Entry.sample("POST", "https://a.test/", requestHeaders: headers, headers: headers, body: text)
        entry.response.content.encoding = encoding
        entry.request.postData = HAR.PostData(mimeType: type, text: text)
        let output = try await show(entry).output
        let bodies = output.split(separator: "\n").filter { $0.hasPrefix("  Gr") }
        let shown = encoding == nil ? text : "Grüße"
        #expect(bodies.last == "  \(shown)", "\(output)")
        if type == "text/plain" { #expect(bodies == ["  \(text)", "  \(text)"], "\(output)") }
    }

    @Test(
        arguments: [
            ("text/plain", Data("Gr\u{FC}n".unicodeScalars.map { UInt8($0.value) }), "Grün"),
            ("text/plain; charset=utf-8", Data([0x47, 0xFC]), "Gü"), ("application/json", Data([0x22, 0xFC]), "\"ü"),
            ("text/plain", Data([0xFF, 0xFE, 0x47, 0, 0xFC, 0]), "Gü"),
            ("text/plain", Data([0xFE, 0xFF, 0, 0x47, 0, 0xFC]), "Gü"),
            ("text/html", Data(#"<meta charset="windows-1251">"#.utf8) + [0xC6], #"<meta charset="windows-1251">Ж"#),
            (
                "text/html", Data(#"<meta content='text/html;charset=koi8-r'>"#.utf8) + [0xF6],
                #"<meta content='text/html;charset=koi8-r'>Ж"#
            ),
            (
                "application/xml", Data("<?xml encoding='shift_jis'?><a>".utf8) + [0x8A, 0xBF] + Data("</a>".utf8),
                "<?xml encoding='shift_jis'?>\n  <a>漢</a>"
            ),
            ("text/css", Data(#"@charset "koi8-r";"#.utf8) + [0xF6], #"@charset "koi8-r";Ж"#),
            (
                "text/html", Data("<meta charset=iso-2022-jp>\u{1B}$B4A\u{1B}(B".utf8),
                "<meta charset=iso-2022-jp>漢"
            ),
            // UTF-8 is recognized despite a wrong declaration.
            ("text/html", Data("<meta charset=koi8-r>ü".utf8), "<meta charset=koi8-r>ü"),
            ("text/html", Data("<meta charset=utf-16>".utf8) + [0xFC], "<meta charset=utf-16>ü"),
            ("text/html", Data("<meta charset=utf-7>".utf8) + [0xFC], "<meta charset=utf-7>ü"),
            ("text/html; charset=utf-8", Data("Größe".utf8) + [0xE4], "Größe\u{FFFD}"),
            // Binary data.
            ("application/octet-stream", Data([0x47, 0xFC]), nil), ("text/plain", Data([0x47, 0xFC, 1]), nil),
            ("", Data([0x47, 0xFC]), nil),
        ] as [(String, Data, String?)])
    func `determines the charset of bytes as browsers do`(type: String, bytes: Data, text: String?) async throws {
        var entry = HAR.Entry.sample("GET", "https://a.test/", body: bytes.base64EncodedString(), type: type)
        entry.response.content.encoding = "base64"
        let output = try await show(entry).output
        #expect(output.contains("\n  \(text ?? "000000  ")"), "\(output)")
        #expect(output.contains("  000000  ") == (text == nil), "\(output)")
    }

    @Test func `shows the fields of a form whose text was not recorded`() async throws {
        var entry = HAR.Entry.sample("POST", "https://a.test/")
        entry.request.postData = HAR.PostData(
            mimeType: "multipart/form-data",
            params: [
                HAR.Parameter(name: "f", fileName: "a.png", contentType: "image/png"),
                HAR.Parameter(name: "t", value: "text"),
            ])
        let output = try await show(entry).output
        #expect(
            output.contains(
                """

                Request body  (multipart/form-data, recorded as fields)
                  f  (file a.png, image/png, content not captured)
                  t  (4 bytes)
                    text

                """), "\(output)")
    }

    @Test func `shows the query of a URL without recorded parameters`() async throws {
        let run = try await show(.sample("GET", "https://a.test/?page=2&q=a%20b+c#x"))
        #expect(run.output.contains("\nQuery\n  page  2\n  q     a b c\n"), "\(run.output)")
    }

    @Test func `wide characters keep columns aligned`() async throws {
        var entry = HAR.Entry.sample("GET", "https://a.test/")
        entry.request.queryString = ["日本", "🎉", "e\u{301}", "abcd"].map { HAR.QueryParameter(name: $0, value: "1") }
        let run = try await show(entry)
        #expect(
            run.output.contains("\nQuery\n  日本  1\n  🎉    1\n  e\u{301}     1\n  abcd  1\n"), "\(run.output)")
    }

    @Test func `limits the depth of nested multipart bodies`() async throws {
        var body = "deep"
        for number in 0..<300 {
            body =
                "--b\(number)\r\nContent-Type: multipart/mixed\r\n\r\n\(body)\r\n--b\(number)--\r\n"
        }
        let run = try await show(
            .sample("GET", "https://a.test/", body: body, type: "multipart/mixed; boundary=b299"),
            arguments: ["0", "--full"])
        #expect(run.output.contains("--b291\n") && !run.output.contains("--b292"), "\(run.output.prefix(2000))")
        #expect(run.output.contains("deep"))
    }

    @Test func `shows the first bytes of a binary body`() async throws {
        var entry = HAR.Entry.sample("GET", "https://a.test/", body: "iVBORw0KGgo=", type: "image/png")
        entry.response.content.encoding = "base64"
        let run = try await show(entry)
        #expect(
            run.output.contains("\n  000000  89 50 4e 47 0d 0a 1a 0a                          .PNG....\n"),
            "\(run.output)")
    }

    @Test func `shows WebSocket messages with direction and time`() async throws {
        var entry = HAR.Entry.sample("GET", "wss://a.test/", status: 101)
        entry.fields["_webSocketMessages"] = [
            ["type": "send", "time": 1767268800.5, "opcode": 1, "data": "hello\u{1B}[2J"],
            ["type": "receive", "time": 1767268801, "opcode": 2, "data": "AAECAw=="],
        ]
        let run = try await show(entry)
        #expect(
            run.output.contains(
                "\nMessages  (2)\n  →    0.500 s  hello\u{FFFD}[2J\n  ←    1.000 s  binary, 4 bytes\n"), "\(run.output)"
        )
    }

    @Test func `shows WebSocket messages like bodies, with their opcodes`() async throws {
        var entry = HAR.Entry.sample("GET", "wss://a.test/", status: 101)
        entry.fields["_webSocketMessages"] = [
            ["type": "send", "opcode": 1, "data": #"{"a":"\u00fc"}"#],
            ["type": "receive", "opcode": 1, "data": "a\tb\nc"],
            ["type": "receive", "opcode": 2, "data": "AAEC"], ["type": "receive", "opcode": 8, "data": ""],
            ["type": "receive", "opcode": 9, "data": "p"], ["type": "error", "opcode": -1, "data": "lost"],
        ]
        let run = try await show(entry)
        #expect(
            run.output.contains(
                """

                Messages  (6)
                  → text, 14 bytes
                      {
                        "a": "ü"
                      }
                  ← text, 5 bytes
                      a\tb
                      c
                  ← binary, 3 bytes
                      000000  00 01 02                                         ...
                  ← close
                  ← ping: p
                  ! error: lost

                """), "\(run.output)")
    }

    @Test func `keeps tabs and lines of values`() async throws {
        let header = HAR.Header(name: "X", value: "a\tb\nc")
        let run = try await show(.sample("GET", "https://a.test/?q=a%0Ab%09c", headers: [header]))
        #expect(run.output.contains("\nResponse header\n  X  a\tb\n  X  c\n"), "\(run.output)")
        #expect(run.output.contains("\nQuery\n  q  a\n     b\tc\n"), "\(run.output)")
    }

    @Test func `shows that a response came from a cache`() async throws {
        var entry = HAR.Entry.sample("GET", "https://a.test/")
        #expect(try await !show(entry).output.contains("cache"))
        entry["_fromCache"] = "disk"
        #expect(try await show(entry).output.contains("\n  Cache     from the browser's cache (disk)\n"))
    }

    @Test(arguments: [
        ["show", "a.har", "0"], ["show", "-", "0-99"], ["export", "--to", "curl", "a.har", "0"],
        ["export", "--to", "dvr", "a.har"], ["export", "--to", "vinyl", "-"], ["waterfall", "a.har"],
        ["entries", "--sort", "time", "a.har"], ["entries", "a.har"],
    ])
    func `the entries before the end of a truncated archive are printed`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            .sample(.sample("GET", "https://a.test/first"), .sample("GET", "https://a.test/second")), to: "a.har")
        let data = try folder.read("a.har").dropLast(100)
        try folder.write(data, to: "a.har")
        let run = try await HarRun(arguments, in: folder, input: data)
        #expect(run.status == 1)
        #expect(run.output.contains("/first"), "\(run.output)")
        #expect(!run.output.contains("/second"))
        #expect(run.errors.hasPrefix("har: error: \(arguments.contains("-") ? "standard input" : "a.har"):"))
    }

    @Test func `keeps line separators of Unicode in JSON strings`() async throws {
        for body in ["{\"a\":\"x\u{2028}y\"}", #"{"a":"x\u2028y"}"#] {
            let run = try await show(.sample("GET", "https://a.test/", body: body, type: "application/json"))
            #expect(run.output.contains("\n    \"a\": \"x\u{FFFD}y\"\n"), "\(run.output)")
        }
    }

    @Test func `shows the fields that a browser recorded as lines of one field`() async throws {
        let cookies = HAR.Header(name: "Set-Cookie", value: "a=1; Path=/\nb=2; HttpOnly")
        let entry = HAR.Entry.sample("GET", "https://a.test/", headers: [cookies])
        let run = try await show(entry)
        #expect(run.output.contains("\n  Set-Cookie  a=1; Path=/\n  Set-Cookie  b=2; HttpOnly\n"), "\(run.output)")
        let raw = try await show(entry, arguments: ["--raw", "0"])
        #expect(raw.output.contains("\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=2; HttpOnly\r\n"))
    }

    @Test func `limits long lines, unless --full is given`() async throws {
        let entry = HAR.Entry.sample("GET", "https://a.test/", body: String(repeating: "ä", count: 5000))
        let run = try await show(entry)
        #expect(
            run.output.contains("  \(String(repeating: "ä", count: 2000))… 6.0 kB more; print all with --full\n"))
        let full = try await show(entry, arguments: ["0", "--full"])
        #expect(full.output.contains("  \(String(repeating: "ä", count: 5000))\n"))
    }

    @Test func `limits long bodies, unless --full is given`() async throws {
        let body = (1...300).map { "line \($0)" }.joined(separator: "\n")
        let entry = HAR.Entry.sample("GET", "https://a.test/", body: body)
        let short = try await show(entry).output
        #expect(short.contains("  line 200\n  … 100 more lines; print all with --full\n"))
        #expect(!short.contains("line 201"))
        #expect(try await show(entry, arguments: ["0", "--full"]).output.contains("  line 300\n"))
    }

    @Test func `prints raw messages byte for byte`() async throws {
        let type = HAR.Header(name: "Content-Type", value: "text/plain; charset=iso-8859-1")
        let run = try await show(
            .sample("GET", "https://a.test/x", headers: [type], body: "é\n"), arguments: ["--raw", "0"])
        let head =
            "GET https://a.test/x HTTP/1.1\r\n\r\nHTTP/1.1 200 \r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n"
        #expect(run.data == Data(head.utf8) + [0xE9, 0x0A, 0x0D, 0x0A])
    }

    @Test func `prints several entries as JSON`() async throws {
        let run = try await show(
            .sample("GET", "https://a.test/0"), .sample("GET", "https://a.test/1"), .sample("GET", "https://a.test/2"),
            arguments: ["--json", "2", "0-1"])
        let urls = run.output.split(separator: "\n").filter { $0.contains(#""url":"#) }.map { $0.suffix(3).prefix(1) }
        #expect(urls == ["2", "0", "1"])
    }

    @Test func `an index out of range is an error`() async throws {
        let run = try await show(.sample("GET", "https://a.test/"), arguments: ["1"])
        #expect(run.status == 1)
        #expect(run.errors == "har: error: a.har: expected an entry index (0), found 1 [invalidSetting]\n")
    }

    @Test func `an unreadable body file does not hide the entry`() async throws {
        var entry = HAR.Entry.sample("GET", "https://a.test/", body: nil)
        entry.response.content.fields["_file"] = "missing.bin"
        let run = try await show(entry)
        #expect(run.status == 0)
        #expect(run.output.contains("missing.bin"))
        #expect(run.output.contains("\nTimings\n"))
    }
}
