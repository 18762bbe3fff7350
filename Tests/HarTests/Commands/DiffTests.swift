import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct DiffTests {
    @Test func `equal archives have no differences`() async throws {
        let run = try await HarRun.diff(.shop, .shop)
        #expect(run.status == 0)
        #expect(run.output == "0 added, 0 removed, 0 changed, 7 equal\n")
        #expect(run.errors == "")
    }

    @Test(arguments: ["chromium-embed", "chromium-omit", "firefox", "mitmproxy"])
    func `a sample equals itself`(name: String) async throws {
        let file = Self.samples + "/\(name).har"
        let run = try await HarRun("diff", "--all", file, file, in: TemporaryFolder())
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("0 added, 0 removed, 0 changed, "))
    }

    @Test func `compares the archives of two browsers`() async throws {
        let files = ["/chromium-embed.har", "/firefox.har"].map { Self.samples + $0 }
        let run = try await HarRun(["diff"] + files, in: TemporaryFolder())
        #expect(run.status == 1)
        #expect(run.errors == "")
        #expect(run.output.contains("\n    status 200 → 304\n"))
        #expect(run.output.contains("\nignored request header user-agent ("))
    }

    @Test func `the order of entries and their timings do not matter`() async throws {
        var second = HAR.Log.shop
        second.entries.swapAt(0, 2)
        second.entries.swapAt(1, 5)
        for index in second.entries.indices {
            second.entries[index].startedDateTime = "2026-02-01T00:00:00.000Z"
            second.entries[index].timings.wait = 7
        }
        let run = try await HarRun.diff(.shop, second)
        #expect(run.output == "0 added, 0 removed, 0 changed, 7 equal\n")
        #expect(run.status == 0)
    }

    @Test func `shows all lines of a text body that differ`() async throws {
        func log(_ body: String) -> HAR.Log {
            .sample(.sample("GET", "https://a.test/", body: body, type: "text/plain"))
        }
        let run = try await HarRun.diff(log("a\nb\nc\nd\ne\n"), log("new\na\nb\nC\nd\ne\nmore\n"))
        #expect(
            run.output == """
                ~ 0 → 0 GET https://a.test/
                    + body line 1: new
                    body line 3: c → C
                    + body line 7: more
                0 added, 0 removed, 1 changed, 0 equal

                """)
        let lines = (0..<1500).map { "line \($0)" }
        let other = lines.enumerated().map { $0 % 2 == 0 ? "x" : $1 }
        let many = try await HarRun.diff(
            log(lines.joined(separator: "\n")), log(other.joined(separator: "\n")), "--json")
        #expect(many.output.split(separator: "\"line\":").count == 751)
    }

    @Test func `aligns the lines of long texts`() async throws {
        func log(_ lines: [String]) -> HAR.Log {
            .sample(.sample("GET", "https://a.test/", body: lines.joined(separator: "\n"), type: "text/plain"))
        }
        // Every second line is a brace, so most lines are not unique.
        var lines = (0..<5000).flatMap { ["item \($0)", "}"] }
        let before = log(lines)
        lines.insert("new", at: 20)
        lines.remove(at: 5001)
        lines[9000] = "changed"
        lines += ["e\u{301}"]
        let run = try await HarRun.diff(before, log(lines))
        #expect(
            run.output.split(separator: "\n").dropFirst().dropLast() == [
                "    + body line 21: new", "    - body line 5001: item 2500", "    body line 9001: item 4500 → changed",
                "    + body line 10001: e\u{301}",
            ], "\(run.output)")
    }

    @Test func `counts the differences of a text beyond the limit`() async throws {
        func log(_ text: (Int) -> String) -> HAR.Log {
            let body = (0..<200).map(text).joined(separator: "\n")
            return .sample(.sample("GET", "https://a.test/", body: body, type: "text/plain"))
        }
        let run = try await HarRun.diff(log { "a \($0)" }, log { "b \($0)" })
        #expect(run.output.split(separator: "\n").count == 23)
        #expect(run.output.contains("\n    … and 180 more differences\n0 added, 0 removed, 1 changed, 0 equal"))
        let long = try await HarRun.diff(log { "a \($0)" }, log { "b \($0)" }, "--limit", "199")
        #expect(long.output.contains("\n    … and 1 more difference\n"))
        let json = try await HarRun.diff(log { "a \($0)" }, log { "b \($0)" }, "--limit", "3", "--json")
        let changed = try JSONValue(parsing: Data(json.output.utf8))["changed"]?[0]
        #expect(changed?["differences"]?.array?.count == 3)
        #expect(changed?["omitted"]?.int == 197)
    }

    @Test func `lists entries that only one archive has`() async throws {
        let first = HAR.Log.sample(.sample("GET", "https://a.test/"), .sample("GET", "https://a.test/old"))
        let second = HAR.Log.sample(
            .sample("GET", "https://a.test/new", status: 201), .sample("GET", "https://a.test/"),
            .sample("GET", "https://a.test/failed", status: 0))
        let run = try await HarRun.diff(first, second)
        #expect(run.status == 1)
        #expect(
            run.output == """
                + 0 GET https://a.test/new 201
                - 1 GET https://a.test/old 200
                + 2 GET https://a.test/failed failed
                2 added, 1 removed, 0 changed, 1 equal

                """)
    }

    @Test func `shows differences in status, header fields, redirects, failures and versions`() async throws {
        let one = [HAR.Header(name: "X-A", value: "1"), HAR.Header(name: "X-Old", value: "0")]
        let other = [HAR.Header(name: "x-new", value: "2"), HAR.Header(name: "x-a", value: "3")]
        var (first, second) = (
            HAR.Entry.sample(
                "GET", "https://a.test/", requestHeaders: [HAR.Header(name: "Accept", value: "a/b")], headers: one),
            HAR.Entry.sample("GET", "https://a.test/", status: 302, headers: other)
        )
        second.response.redirectURL = "/to"
        second.response.httpVersion = "h2"
        first["_error"] = "net::ERR_ABORTED"
        let run = try await HarRun.diff(.sample(first), .sample(second))
        #expect(
            run.output == """
                ~ 0 → 0 GET https://a.test/
                    - request header accept: a/b
                    status 200 → 302
                    httpVersion http/1.1 → http/2.0
                    header x-a: 1 → 3
                    + header x-new: 2
                    - header x-old: 0
                    + redirectURL /to
                    - failure net::ERR_ABORTED
                0 added, 0 removed, 1 changed, 0 equal

                """)
    }

    @Test func `repeated header fields are equal in any order`() async throws {
        let fields = ["1", "2", "2"].map { HAR.Header(name: "X", value: $0) }
        let (first, second) = (HAR.Entry.sample("GET", "https://a.test/", headers: fields), fields.reversed())
        #expect(
            try await HarRun.diff(.sample(first), .sample(.sample("GET", "https://a.test/", headers: Array(second))))
                .status == 0)
        let other = HAR.Entry.sample("GET", "https://a.test/", headers: Array(fields.dropLast()))
        #expect(try await HarRun.diff(.sample(first), .sample(other)).output.contains("    header x: 1, 2, 2 → 1, 2\n"))
    }

    @Test func `compares JSON bodies by pointer`() async throws {
        let first = HAR.Entry.json(#"{"items": [{"price": 10, "n": [1]}], "a/b": "x", "same": 1.0, "old": {"b": 1}}"#)
        let second = HAR.Entry.json(#"{"same":1,"items":[{"price":12,"n":[1,{"c":2}]}],"a/b":"y\n","new":null}"#)
        let run = try await HarRun.diff(.sample(first), .sample(second))
        #expect(
            run.output == """
                ~ 0 → 0 GET https://a.test/
                    body /a~1b: "x" → "y\\n"
                    + body /items/0/n/1: {"c":2}
                    body /items/0/price: 10 → 12
                    + body /new: null
                    - body /old: {"b":1}
                0 added, 0 removed, 1 changed, 0 equal

                """)
    }

    @Test func `inserted and removed elements of JSON arrays do not change others`() async throws {
        func log(_ numbers: [Int], at time: Int) -> HAR.Log {
            let items = numbers.map { #"{"id": \#($0), "ts": \#(time + $0)}"# }
            return .sample(.json("{\"items\": [\(items.joined(separator: ", "))]}"))
        }
        let first = log(Array(0..<5000), at: 1_700_000_000_000)
        let second = log([-1] + Array(0..<2000) + [7777] + Array(2001..<4999), at: 1_700_000_100_000)
        let run = try await HarRun.diff(first, second)
        #expect(
            run.output == """
                ~ 0 → 0 GET https://a.test/
                    + body /items/0: {"id":-1,"ts":1700000099999}
                    body /items/2000/id: 2000 → 7777
                    - body /items/4999: {"id":4999,"ts":1700000004999}
                ignored body /items/*/ts (1 pair)
                0 added, 0 removed, 1 changed, 0 equal

                """)
    }

    @Test func `compares text by line, and other bodies by size and digest`() async throws {
        let text = ("one\r\ntwo\nthree", "one\ntwo!\nthree")
        let long = String(repeating: "a", count: 200)
        var pictures = (
            HAR.Entry.sample("GET", "https://a.test/p", body: "AAEC", type: "image/png"),
            HAR.Entry.sample("GET", "https://a.test/p", body: "AAECAw==", type: "image/png")
        )
        pictures.0.response.content.encoding = "base64"
        pictures.1.response.content.encoding = "base64"
        let run = try await HarRun.diff(
            .sample(
                .sample("GET", "https://a.test/t", body: text.0), pictures.0,
                .sample("GET", "https://a.test/l", body: long + "b")),
            .sample(
                .sample("GET", "https://a.test/t", body: text.1), pictures.1,
                .sample("GET", "https://a.test/l", body: long + "c")))
        #expect(run.output.contains("\n    body line 2: two → two!\n"))
        #expect(run.output.contains("\n    body 3 bytes (SHA-256 ae4b3280e56e…) → 4 bytes (SHA-256 054edec1d021…)\n"))
        #expect(run.output.contains("\n    body line 1: …aaaaaaaaaaaaaaaaaaaab → …aaaaaaaaaaaaaaaaaaaac\n"))
    }

    @Test func `compares bytes without text by their digests, and names line breaks that differ`() async throws {
        var bytes = [
            HAR.Entry.sample("GET", "https://a.test/b", body: "AAEC", type: "application/octet-stream"),
            HAR.Entry.sample("GET", "https://a.test/b", body: "AAED", type: "application/octet-stream"),
        ]
        for index in 0..<2 { bytes[index].response.content.encoding = "base64" }
        let run = try await HarRun.diff(
            .sample(bytes[0], .sample("GET", "https://a.test/t", body: "a\r\nb\r\nc\n")),
            .sample(bytes[1], .sample("GET", "https://a.test/t", body: "a\nb\nc\n")))
        #expect(run.output.contains("\n    body 3 bytes (SHA-256 ae4b3280e56e…) → 3 bytes (SHA-256 "), "\(run.output)")
        #expect(run.output.contains("\n    body line breaks: 2 CRLF, 1 LF → 3 LF\n"), "\(run.output)")
    }

    @Test func `compares WebSocket messages without their times`() async throws {
        func socket(_ messages: String..., time: Int) -> HAR.Log {
            var entry = HAR.Entry.sample("GET", "wss://a.test/", status: 101)
            entry.fields["_webSocketMessages"] = .array(
                messages.map { text in
                    let (time, data) = (JSONValue.number(JSONNumber(time)), JSONValue.string(JSONString(text)))
                    return ["type": "receive", "time": time, "opcode": 1, "data": data]
                })
            return .sample(entry)
        }
        for options in [[], ["--all"]] {
            let folder = try TemporaryFolder()
            try folder.write(socket("one", "two", "three", time: 1_767_268_800), to: "a.har")
            try folder.write(socket("one", "two", "three", time: 1_767_268_900), to: "b.har")
            try folder.write(socket("one", "TWO", "three", "four", time: 1_767_268_900), to: "c.har")
            #expect(try await HarRun(["diff"] + options + ["a.har", "b.har"], in: folder).status == 0)
            let run = try await HarRun(["diff"] + options + ["a.har", "c.har"], in: folder)
            #expect(run.status == 1)
            #expect(run.output.contains("\"TWO\""), "\(run.output)")
            #expect(run.output.contains("+ messages /3: {"), "\(run.output)")
        }
    }

    @Test func `compares the order of field values with --all, and media types without a header field`() async throws {
        func links(_ links: String...) -> HAR.Entry {
            .sample("GET", "https://a.test/l", headers: links.map { HAR.Header(name: "Link", value: $0) })
        }
        let run = try await HarRun.diff(
            .sample(links("</a>", "</b>"), .sample("GET", "https://a.test/t", body: "a", type: "text/plain")),
            .sample(links("</b>", "</a>"), .sample("GET", "https://a.test/t", body: "a", type: "text/html; charset=x")),
            "--all")
        #expect(run.output.contains("\n    header link: </a>, </b> → </b>, </a>\n"), "\(run.output)")
        #expect(run.output.contains("\n    mimeType text/plain → text/html\n"), "\(run.output)")
    }

    @Test func `pairs repeated requests by their bodies, and equal requests by their responses`() async throws {
        let first = HAR.Log.sample(
            .post(#"{"q": "a", "ts": 1700000000000}"#, response: "A"), .post(#"{"q": "b"}"#, response: "B"),
            .sample("GET", "https://a.test/job", status: 202), .sample("GET", "https://a.test/job"))
        let second = HAR.Log.sample(
            .post(#"{"q": "b"}"#, response: "B"), .post(#"{"ts": 1700000009999, "q": "a"}"#, response: "A"),
            .sample("GET", "https://a.test/job", status: 202), .sample("GET", "https://a.test/job", status: 500),
            .sample("GET", "https://a.test/job"))
        let run = try await HarRun.diff(first, second)
        #expect(
            run.output == """
                + 3 GET https://a.test/job 500
                ignored request body /ts (1 pair)
                1 added, 0 removed, 0 changed, 4 equal

                """)
    }

    @Test func `pairs requests whose queries differ if there is only one candidate`() async throws {
        let first = HAR.Log.sample(.sample("GET", "https://a.test/s?q=a&p=1"), .sample("GET", "https://a.test/?x"))
        let second = HAR.Log.sample(.sample("GET", "https://a.test/?x"), .sample("GET", "https://a.test/s?p=1&q=b"))
        #expect(
            try await HarRun.diff(first, second).output.contains(
                "~ 0 → 1 GET https://a.test/s?p=1&q=b\n    query q: a → b\n"))
        let more = HAR.Log.sample(
            .sample("GET", "https://a.test/s?q=b"), .sample("GET", "https://a.test/s?q=c"),
            .sample("GET", "https://a.test/?x"))
        #expect(try await HarRun.diff(first, more).output.hasSuffix("2 added, 1 removed, 0 changed, 1 equal\n"))
    }

    @Test func `compares forms and multipart bodies by field`() async throws {
        func entries(_ value: String, _ boundary: String) -> HAR.Log {
            let part =
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n\(value)\r\n--\(boundary)--\r\n"
            var multipart = HAR.Entry.post(part, type: "multipart/form-data; boundary=\(boundary)")
            multipart.request.url = "https://a.test/m"
            multipart.request.headers = [
                HAR.Header(name: "Content-Type", value: "multipart/form-data; boundary=\(boundary)")
            ]
            return .sample(.post("a=1&b=\(value)", type: "application/x-www-form-urlencoded"), multipart)
        }
        #expect(try await HarRun.diff(entries("x", "one"), entries("x", "two")).status == 0)
        let run = try await HarRun.diff(entries("x", "one"), entries("y", "two"))
        #expect(run.output.contains("\n    request body b: x → y\n"))
        #expect(run.output.contains("\n    request body f: x → y\n"))
    }

    @Test func `compares multipart forms that were recorded as fields`() async throws {
        func entries(_ title: String, _ fileName: String, value: String? = nil) -> HAR.Log {
            var entry = HAR.Entry.post("", type: "multipart/form-data")
            entry.request.bodySize = -1
            entry.request.postData?.params = [
                HAR.Parameter(name: "title", value: title),
                HAR.Parameter(name: "f", value: value, fileName: fileName, contentType: "image/png"),
            ]
            return .sample(entry)
        }
        #expect(try await HarRun.diff(entries("old", "a.png"), entries("old", "a.png")).status == 0)
        let run = try await HarRun.diff(entries("old", "a.png"), entries("new", "b.png", value: "x"))
        #expect(run.output.contains("\n    request body title: old → new\n"), "\(run.output)")
        #expect(run.output.contains("\n    request body f: a.png, 0 bytes (SHA-256 e3b0c"), "\(run.output)")
        #expect(run.output.contains("…) → b.png, 1 byte (SHA-256 2d711"), "\(run.output)")
    }

    @Test func `parts of multipart bodies are paired by name, and their types are compared`() async throws {
        func entries(_ parts: (name: String, fields: String, content: String)...) -> HAR.Log {
            let text = parts.map { part in
                "--b\r\nContent-Disposition: form-data; name=\"\(part.name)\"\(part.fields)\r\n\r\n\(part.content)\r\n"
            }
            return .sample(.post(text.joined() + "--b--\r\n", type: "multipart/form-data; boundary=b"))
        }
        let first = entries(("a", "", "1"), ("b", "\r\nContent-Type: text/plain", "2"), ("b", "", "3"))
        let second = entries(("new", "", "0"), ("a", "", "1"), ("b", "\r\nContent-Type: text/html", "2"))
        let run = try await HarRun.diff(first, second)
        #expect(
            run.output.contains(
                """

                    request body b: 2 (text/plain) → 2 (text/html)
                    - request body b: 3
                    + request body new: 0

                """), "\(run.output)")
    }

    @Test func `compares cookies that were recorded without header fields`() async throws {
        func entries(_ value: String) -> HAR.Log {
            var entry = HAR.Entry.sample("GET", "https://a.test/")
            entry.request.cookies = [HAR.Cookie(name: "id", value: value)]
            entry.response.cookies = [HAR.Cookie(name: "id", value: value)]
            return .sample(entry)
        }
        let run = try await HarRun.diff(entries("one"), entries("two"))
        #expect(run.status == 0)
        #expect(run.output.contains("ignored request header cookie (1 pair)"), "\(run.output)")
        #expect(run.output.contains("ignored header set-cookie (1 pair)"), "\(run.output)")
        let all = try await HarRun.diff(entries("one"), entries("two"), "--all")
        #expect(all.status == 1 && !all.output.contains("one"), "\(all.output)")
        #expect(all.output.contains("request header cookie: id=•••"), "\(all.output)")
    }

    @Test func `values that differ only in an encoded secret are recognizable`() async throws {
        func entries(_ secret: String) -> HAR.Log {
            let blob = Data(#"{"password":"\#(secret)"}"#.utf8).base64EncodedString()
            return .sample(.sample("GET", "https://a.test/", body: #"{"blob":"\#(blob)"}"#, type: "application/json"))
        }
        let run = try await HarRun.diff(entries("hunter2hunter2"), entries("swordfish1234"))
        #expect(run.output.contains("(only a secret differs)\n"), "\(run.output)")
    }
}

extension DiffTests {
    /// The folder with archives of several programs.
    fileprivate static let samples = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder.appendingPathComponent("HARSamples").path
    }()
}
