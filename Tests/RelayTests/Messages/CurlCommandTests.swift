import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct CurlCommandTests {
    @Test(arguments: [
        (InterceptedRequest(url: "https://a.test/x?y=z#f"), "curl 'https://a.test/x?y=z#f'"),
        (InterceptedRequest(method: "HEAD", url: "a"), "curl --head 'a'"),
        (InterceptedRequest(method: "DELETE", url: "a"), "curl -X DELETE 'a'"),
        (InterceptedRequest(method: "POST", url: "a"), "curl -X POST 'a'"),
        (InterceptedRequest(method: "get", url: "a"), "curl -X 'get' 'a'"),
        (InterceptedRequest(method: "$(x)\n", url: "a"), "curl -X '$(x) ' 'a'"),
        (InterceptedRequest(url: "a", body: Data()), "curl 'a'"),
        (InterceptedRequest(method: "POST", url: "a", body: Data()), "curl 'a' -H 'Content-Type:' --data-raw ''"),
        (
            InterceptedRequest(method: "POST", url: "a", headers: [HeaderField(name: "Content-Length", value: "0")]),
            "curl 'a' -H 'Content-Type:' --data-raw ''"
        ),
        (
            InterceptedRequest(method: "PUT", url: "a", body: Data("x".utf8)),
            "curl -X PUT 'a' -H 'Content-Type:' --data-raw 'x'"
        ),
        (InterceptedRequest(url: "a", body: Data("x".utf8)), "curl -X GET 'a' -H 'Content-Type:' --data-raw 'x'"),
        (
            InterceptedRequest(
                method: "POST", url: "a",
                headers: [
                    HeaderField(name: "Host", value: "b"), HeaderField(name: "X-Empty", value: ""),
                    HeaderField(name: "content-length", value: "1"),
                    HeaderField(name: "content-type", value: "text/plain"),
                    HeaderField(name: "X", value: "1"), HeaderField(name: "X", value: "2\r\nY: z"),
                    HeaderField(name: ":path", value: "/"), HeaderField(name: "@file", value: "x"),
                    HeaderField(name: "", value: "x"),
                ], body: Data("x".utf8)),
            "curl 'a' -H 'X-Empty;' -H 'content-type: text/plain' -H 'X: 1' -H 'X: 2  Y: z' --data-raw 'x'"
        ),
        // curl strips ASCII whitespace, but not these characters.
        (
            InterceptedRequest(
                url: "a",
                headers: [
                    HeaderField(name: "X", value: " \u{301}"), HeaderField(name: "Y", value: "\u{A0}"),
                    HeaderField(name: "Z", value: " \t"),
                ]), "curl 'a' -H 'X:  \u{301}' -H 'Y: \u{A0}' -H 'Z;'"
        ),
        (
            InterceptedRequest(url: "http://[::1]/{a}/../b c\n"),
            "curl --globoff --path-as-is 'http://[::1]/{a}/../b%20c%0A'"
        ),
        (InterceptedRequest(url: "-K/etc/x"), "curl --url '-K/etc/x'"),
        (
            InterceptedRequest(method: "POST", url: "a'b", body: Data("it's".utf8)),
            #"curl 'a'\''b' -H 'Content-Type:' --data-raw 'it'\''s'"#
        ),
        (
            InterceptedRequest(method: "POST", url: "a", body: Data([0, 0x41, 0xFF, 0x25, 0x31])),
            #"printf '\000A\377\0451' | curl 'a' -H 'Content-Type:' --data-binary @-"#
        ),
    ])
    func `a request is converted to a curl command`(request: InterceptedRequest, command: String) {
        #expect(request.curlCommand(maskingSecrets: false) == command)
    }

    @Test func `secrets are masked by default`() {
        let request = InterceptedRequest(
            method: "POST", url: "https://u:p@a.test/?token=t&x=y",
            headers: [
                HeaderField(name: "Authorization", value: "Bearer t"), HeaderField(name: "Cookie", value: "sid=t; b=t"),
                HeaderField(name: "Content-Type", value: "application/x-www-form-urlencoded"),
            ], body: Data("name=n&password=t".utf8))
        #expect(
            request.curlCommand() == """
                curl 'https://•••@a.test/?token=•••&x=y' -H 'Authorization: Bearer •••' -H 'Cookie: sid=•••; b=•••' \
                -H 'Content-Type: application/x-www-form-urlencoded' --data-raw 'name=n&password=•••'
                """)
        #expect(
            request.curlCommand(maskingSecrets: false) == """
                curl 'https://u:p@a.test/?token=t&x=y' -H 'Authorization: Bearer t' -H 'Cookie: sid=t; b=t' \
                -H 'Content-Type: application/x-www-form-urlencoded' --data-raw 'name=n&password=t'
                """)
    }

    @Test func `secrets without a name are also masked`() {
        let token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
        let request = InterceptedRequest(
            method: "POST", url: "https://a.test/\(token)", headers: [HeaderField(name: "X-Note", value: token)],
            body: Data("{\"note\":\"\(token)\"}".utf8))
        #expect(!request.curlCommand().contains("ghp_"))
        #expect(request.curlCommand(maskingSecrets: false).contains(token))
    }

    @Test(arguments: 0..<30)
    func `the shell passes the request's values to curl unchanged`(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed), number: 0)
        let pieces = [
            "'", "\"", "\\", "$", "$(exit 1)", "`exit`", "!", "!!", "\n", "\t", " ", "-", "@", "%s", "\\0", "*", "~",
            "#", ";", "&",
            "|", ">", "é", "e\u{301}", "\u{301}", "🎈", "日", "a", "'\\''", "$'", "\r", "\u{7F}", "\u{1B}",
        ]
        func text() -> String {
            (0..<Int.random(in: 1...12, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
        }
        let value = text().replacing("\n", with: "").replacing("\r", with: "").replacing("\r\n", with: "") + "x"
        let path = text().filter {
            !$0.isWhitespace && !$0.unicodeScalars.contains("\u{7F}") && !$0.unicodeScalars.contains("\u{1B}")
        }
        let body = text()
        let request = InterceptedRequest(
            method: "PUT", url: "https://a.test/\(path)",
            headers: [
                HeaderField(name: "Content-Type", value: "text/plain"), HeaderField(name: "X-$!`'", value: value),
            ],
            body: Data(body.utf8))
        let run = try await CurlArguments(running: request.curlCommand(maskingSecrets: false))
        let meant = [
            "-X", "PUT", request.url, "-H", "Content-Type: text/plain", "-H", "X-$!`': \(value)", "--data-raw", body,
        ]
        #expect(run.arguments.map { Array($0.utf8) } == meant.map { Array($0.utf8) })
        #expect(run.input.isEmpty)
    }

    @Test(arguments: 0..<6)
    func `binary and long bodies are piped into curl`(seed: Int) async throws {
        var generator = SeededGenerator(seed: UInt64(seed), number: 0)
        let bytes = Data((0..<2_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }) + [0, 0xFF, 0x0A]
        let long = Data(String(repeating: "it's 100% \\n\n", count: 20_000).utf8)
        for body in [bytes, long, Data([0]), Data("-n\0".utf8)] {
            let request = InterceptedRequest(method: "POST", url: "https://a.test/", body: body)
            let run = try await CurlArguments(running: request.curlCommand(maskingSecrets: false))
            #expect(run.arguments == ["https://a.test/", "-H", "Content-Type:", "--data-binary", "@-"])
            // Comparing inside the macro is slow, because it describes the difference between long bodies.
            let isWhole = run.input == body
            #expect(isWhole)
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")))
    func `curl sends the request`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("fine") }
        let bodies = [nil, Data("it's $HOME @x".utf8), Data([0, 0xFF, 0x0A]), Data()]
        for body in bodies {
            let request = InterceptedRequest(
                method: "POST", url: server.url("/a/../{b}/[1-3]?c=%20d"),
                headers: [
                    HeaderField(name: "X-Empty", value: ""), HeaderField(name: "Accept", value: "a/b"),
                    HeaderField(name: "User-Agent", value: "c"),
                ], body: body)
            let command = request.curlCommand(maskingSecrets: false).replacing(
                "curl ", with: "curl -q -s --noproxy '*' ")
            #expect(try await CurlArguments.output(of: command) == Data("fine".utf8))
            let sent = try #require(server.requests.last)
            #expect(sent.body == body ?? Data())
            var fields = sent.head.components(separatedBy: "\r\n")
            #expect(fields.removeFirst() == "POST /a/../{b}/[1-3]?c=%20d HTTP/1.1")
            let length = body.map { ["Content-Length: \($0.count)"] } ?? []
            #expect(
                Set(fields)
                    == Set(["Host: 127.0.0.1:\(server.port)", "X-Empty:", "Accept: a/b", "User-Agent: c"] + length))
        }
        #expect(server.requests.count == bodies.count)
    }
}
