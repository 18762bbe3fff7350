import ArgumentParser
import Foundation
import HTTPArchive
import Testing

@testable import har

@Suite(.limited) struct RecordTests {
    private let server: EchoServer
    private let folder: TemporaryFolder

    init() throws {
        server = try EchoServer()
        folder = try TemporaryFolder()
    }

    private func entries() throws -> [HAR.Entry] {
        try HAR.Log(contentsOf: folder.url.appendingPathComponent("a.har")).entries
    }

    /// Records a request, and returns it as the server received it.
    private func sent(_ arguments: String, to path: String = "/") async throws -> (head: String, body: String) {
        let run = try await HarRun(
            shell: #""$HAR" record --no-redaction a.har \#(arguments) -- '\#(server.url(path))'"#, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let text = try #require(try entries().last?.response.content.text)
        let parts = text.components(separatedBy: "\r\n\r\n")
        return (parts[0], parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    @Test func `a URL without a scheme becomes an http URL, even if its query contains a URL`() {
        #expect(RecordCommand.completed("a.test/?to=http://b") == "http://a.test/?to=http://b")
        #expect(RecordCommand.completed("https://a.test/") == "https://a.test/")
    }

    @Test func `a method must be a token`() async throws {
        let run = try await HarRun("record", "a.har", "-X", "a:b", "--", server.url("/"), in: folder)
        #expect(run.status != 0)
        #expect(run.errors.contains("expected a method for --request, found 'a:b'"))
    }

    @Test func `new archives and body files are private, existing archives keep their permissions`() async throws {
        for name in ["a.har", "link.har"] {
            if name == "link.har" {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.url.path + "/link.har", withDestinationPath: "b.har")
            }
            let arguments = ["record", name, "--bodies", "attach", "--", server.url("/\(name)")]
            #expect(try await HarRun(arguments, in: folder).status == 0)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains(".") }
        #expect(files.count == 5, "\(files)")
        func mode(_ name: String) throws -> Int? {
            let path = folder.url.appendingPathComponent(name).resolvingSymlinksInPath().path
            return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        for name in files { #expect(try mode(name) == 0o600, "\(name)") }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.url.path + "/link.har") == "b.har")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.url.path + "/b.har")
        #expect(try await HarRun("record", "link.har", "--", server.url("/c"), in: folder).status == 0)
        #expect(try mode("b.har") == 0o640)
        #expect(try HARArchive(contentsOf: folder.url.appendingPathComponent("b.har")).count == 2)
    }

    @Test func `har record records exchanges and prints them without secrets`() async throws {
        let urls = [server.url("/a?x=1&token=0123456789abcdef"), "127.0.0.1:\(server.port)/missing"]
        let run = try await HarRun("record", "a.har", "--", urls[0], urls[1], in: folder)
        #expect(run.status == 0)
        #expect(run.output == "")
        let lines = run.errors.replacing(#/:\d{4,5}\//#, with: ":PORT/").replacing(
            #/\d+ bytes, .*/#, with: "SIZE, TIME")
        #expect(
            lines == """
                GET http://127.0.0.1:PORT/a?x=1&token=•••: 200, SIZE, TIME
                GET http://127.0.0.1:PORT/missing: 404, SIZE, TIME

                """)
        let entries = try entries()
        #expect(entries.map(\.response.status) == [200, 404])
        #expect(entries.first?.request.url.contains("/a?x=1&token=REDACTED-") == true)
        #expect(try !String(decoding: folder.read("a.har"), as: UTF8.self).contains("0123456789abcdef"))
        #expect(try await HarRun("check", "a.har", in: folder).output == "1 file: 0 errors, 0 warnings, 0 notes\n")
    }

    @Test(arguments: [
        ("-d a=1 -d b=2", "a=1&b=2"), ("-d a=1 --data-urlencode 'b=ä &' --data c", "a=1&b=%C3%A4%20%26&c"),
        ("-d @form", "x=1y=2"), ("--data-binary @form", "x=1\ny=2\n"), ("--data-raw @form", "@form"),
        ("--data-urlencode @form", "x%3D1%0Ay%3D2%0A"), ("--data-urlencode 'n@form'", "n=x%3D1%0Ay%3D2%0A"),
        ("--data-urlencode '=a=b'", "a%3Db"), ("--data-urlencode 'a b'", "a%20b"), ("-d ''", ""),
    ])
    func `har record sends data like curl`(arguments: String, body: String) async throws {
        try folder.write(Data("x=1\ny=2\n".utf8), to: "form")
        let sent = try await sent(arguments)
        #expect(sent.head.hasPrefix("POST / "))
        #expect(sent.head.contains("Content-Type: application/x-www-form-urlencoded"))
        #expect(sent.body == body)
    }

    @Test func `a request without a response is canceled after the maximum time and recorded`() async throws {
        let run = try await HarRun("record", "--max-time", "0.2", "a.har", "--", server.url("/silent"), in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("/silent: failed: timed out, "), "\(run.errors)")
        let entries = try entries()
        #expect(entries.map(\.response.status) == [0])
        #expect(entries.first?.failure != nil)
    }

    @Test func `a response that takes too long is recorded with the bytes received, and the next URL is requested`()
        async throws
    {
        // A slow machine needs a longer time until it has received the first bytes, or the complete next response.
        for doublings in 0..<9 {
            try? FileManager.default.removeItem(at: folder.url.appendingPathComponent("a.har"))
            let limit = 0.25 * Double(1 << doublings)
            let run = try await HarRun(
                "record", "--max-time", "\(limit)", "a.har", "--", server.url("/incomplete"), server.url("/target"),
                in: folder)
            #expect(run.status == 1)
            #expect(run.errors.contains("/incomplete: failed: timed out, "), "\(run.errors)")
            let entries = try entries()
            #expect(entries.count == 2 && entries.first?.failure != nil)
            guard entries.first?.response.content.text == "part", entries.last?.failure == nil else { continue }
            #expect(entries.map(\.response.status) == [200, 200])
            #expect(run.errors.contains("/target: 200, "), "\(run.errors)")
            return
        }
        Issue.record("The bytes received before the maximum time were not recorded.")
    }

    @Test func `fractions of a second are not rounded down`() throws {
        let command = try RecordCommand.parse(["-m", "0.9", "a.har", "--", "http://a.test/"])
        #expect(command.options.timeLimit == .seconds(0.9))
    }

    @Test func `a very large maximum time does not limit a request`() async throws {
        for limit in ["1e300", "inf"] {
            let run = try await HarRun("record", "-m", limit, "a.har", "--", server.url("/"), in: folder)
            #expect(run.status == 0, "\(limit): \(run.errors)")
        }
    }

    @Test func `a warning says that an incomplete entry is removed`() async throws {
        try folder.write(.sample(.sample("GET", "https://a.test/"), .sample("GET", "https://b.test/")), to: "a.har")
        let archive = try folder.read("a.har")
        let end = try #require(archive.range(of: Data("b.test".utf8))).upperBound
        try folder.write(archive[..<end], to: "a.har")
        let cut = try await HarRun("record", "a.har", "--", server.url("/"), in: folder)
        #expect(cut.status == 0)
        #expect(cut.errors.hasPrefix("har: warning: a.har: removed an incomplete entry or field at the end\n"))
        #expect(try entries().map(\.request.url) == ["https://a.test/", server.url("/")])
        let whole = try await HarRun("record", "a.har", "--", server.url("/"), in: folder)
        #expect(whole.status == 0 && !whole.errors.contains("warning"), "\(whole.errors)")
    }

    @Test func `the limits for the existing archive can be changed`() async throws {
        try folder.write(.shop, to: "a.har")
        let refused = try await HarRun("record", "--size-limit", "10B", "a.har", "--", server.url("/"), in: folder)
        #expect(refused.status == 1 && refused.errors.contains("--size-limit"), "\(refused.errors)")
        #expect(try entries().count == HAR.Log.shop.entries.count)
        let raised = try await HarRun("record", "--size-limit", "1GB", "a.har", "--", server.url("/"), in: folder)
        #expect(raised.status == 0, "\(raised.errors)")
        #expect(try entries().count == HAR.Log.shop.entries.count + 1)
    }

    @Test func `--json sends JSON with the matching header fields`() async throws {
        let sent = try await sent(#"--json '{"a":' --json '1}'"#)
        #expect(sent.head.hasPrefix("POST / "))
        #expect(sent.head.contains("Content-Type: application/json"))
        #expect(sent.head.contains("Accept: application/json"))
        #expect(sent.body == #"{"a":1}"#)
    }

    @Test func `har record sends the given header fields, method and credentials`() async throws {
        let put = try await sent("-XPUT -H 'X-A: 1' -H 'x-b;' -H 'Content-Type: text/x' -u me:pass -d x")
        #expect(put.head.hasPrefix("PUT / "))
        for field in ["X-A: 1", "Content-Type: text/x", "Authorization: Basic bWU6cGFzcw=="] {
            #expect(put.head.contains("\r\n\(field)\r\n") || put.head.hasSuffix("\r\n\(field)"), "\(field)")
        }
        #expect(!put.head.contains("urlencoded"))
        let run = try await HarRun("record", "a.har", "-I", "--", server.url("/head"), in: folder)
        #expect(run.status == 0)
        #expect(try entries().map(\.request.method) == ["PUT", "HEAD"])
    }

    @Test func `har record sends cookies, a user agent and a referrer`() async throws {
        let sent = try await sent("-b 'a=1; b=2' -b c=3 -A 'agent 1' -e http://a.test/ --compressed")
        for field in ["Cookie: a=1; b=2; c=3", "User-Agent: agent 1", "Referer: http://a.test/"] {
            #expect(sent.head.contains("\r\n\(field)"), "\(sent.head)")
        }
    }

    @Test func `har record sends a form like curl`() async throws {
        try folder.write(Data([0xFF, 0x00]), to: "a.png")
        try folder.write(Data("text\n".utf8), to: "b")
        _ = try await sent(
            "-F 'a=1;2;type=text/x' -F 'b=<b' -F 'c=@a.png' -F 'd=@b;filename=\"d.txt\";type=text/plain'", to: "/form")
        let request = try #require(try entries().last?.request)
        let type = try #require(request.headers.first { $0.name == "Content-Type" }?.value)
        let boundary = try #require(type.wholeMatch(of: /multipart\/form-data; boundary=(\S+)/)).1
        let body = try #require(request.body.data)
        let expected = """
            --\(boundary)\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: text/x\r\n\r\n1;2\r
            --\(boundary)\r\nContent-Disposition: form-data; name="b"\r\n\r\ntext\n\r
            --\(boundary)\r\nContent-Disposition: form-data; name="c"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n
            """
        #expect(body.starts(with: Data(expected.utf8) + [0xFF, 0x00]))
        let end = "name=\"d\"; filename=\"d.txt\"\r\nContent-Type: text/plain\r\n\r\ntext\n\r\n--\(boundary)--\r\n"
        #expect(body.suffix(end.utf8.count) == Data(end.utf8))
    }

    @Test func `--proxy sends the requests to a proxy`() async throws {
        let run = try await HarRun(
            "record", "-x", server.url(""), "a.har", "--", "http://shop.invalid/items", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try entries().last?.response.content.text?.hasPrefix("GET http://shop.invalid/items ") == true)
    }

    @Test(arguments: [
        ("-k", "--insecure is not supported, because URLSession always verifies certificates"),
        ("-b cookies.txt", "expected NAME=VALUE for --cookie, found 'cookies.txt'"),
        ("-F a", "expected NAME=TEXT or NAME=@FILE, found 'a'"), ("-F a=1 -d b", "--form cannot be used with data"),
        ("--retry 3", "Unknown option '--retry'"),
    ])
    func `the error for an unsupported curl option names the option`(arguments: String, message: String) async throws {
        let run = try await HarRun(shell: #""$HAR" record a.har \#(arguments) -- http://a.test/"#, in: folder)
        #expect(run.status == 2)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test func `--location follows redirects`() async throws {
        _ = try await HarRun("record", "a.har", "--", server.url("/redirect"), in: folder)
        #expect(try entries().map(\.response.status) == [302])
        let run = try await HarRun("record", "-L", "a.har", "--", server.url("/redirect"), in: folder)
        #expect(try entries().map(\.response.status) == [302, 302, 200])
        #expect(run.errors.split(separator: "\n").count == 2)
    }

    @Test func `a failed request is recorded and causes exit status 1`() async throws {
        let run = try await HarRun("record", "a.har", "--", "http://127.0.0.1:1/", server.url("/"), in: folder)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("GET http://127.0.0.1:1/: failed: "))
        #expect(try entries().map(\.response.status) == [0, 200])
        #expect(try await HarRun("record", "a.har", "--fail", "--", server.url("/missing"), in: folder).status == 1)
        #expect(try await HarRun("record", "a.har", "--fail", "--", server.url("/"), in: folder).status == 0)
    }

    @Test func `--bodies stores bodies in separate files or omits them`() async throws {
        _ = try await HarRun("record", "a.har", "--bodies", "attach", "--", server.url("/"), in: folder)
        let file = try #require(try entries()[0].response.content["_file"]?.text)
        #expect(try folder.read(file).starts(with: Data("GET / ".utf8)))
        _ = try await HarRun("record", "a.har", "--bodies", "omit", "--", server.url("/"), in: folder)
        #expect(try entries()[1].response.content.text == nil)
    }

    @Test func `--pretty and --no-pretty select the layout`() async throws {
        _ = try await HarRun("record", "a.har", "--", server.url("/"), in: folder)
        _ = try await HarRun("record", "b.har", "--no-pretty", "--", server.url("/"), in: folder)
        #expect(try folder.read("a.har").split(separator: 0x0A).count > 30)
        #expect(try folder.read("b.har").split(separator: 0x0A).count < 10)
    }

    @Test func `recording fails if the output is unwritable or the data is unreadable`() async throws {
        let run = try await HarRun("record", "missing/a.har", "--", server.url("/"), in: folder)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: FOLDER/missing/a.har: "))
        let data = try await HarRun("record", "a.har", "-d", "@missing", "--", server.url("/"), in: folder)
        #expect(data.status == 1)
        #expect(
            data.errors.hasPrefix(
                "har: error: missing: cannot read the data to send: No such file or directory; check the path [unreadableFile]\n"
            ))
        try folder.write(Data("<html>".utf8), to: "page.har")
        #expect(try await HarRun("record", "page.har", "--", server.url("/"), in: folder).status == 1)
        #expect(try folder.read("page.har") == Data("<html>".utf8))
    }
}
