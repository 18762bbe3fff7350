import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct ResponseOverrideTests {
    private let interceptor = Interceptor(
        entries: [
            .entry(
                "GET", "http://a/text",
                headers: [("Content-Type", "text/plain"), ("Content-Length", "5"), ("X", "1"), ("X", "2")],
                text: "hello"),
            .entry("GET", "http://a/other", text: "other"),
        ], configuration: .patient)

    private func response(_ path: String = "text") async throws -> (text: String, head: HTTPURLResponse) {
        let (data, response) = try await interceptor.session().data(from: URL("http://a/\(path)"))
        return (String(decoding: data, as: UTF8.self), try #require(response as? HTTPURLResponse))
    }

    @Test func `status and header fields are set, added and removed`() async throws {
        interceptor.add(
            .override(
                "a/text", .status(418, "I'm a teapot"), .header("x", "3"), .addingHeader("Y", "4"),
                .removingHeader("content-type")))
        let (text, head) = try await response()
        #expect(text == "hello")
        #expect(head.statusCode == 418)
        #expect(head.value(forHTTPHeaderField: "X") == "3")
        #expect(head.value(forHTTPHeaderField: "Y") == "4")
        #expect(head.value(forHTTPHeaderField: "Content-Type") == nil)
        #expect(try await response("other").head.statusCode == 200)
    }

    @Test func `a status that does not allow a body removes the body and its length`() async throws {
        interceptor.add(.override(.any, .status(204)))
        let (text, head) = try await response()
        #expect(text.isEmpty)
        #expect(head.value(forHTTPHeaderField: "Content-Length") == nil)
        #expect(head.value(forHTTPHeaderField: "Content-Type") == "text/plain")
    }

    @Test func `changing the body updates the length`() async throws {
        interceptor.add(
            .override(.any, .replacing("ell", with: "ipp"), try .replacing(regularExpression: "(o)$", with: "$1$1!")))
        let (text, head) = try await response()
        #expect(text == "hippoo!")
        #expect(head.value(forHTTPHeaderField: "Content-Length") == "7")
        #expect(try await response("other").head.value(forHTTPHeaderField: "Content-Length") == nil)
    }

    @Test func `the whole body can be replaced with bytes, text or an encoded value`() async throws {
        interceptor.add(.override(.any, .body(Data([0, 255]), type: "application/x")))
        #expect(try await interceptor.session().data(from: URL("http://a/text")).0 == Data([0, 255]))
        interceptor.add(.override(.any, .text("new")))
        let (text, head) = try await response()
        #expect(text == "new")
        #expect(head.value(forHTTPHeaderField: "Content-Type") == "text/plain; charset=utf-8")
        #expect(head.value(forHTTPHeaderField: "Content-Length") == "3")
        interceptor.add(.override(.any, try .json(["a": 1])))
        #expect(try await response().text == #"{"a":1}"#)
        interceptor.add(.override(.any, .jsonValue(["a": nil])))
        #expect(try await response().text == #"{"a":null}"#)
    }

    @Test func `overrides apply in the order in which they were added, and can be removed`() async throws {
        let first = Rule.override(.any, .replacing("hello", with: "1"))
        let second = Rule.override(.any, .replacing("1", with: "2"))
        interceptor.add(first, second)
        #expect(try await response().text == "2")
        interceptor.remove(second)
        #expect(try await response().text == "1")
        interceptor.remove(first)
        #expect(try await response().text == "hello")
    }

    @Test func `an error replaces the response, and other overrides do not change the error`() async throws {
        interceptor.add(.override(.any, .failure(.secureConnectionFailed), .status(500), .text("x")))
        let error = await #expect(throws: URLError.self) { try await response() }
        #expect(error?.code == .secureConnectionFailed)
        #expect(error?.failingURL == URL("http://a/text"))
        #expect(error?.localizedDescription.contains("A rule") == true)
    }

    @Test func `a closure receives the recorded response and changes it`() async throws {
        interceptor.add(
            .override(
                "a/text",
                .changing { request, response in
                    await Task.yield()
                    var response = response
                    response.body += Data(" from \(request.url)".utf8)
                    return response
                }, .replacing("hello", with: "greetings")))
        let (text, head) = try await response()
        #expect(text == "greetings from http://a/text")
        #expect(head.value(forHTTPHeaderField: "Content-Length") == "28")
    }

    @Test func `a request fails with the error that a closure throws`() async throws {
        struct Refused: Error {}
        interceptor.add(.override(.any, .changing { _, _ in throw Refused() }))
        await #expect(throws: Refused.self) { try await response() }
    }

    @Test func `a fraction of the requests fails, and the same requests fail in every run`() async throws {
        func outcomes() async -> [Bool] {
            let interceptor = Interceptor.with(
                .stub(.any, .text("x")), .override(.any, .sometimes(0.3, seed: 7, .failure(.timedOut))))
            let session = interceptor.session()
            var outcomes: [Bool] = []
            for _ in 0..<200 { outcomes.append((try? await session.text("http://a/")) != nil) }
            return outcomes
        }
        let first = await outcomes()
        #expect(await outcomes() == first)
        #expect((40...80).contains(first.count { !$0 }), "about 60 of 200")
        let none = Interceptor.with(
            .stub(.any, .text("x")), .override(.any, .sometimes(0, seed: 1, .failure(.timedOut))))
        #expect(try await none.session().text("http://a/") == "x")
        let all = Interceptor.with(
            .stub(.any, .text("x")), .override(.any, .sometimes(1, seed: 1, .failure(.timedOut))))
        await #expect(throws: URLError.self) { try await all.session().text("http://a/") }
    }

    @Test func `replacing a body removes the checksums and content codings of the old one`() async throws {
        let fields = [
            "Content-Encoding", "Transfer-Encoding", "Content-MD5", "Digest", "Repr-Digest", "Content-Digest",
        ]
        let head = InterceptedResponse(
            url: "", headers: fields.map { HeaderField(name: $0, value: "x") }, body: Data("hello".utf8))
        let interceptor = Interceptor.with(.stub(.any, .response(head)), .override("a/new", .text("new")))
        let kept = try await interceptor.session().head(URLRequest("http://a/old"))
        #expect(kept.value(forHTTPHeaderField: "Digest") == "x")
        let changed = try await interceptor.session().head(URLRequest("http://a/new"))
        #expect(changed.allHeaderFields.keys.map { "\($0)" } == ["Content-Type"])
    }

    @Test func `text is decoded and encoded using the charset of the response`() async throws {
        let latin1 = Data([0x63, 0x61, 0x66, 0xE9])
        let reply = Reply.data(latin1, type: "text/plain; charset=iso-8859-1")
        let interceptor = Interceptor.with(.stub(.any, reply), .override(.any, .replacing("é", with: "ë")))
        #expect(try await interceptor.session().data(from: URL("http://a/")).0 == Data([0x63, 0x61, 0x66, 0xEB]))
        interceptor.add(.override(.any, .replacing("caf", with: "日本")))
        let error = await #expect(throws: RelayError.self) { try await interceptor.session().text("http://a/") }
        #expect(error?.code == .overrideFailed)
        let broken = Interceptor.with(
            .stub(.any, .data(Data([0xFF, 0x61]), type: "text/plain; charset=utf-8")),
            .override(.any, .replacing("a", with: "b")))
        #expect(try await broken.session().data(from: URL("http://a/")).0 == Data([0xFF, 0x62]))
    }

    @Test(arguments: ["(a+)+$", "(a|a)*$", "(.*a){20}$"])
    func `a regular expression that takes too much work makes the request fail`(expression: String) async throws {
        let text = String(repeating: "a", count: 50) + "!"
        let interceptor = Interceptor.with(
            .stub(.any, .text(text)), .override("a/b", try .replacing(regularExpression: expression, with: "x")))
        let error = await #expect(throws: (any Error).self) {
            try await interceptor.session().data(from: URL("http://a/b"))
        }
        #expect(
            error?.localizedDescription.contains("'\(expression)' needs too much time") == true,
            "\(String(describing: error))")
        #expect(try await interceptor.session().data(from: URL("http://a/c")).0 == Data(text.utf8))
    }

    @Test(arguments: [
        ("(o)(x)?", "[$1$2]", "hell[o] w[o]rld \u{1F600} \r\nB\u{E9}"),
        ("\\p{L}+", "$0$0", "hellohello worldworld \u{1F600} \r\nB\u{E9}B\u{E9}"),
        ("\\n", "\\\\\\$1", "hello world \u{1F600} \r\\$1B\u{E9}"), ("\u{1F600}|$", "-", "hello world - \r\nB\u{E9}-"),
        ("z", "x", "hello world \u{1F600} \r\nB\u{E9}"),
        (".*", "", "\r\n"),
    ])
    func `all matches are replaced by the template`(expression: String, template: String, changed: String) async throws
    {
        let interceptor = Interceptor.with(
            .stub(.any, .text("hello world \u{1F600} \r\nB\u{E9}")),
            .override(.any, try .replacing(regularExpression: expression, with: template)))
        #expect(try await interceptor.session().text("http://a/") == changed)
    }

    @Test func `all matches in a large body are replaced`() async throws {
        let line = "{\"name\":\"value 12\",\"x\":[1,2,3]}\n"
        let count = 2_000_000 / line.utf8.count
        let interceptor = Interceptor.with(
            .stub(.any, .text(String(repeating: line, count: count))),
            .override(.any, try .replacing(regularExpression: "value (\\d+)", with: "$1 v")))
        let changed = try await interceptor.session().text("http://a/")
        #expect(changed == String(repeating: line.replacing("value 12", with: "12 v"), count: count))
    }

    @Test func `binary data is unchanged, and an invalid regular expression is rejected`() async throws {
        let picture = Data([0x89, 0x50, 0xFF, 0x61])
        let interceptor = Interceptor.with(
            .stub(.any, .data(picture, type: "image/png")), .override(.any, .replacing("a", with: "b")))
        #expect(try await interceptor.session().data(from: URL("http://a/")).0 == picture)
        let error = #expect(throws: RelayError.self) {
            try ResponseOverride.replacing(regularExpression: "(", with: "")
        }
        #expect(error?.code == .invalidRule)
    }
}
