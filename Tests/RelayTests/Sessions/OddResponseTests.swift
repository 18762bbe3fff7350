import Foundation
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct OddResponseTests {
    private let url = "https://example.com/"

    private func head(_ fields: [(String, String)], status: Int = 200) async throws -> HTTPURLResponse {
        let interceptor = Interceptor.responding { request in
            InterceptedResponse(url: request.url, status: status, headers: fields.map(HeaderField.init))
        }
        return try await interceptor.session().head(URLRequest(url))
    }

    @Test(arguments: ["", " ", ":status", "a b", "a:b", "a\r\nb", "\0", "é", "(x)"])
    func `a field with an invalid name is omitted`(name: String) async throws {
        let head = try await head([(name, "1"), ("X-Next", "2")])
        #expect(head.allHeaderFields as? [String: String] == ["X-Next": "2"])
    }

    @Test func `line breaks and NUL in values become spaces`() async throws {
        #expect(try await head([("X-Odd", "a\r\nb\nc\0d\re")]).value(forHTTPHeaderField: "X-Odd") == "a  b c d e")
    }

    @Test func `fields whose names differ only in case are joined in order`() async throws {
        let head = try await head([("x-a", "1"), ("X-A", "2"), ("VARY", "a"), ("vary", "b")])
        #expect(head.value(forHTTPHeaderField: "x-a") == "1, 2")
        #expect(head.value(forHTTPHeaderField: "Vary") == "a, b")
    }

    @Test(arguments: ["", ";", "text/html; charset", "=\"", ";;;charset=", "é/ü"])
    func `unusual content types, dispositions and lengths do not cause errors`(value: String) async throws {
        let names = ["Content-Type", "Content-Disposition", "Content-Length", "Set-Cookie", "Location"]
        #expect(try await head(names.map { ($0, value) }).statusCode == 200)
    }

    @Test(arguments: ["Basic realm=\"x\"", "Bearer, Basic realm=x", "Digest realm=\"x\", nonce=\"y\"", "Basic", ""])
    func `an authentication challenge is delivered without requesting credentials`(challenge: String) async throws {
        let head = try await head([("www-authenticate", challenge)], status: 401)
        #expect(head.statusCode == 401)
        let value = head.value(forHTTPHeaderField: "WWW-Authenticate")
        #expect(value?.trimmingCharacters(in: .whitespaces) == challenge)
    }

    @Test func `an invalid response URL is replaced by the requested one`() async throws {
        let interceptor = Interceptor.responding { _ in InterceptedResponse(url: "http://[bad") }
        #expect(try await interceptor.session().head(URLRequest(url)).url == URL(url))
    }

    @Test(arguments: [
        ("200", 200), ("201", 201), ("599", 599), ("600", 600), ("998", 998), ("999", 999), (#""200""#, 200),
        (#"" 404 ""#, 404), ("200.0", 200), ("9.99e2", 999), (#""200.0""#, 200), (#""999""#, 999),
    ])
    func `every final status in a file reaches the client, in any notation`(status: String, code: Int) async throws {
        let archives = try TemporaryArchives()
        let file = try archives.write("a.har", saying: "body")
        let text = try String(contentsOf: file, encoding: .utf8)
        let sizes = text.replacing(#""size": 4"#, with: #""size": "4""#).replacing(
            #/"time": [0-9.]+/#, with: #""time": "0,5""#)
        #expect(sizes != text)
        try Data(sizes.replacing(#""status": 200"#, with: "\"status\": \(status)").utf8).write(to: file)
        let (body, response) = try await Interceptor(archive: file).session().data(from: URL("http://a/"))
        #expect((response as? HTTPURLResponse)?.statusCode == code)
        #expect(String(decoding: body, as: UTF8.self) == "body")
    }

    @Test(arguments: [100, 101, 103, 204, 206, 304, 407, 511, 999])
    func `every HTTP status can be delivered`(status: Int) async throws {
        #expect(try await head([], status: status).statusCode == status)
    }
}
