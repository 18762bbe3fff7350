import Foundation
import ResonanceKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct CurlTests {
    private static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    private func request(
        _ url: String, method: String = "GET", headers: [String: String] = [:], body: Data? = nil
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        request.httpBody = body
        return request
    }

    @Test func `a request is converted to a command that can be run`() throws {
        let post = try request(
            "https://a.test/x?y='z'", method: "POST",
            headers: ["Content-Type": "application/json", "Authorization": "Bearer t"],
            body: Data(#"{"name":"O'Neil \"$HOME\""}"#.utf8))
        let command = #"""
            curl 'https://a.test/x?y=%27z%27' -H 'Authorization: Bearer t' -H 'Content-Type: application/json' \#
            --data-raw '{"name":"O'\''Neil \"$HOME\""}'
            """#
        #expect(post.curl.replacing("y='\\''z'\\''", with: "y=%27z%27") == command)
        #expect(post.jsonCurl == post.curl + " | python3 -m json.tool")
        #expect(try request("https://a.test/", method: "HEAD").curl == "curl --head 'https://a.test/'")
        #expect(try request("https://a.test/", method: "DELETE").curl == "curl -X DELETE 'https://a.test/'")
    }

    @Test func `cookies are omitted, and secrets can be masked`() throws {
        let request = try request(
            "https://u:p@a.test/?token=hush1&x=1", method: "POST",
            headers: ["Authorization": "Bearer hush2", "cookie": "sid=hush3", "Content-Type": "application/json"],
            body: Data(#"{"password":"hush4","name":"Ada"}"#.utf8))
        #expect(!request.curl.contains("hush3"))
        #expect(["hush1", "hush2", "hush4"].allSatisfy(request.curl.contains))
        let masked = request.curl(maskingSecrets: true)
        #expect(!masked.contains("hush"))
        #expect(masked.contains("x=1") && masked.contains("Ada"))
    }

    @Test func `a request without a URL has no command`() throws {
        var request = try request("https://a.test/")
        request.url = nil
        #expect(request.curl == "")
        #expect(request.jsonCurl == "")
    }

    private static let multipart =
        Data("--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"it's.png\"\r\n\r\n".utf8)
        + Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0xFF]) + Data("\r\n--b--\r\n".utf8)

    @Test(
        .enabled(if: hasCurl),
        arguments: [
            ("application/json", Data(#"{"a":"it's \"quoted\" \\ $HOME `id` $(id) !! %s @x"}"#.utf8)),
            ("application/octet-stream", Data(0...255)),
            ("text/plain", Data("@/etc/hostname\n\tline 2\r\n\n".utf8)),
            ("multipart/form-data; boundary=b", multipart),
            ("multipart/form-data; boundary=\"it's\"", Data("--it's\r\n\r\n''\r\n--it's--\r\n".utf8)),
            ("text/plain", Data("é 🎈 日本".utf8)),
            ("text/plain", Data()),
        ])
    func `the command sends the exact bytes of the body`(type: String, body: Data) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok(#"{"value":7}"#) }
        let request = try request(
            server.url("/a%20b/it's?q=%27&r=$HOME&s=%22"), method: "PUT",
            headers: [
                "Content-Type": type, "X-Quoted": #"it's "so" \ $HOME"#, "User-Agent": "test", "Accept": "*/*",
                "Authorization": "Bearer t",
            ], body: body)
        // The options make curl ignore the user's configuration file and proxies.
        let command = request.curl.replacing("curl ", with: "curl -q -s --noproxy '*' ", maxReplacements: 1)
        #expect(try await CurlArguments.output(of: command) == Data(#"{"value":7}"#.utf8))
        let sent = try #require(server.requests.first)
        #expect(sent.body == body)
        var fields = sent.head.components(separatedBy: "\r\n")
        #expect(fields.removeFirst() == "PUT \(server.target(of: request)) HTTP/1.1")
        #expect(
            Set(fields) == [
                "Host: 127.0.0.1:\(server.port)", "Content-Type: \(type)", #"X-Quoted: it's "so" \ $HOME"#,
                "User-Agent: test", "Accept: */*", "Authorization: Bearer t", "Content-Length: \(body.count)",
            ])
    }

    @Test(.enabled(if: hasCurl))
    func `a request and its command send the same message`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("{}") }
        let carrier = NotingSession()
        for session in [JSONSession(carrier), JSONSession(URLSession(configuration: .ephemeral))] {
            let url = try #require(URL(string: server.url("/api/")))
            let request = JSONRequest<Nothing, Failure>(
                method: .post, url: url, session: session, headers: ["User-Agent": "test"])
            try await request.perform(command: "people", parameters: ["name": "O'Neil", "text": "\"\\\n"])
        }
        let command = try #require(carrier.requests.first).curl
        _ = try await CurlArguments.output(
            of: command.replacing("curl ", with: "curl -q -s --noproxy '*' ", maxReplacements: 1))
        try #require(server.requests.count == 2)
        let (live, typed) = (server.requests[0], server.requests[1])
        #expect(live.body == typed.body)
        #expect(live.target == typed.target)
        for field in ["Content-Type: application/json", "Accept: */*", "User-Agent: test"] {
            #expect(live.head.contains(field) && typed.head.contains(field))
        }
    }

    @Test(.enabled(if: hasCurl && FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
    func `the command formats the response`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok(#"{"value":7}"#) }
        let command = try request(server.url("/")).jsonCurl
        let output = try await CurlArguments.output(
            of: command.replacing("curl ", with: "curl -q -s --noproxy '*' ", maxReplacements: 1))
        #expect(String(decoding: output, as: UTF8.self) == "{\n    \"value\": 7\n}\n")
    }
}

extension LoopbackServer {
    /// Returns the request target for a URL of this server.
    fileprivate func target(of request: URLRequest) -> String {
        String((request.url?.absoluteString ?? "").dropFirst(url("").count))
    }
}
