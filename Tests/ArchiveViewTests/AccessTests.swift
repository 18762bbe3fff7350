import Foundation
import HTTPArchive
import RelayCore
import Testing

@testable import ArchiveView

@Suite struct AccessTests {
    @Test(arguments: ["", "wrong", "secre", "secretx", "%73ecre"])
    func `requests without the token are refused`(token: String) async throws {
        #expect(try await Page().response("api/1/sources", token: token).status == 403)
    }

    @Test(arguments: ["http://evil.example:8080", "http://127.0.0.1.evil.example", "http://10.0.0.1:8080"])
    func `requests by another name are refused`(origin: String) async throws {
        #expect(try await Page().response("api/1/sources", origin: origin).status == 403)
    }

    @Test(arguments: [
        ("Origin", "http://evil.example"), ("Origin", "null"), ("Origin", "http://127.0.0.1:8081"),
        ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"),
    ])
    func `requests of other pages are refused`(name: String, value: String) async throws {
        let page = try Page()
        let field = HeaderField(name: name, value: value)
        #expect(try await page.response("api/1/sources", headers: [field]).status == 403)
        #expect(try await page.response("api/1/explain", post: "{}", headers: [field]).status == 403)
    }

    @Test func `the page itself has access`() async throws {
        let field = HeaderField(name: "Origin", value: Page.origin)
        #expect(try await Page().response("api/1/sources", headers: [field]).status == 200)
    }

    @Test(arguments: [
        "page/../shop.har", "page/.hidden.js", "page/%2e%2e/shop.har", "shop.har", "page/shop.har", "page/",
    ])
    func `only files of the page are delivered`(path: String) async throws {
        #expect(try await Page().response(path).status == 404)
    }

    @Test func `a form cannot send a command`() async throws {
        let request = InterceptedRequest(
            method: "POST", url: "\(Page.origin)/secret/api/1/explain",
            headers: [HeaderField(name: "Content-Type", value: "text/plain")], body: Data("{}".utf8))
        #expect(try await Page().responder.reply(to: request).result.get().status == 415)
    }
}

@Suite struct LiveTests {
    private let interceptor = Interceptor(playing: [])
    private let live: LiveTraffic
    private let page: Page

    init() throws {
        live = try LiveTraffic(of: interceptor, recordingTo: nil) { value in
            guard let pattern = value["rules"]?.array?.first?["request"]?.text else {
                throw RelayError(.invalidRule, "The rule has no request.")
            }
            return [.stub(RequestPattern(stringLiteral: pattern), .status(503))]
        }
        page = try Page(live: live)
    }

    @Test func `exchanges appear in the last source`() async throws {
        let before = try await page.json("changes?after=0")
        let entry = JSONValue.object(Page.entries[1].fields)
        _ = try await page.json("exchanges", post: String(decoding: entry.data(), as: UTF8.self))
        let after = try await page.json("changes?after=\(before["revision"]?.int ?? 0)")
        #expect(after["entries"]?.int == 1)
        #expect(try await page.indices("a=1&q=status:404") == [0])
        _ = try await page.response("api/1/body?a=1&i=0&side=response&as=text")
        #expect(try await page.json("entry?a=1&i=0")["request"]?["url"]?.text == "https://a.example/Logo.PNG")
        _ = try await page.json("clear", post: "{}")
        #expect(try await page.indices("a=1").isEmpty)
        // Neither lists nor bodies of removed exchanges are used for others with the same index.
        let other = JSONValue.object(Page.entries[0].fields)
        _ = try await page.json("exchanges", post: String(decoding: other.data(), as: UTF8.self))
        #expect(try await page.indices("a=1&q=status:404").isEmpty)
        let body = try await page.response("api/1/body?a=1&i=0&side=response&as=text").body
        #expect(String(decoding: body, as: UTF8.self).contains("12345678901234567890"))
    }

    @Test func `exchanges are matched and compared like entries of an archive`() async throws {
        // More than one chunk of the archive index.
        for number in 0..<5000 { live.append(Page.entry("https://a.example/\(number)", type: "", text: "x")) }
        live.append(Page.entries[1])
        let answer = try await page.json("explain", post: #"{"a":1,"method":"GET","url":"https://a.example/4500"}"#)
        #expect(answer["i"]?.int == 4500)
        #expect(try await page.json("compare?left=0:1&right=1:5000")["equal"] == true)
        #expect(try await page.json("compared?left=0&right=1")["added"]?.int == 5000)
        live.append(Page.entries[0])
        #expect(try await page.json("compared?left=0&right=1")["same"]?.int == 2)
    }

    @Test func `a request waits until the user resumes, answers or fails it`() async throws {
        _ = try await page.json("hold", post: #"{"pattern":"a.example/**"}"#)
        #expect(live.gate(for: InterceptedRequest(url: "https://b.example/")) == nil)
        let request = InterceptedRequest(url: "https://a.example/x")
        #expect(live.gate(for: request) != nil)
        let edits = [
            #""request":{"url":"https://a.example/y","headers":[{"name":"X","value":"1\n2"}],"body":"abc"}"#,
            #""response":{"status":418,"body":"no"}"#, #""fail":true"#,
        ]
        for edit in edits {
            let revision = try await page.json("changes?after=0")["revision"]?.int ?? 0
            async let verdict = live.verdict(request, nil)
            var held = try await page.json("changes?after=\(revision)")
            while held["held"]?.array?.isEmpty != false {
                held = try await page.json("changes?after=\(held["revision"]?.int ?? 0)")
            }
            let id = try #require(held["held"]?.array?.first?["id"]?.int)
            _ = try await page.json("resume", post: "{\"id\":\(id),\(edit)}")
            let (edited, reply) = await verdict
            if let reply {
                let status = try? reply.result.get().status
                #expect(status == (edit.contains("fail") ? nil : 418))
            } else {
                #expect(edit == edits[0])
                #expect(edited.url == "https://a.example/y")
                #expect(edited.body == Data("abc".utf8))
                #expect(!edited.headers.contains { $0.value.contains("\n") })
            }
            #expect(try await page.response("api/1/resume", post: "{\"id\":\(id)}").status == 404)
        }
    }

    @Test func `requests continue when nothing is held any longer`() async throws {
        _ = try await page.json("hold", post: #"{"pattern":"**"}"#)
        let request = InterceptedRequest(url: "https://a.example/x")
        let revision = try await page.json("changes?after=0")["revision"]?.int ?? 0
        async let verdict = live.verdict(request, nil)
        _ = try await page.json("changes?after=\(revision + 1)")
        _ = try await page.json("hold", post: #"{"pattern":null}"#)
        let decision = await verdict
        #expect(decision.request == request)
        #expect(decision.reply == nil)
        #expect(live.gate(for: request) == nil)
    }

    @Test func `rules are added, listed, removed, and saved as Swift`() async throws {
        let rule = #"{"rule":{"request":"GET a.example/x","stub":{"status":503,"text":"a\"b"},"times":2}}"#
        let id = try await page.json("rules", post: rule)["id"]?.int
        let added = try await page.json("changes?after=0")["rules"]?.array?.first
        #expect(added?["rule"]?["request"]?.text == "GET a.example/x")
        let swift = String(decoding: try await page.response("api/1/rules?as=swift").body, as: UTF8.self)
        let call = #"Rule.stub(.method("GET").and(.url("a.example/x")), .text("a\"b", status: 503))"#
        #expect(swift.contains(call + ".times(2)"))
        _ = try await page.json("rules/remove", post: "{\"id\":\(id ?? 0)}")
        #expect(try await page.json("changes?after=0")["rules"] == [])
        #expect(try await page.response("api/1/rules", post: #"{"rule":{}}"#).status == 400)
    }

    @Test(arguments: [
        (#"{"stub":{"status":204}}"#, "Rule.stub(.any, .status(204))"),
        (
            #"{"stub":{"json":{"a":[1,null]},"headers":{"X":"y"},"delay":"2s"}}"#,
            #".jsonValue(["a": [1, nil]], status: 200, headers: [HeaderField(name: "X", value: "y")])"#
                + ".delayed(by: .seconds(2)))"
        ),
        (
            #"{"stub":{"text":"","headers":{"Set-Cookie":["a=1","b=2"]}}}"#,
            #"[HeaderField(name: "Set-Cookie", value: "a=1"), HeaderField(name: "Set-Cookie", value: "b=2")]"#
        ),
        (
            #"{"request":"a.example/**","stub":{"failure":"timedOut"}}"#,
            #"Rule.stub(.url("a.example/**"), .failure(.timedOut))"#
        ),
        (
            #"{"override":{"status":500,"headers":{"A":null,"B":"c"},"set":{"/a":{}}}}"#,
            #"(.any, .status(500), .removingHeader("A"), .header("B", "c"), try .json(at: "/a", [:]))"#
        ),
        (#"{"route":{"from":"a.example","to":"b.example"}}"#, #"try Rule.reroute("a.example", to: "b.example")"#),
        (#"{"stub":{"file":"x"}}"#, "// Not expressible"),
    ])
    func `every kind of rule has a Swift form, or is a comment`(rule: String, expected: String) throws {
        #expect(RuleText(try JSONValue(parsing: rule)).swift.contains(expected))
    }

    @Test func `the console receives reports, and lists the stubs`() async throws {
        let console = ConsoleResponder(live)
        func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> InterceptedResponse {
            let request = InterceptedRequest(
                method: method, url: "http://127.0.0.1:5069\(path)", body: body.map { Data($0.utf8) })
            return try await console.reply(to: request).result.get()
        }
        let report =
            #"{"statusCode":201,"method":"GET","url":"https://a.example/","reqHeaders":{"A":"b"},"resBody":"aGk=","resHeaders":{"Content-Type":"text/plain"}}"#
        #expect(try await send("POST", "/request", report).status == 204)
        #expect(try await send("POST", "/request", "[]").status == 400)
        let body = try await page.response("api/1/body?a=1&i=0&side=response&as=text").body
        #expect(String(decoding: body, as: UTF8.self) == "hi")
        _ = try await page.json("rules", post: #"{"rule":{"request":"GET a.example/x","stub":{"status":503}}}"#)
        let intercepts = try JSONValue(parsing: try await send("GET", "/intercept").body)
        #expect(intercepts == [["id": "1", "method": "GET", "matchURL": "a.example/x"]])
        _ = try await page.json("rules", post: #"{"rule":{"request":"b.example/**","stub":{"status":503}}}"#)
        let all = try JSONValue(parsing: try await send("GET", "/intercept").body).array ?? []
        #expect(all.contains { $0["id"]?.text == "2" && $0["method"]?.text == "PATCH" })
        #expect(try await send("GET", "/intercept/9/response").status == 404)
    }
}
