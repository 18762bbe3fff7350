import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct RuleTests {
    private struct Item: Codable, Equatable {
        var id = 1
        var name = "Ada"
    }

    @Test(arguments: ["(a+)+$", "(a|a)*$", "^(.*a){20}!$"])
    func `a request fails if a pattern takes too much work, even in a combined pattern`(expression: String) async throws
    {
        let slow = try RequestPattern.matching(regularExpression: expression)
        let url = URL("http://a/" + String(repeating: "a", count: 50) + "%21")
        for pattern in [
            slow, .not(slow), RequestPattern.method("GET").and(slow), RequestPattern.method("PUT").or(slow),
        ] {
            let interceptor = Interceptor.with(.stub(.any, .status(204)), .stub(pattern, .status(500)))
            let error = await #expect(throws: (any Error).self) { try await interceptor.session().data(from: url) }
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("The rule for ") && text.contains("'\(expression)' needs too much time"), "\(text)")
            #expect(!pattern.matches(.request("GET", url.absoluteString)))
        }
    }

    @Test func `a stub can return a value encoded as JSON`() async throws {
        let session = Interceptor.with(.stub("api.example.com/items/*", try .json([Item()]))).session()
        let (data, response) = try await session.data(from: URL("https://api.example.com/items/7"))
        #expect(try JSONDecoder().decode([Item].self, from: data) == [Item()])
        let http = try #require(response as? HTTPURLResponse)
        #expect(http.statusCode == 200)
        #expect(http.value(forHTTPHeaderField: "content-type") == "application/json")
        #expect(http.value(forHTTPHeaderField: "content-length") == String(data.count))
        #expect(http.url == URL("https://api.example.com/items/7"))
    }

    @Test(arguments: ["GET", "HEAD"]) func `Content-Length is the length of the delivered body`(method: String)
        async throws
    {
        let wrong = [HeaderField(name: "content-length", value: "99")]
        let body = Data("four".utf8)
        let interceptor = Interceptor.with(
            .stub("a/data", .data(body, headers: wrong)),
            .stub("a/response") { _ in .response(InterceptedResponse(url: "", headers: wrong, body: body)) },
            .stub("a/override", .text("four")),
            .override("a/override", .header("Content-Length", "99")),
            .stub("a/encoded", .data(body, headers: wrong + [HeaderField(name: "Content-Encoding", value: "gzip")])))
        let lengths = ["data": "4", "response": "4", "override": "4", "encoded": "99"]
        for (path, length) in lengths {
            let (data, response) = try await interceptor.session().data(
                for: URLRequest("http://a/\(path)", method: method))
            let http = try #require(response as? HTTPURLResponse)
            #expect(data == (method == "GET" ? body : Data()))
            // A response to HEAD keeps its original length.
            #expect(http.value(forHTTPHeaderField: "Content-Length") == (method == "GET" ? length : "99"), "\(path)")
        }
    }

    @Test func `a closure receives the request and can suspend, and its error makes the request fail`() async throws {
        struct Refused: Error, Equatable {}
        let interceptor = Interceptor.with(
            .stub(.post("a/**")) { request in
                await Task.yield()
                guard let body = request.body else { throw Refused() }
                return .text("\(request.method) \(body.count)", status: 201)
            })
        let session = interceptor.session()
        #expect(try await session.text(URLRequest("http://a/b", method: "POST", body: "four")) == "POST 4")
        await #expect(throws: Refused.self) { try await session.text(URLRequest("http://a/b", method: "POST")) }
    }

    @Test func `responses are used in order, and the last one repeats`() async throws {
        let rule = Rule.stub("a/b", inOrder: .text("1"), .status(503), .text("3"))
        let session = Interceptor.with(rule).session()
        var texts: [String] = []
        for _ in 0..<4 { texts.append(try await session.text("http://a/b")) }
        #expect(texts == ["1", "", "3", "3"])
        #expect(
            try await Interceptor.with(rule).session().text("http://a/b") == "1",
            "each interceptor starts with the first response")
    }

    @Test func `a rule can be limited to a number of requests`() async throws {
        let interceptor = Interceptor(entries: [.entry("GET", "http://a/b", text: "recorded")])
        let fails = Rule.stub("a/b", .status(503)).times(1)
        let changes = Rule.override("a/**", .replacing("recorded", with: "changed")).times(2)
        interceptor.add(changes, fails)
        let session = interceptor.session()
        var texts: [String] = []
        for _ in 0..<4 { texts.append(try await session.text("http://a/b")) }
        #expect(texts == ["", "changed", "recorded", "recorded"])
        interceptor.add(fails)
        #expect(try await session.text("http://a/b") == "", "adding a rule again resets its count")
        interceptor.add(Rule.stub("a/b", .text("never")).times(0))
        #expect(try await session.text("http://a/b") == "recorded")
        #expect(interceptor.unusedRules.map(\.pattern.description) == ["a/b"])
    }

    @Test func `concurrent requests do not exceed the limit of a rule`() async throws {
        let session = Interceptor.with(.stub("a/b", .text("later")), .stub("a/b", .text("first")).times(7)).session()
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await session.text("http://a/b") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts.count { $0 == "first" } == 7)
        #expect(texts.count == 50)
    }

    @Test(arguments: [
        (
            "a/items", "http://a/items?page=2",
            "The request has a query. To match any query, append `?*` to the pattern."
        ),
        ("a/items?page=1", "http://a/items?page=2", "The queries differ."),
        ("https://a/items", "http://a/items", "The schemes differ. To match any scheme, remove it from the pattern."),
        ("a:8080/items", "http://a/items", "The ports differ. To match any port, remove it from the pattern."),
        ("a/items", "http://a/items/", "The path of the request ends with a slash."),
        ("a/items/?x", "http://a/items?x", "The path of the request does not end with a slash."),
        ("a/itmes", "http://a/items", "The paths differ."),
        ("api.exmple.com/items", "http://api.example.com/items", "The hosts differ."),
    ])
    func `a miss lists similar rules and their differences`(pattern: String, url: String, reason: String) async throws {
        let interceptor = Interceptor.with(.stub(.any, .text("once")).times(1), .stub("other/**", .text("")))
        interceptor.add(.stub(RequestPattern.url(pattern), .text("")))
        _ = try await interceptor.session().text(url)
        let error = await #expect(throws: RelayError.self) { try await interceptor.session().text(url) }
        #expect(
            error?.message == """
                No rule matches GET \(url).
                The nearest rules:
                  every request
                    It is limited to one request.
                  \(pattern)
                    \(reason)
                To respond to the request, add a stub, or replay or record an archive.
                """)
    }

    @Test func `the method and combined patterns are compared as well`() async throws {
        let interceptor = Interceptor(entries: [.entry("GET", "http://b/")], name: "shop.har")
        interceptor.add(
            .stub(.post("a/items"), .text("")), .stub(.get("a/itemz"), .text("")),
            .stub(.method("GET").and("a/items/"), .text("")), .override("a/items?x", .status(201)),
            .stub(RequestPattern("b/x").or("a/item"), .text("")), .stub("c/y", .text("")))
        let error = await #expect(throws: RelayError.self) { try await interceptor.session().text("http://a/items") }
        #expect(
            error?.message == """
                No entry matches GET http://a/items.
                The nearest rules:
                  POST a/items
                    The methods differ.
                  GET and a/items/
                    The path of the request does not end with a slash.
                  GET a/itemz
                    The paths differ.
                The only entry in the archive is not similar. Print it with `har entries`.
                """)
    }

    @Test func `the last matching rule takes precedence over earlier rules and all archives`() async throws {
        let interceptor = Interceptor(entries: [.entry("GET", "http://a/b", text: "recorded")])
        let session = interceptor.session()
        let narrow = Rule.stub("a/b", .text("narrow"))
        let wide = Rule.stub("a/**", .text("wide"))
        #expect(try await session.text("http://a/b") == "recorded")
        interceptor.add(narrow, wide)
        #expect(try await session.text("http://a/b") == "wide")
        interceptor.add(narrow)
        #expect(try await session.text("http://a/b") == "narrow")
        interceptor.add(.replay("a/b"))
        #expect(try await session.text("http://a/b") == "recorded")
        #expect(try await session.text("http://a/c") == "wide")
        interceptor.remove(wide)
        await #expect(throws: RelayError.self) { try await session.text("http://a/c") }
        interceptor.removeAllRules()
        #expect(try await session.text("http://a/b") == "recorded")
    }

    @Test func `a rule can make a request fail even if an archive has a response for it`() async {
        let interceptor = Interceptor(entries: [.entry("GET", "http://a/b")])
        interceptor.add(.fail(.host("a")))
        let error = await #expect(throws: RelayError.self) { try await interceptor.session().text("http://a/b") }
        #expect(error?.code == .noMatchingEntry)
    }

    @Test func `a redirect from one stub to another is followed`() async throws {
        let session = Interceptor.with(.stub("a/1", .redirect(to: "/2")), .stub("a/2", .text("two"))).session()
        let (data, response) = try await session.data(from: URL("http://a/1"))
        #expect(String(decoding: data, as: UTF8.self) == "two")
        #expect(response.url == URL("http://a/2"))
    }

    @Test func `responses to HEAD requests and responses with status 204 have no body`() async throws {
        let session = Interceptor.with(.stub(.any, .text("body")), .stub("a/204", .text("x", status: 204))).session()
        #expect(try await session.data(for: URLRequest("http://a/", method: "HEAD")).0.isEmpty)
        #expect(try await session.data(from: URL("http://a/204")).0.isEmpty)
    }

    @TaskLocal private static var place = "nowhere"

    @Test func `closures run with the task-local values of the code that added the rule`() async throws {
        let rule = Rule.stub("a/stub") { _ in .text(Self.place) }
        let interceptor = Interceptor.with(.stub(.any, .text("x")))
        Self.$place.withValue("test") {
            interceptor.add(
                rule,
                .override(
                    "a/change",
                    .changing { _, response in
                        var response = response
                        response.body = Data(Self.place.utf8)
                        return response
                    }))
        }
        let session = interceptor.session()
        #expect(try await session.text("http://a/stub") == "test")
        #expect(try await session.text("http://a/change") == "test")
    }

    @Test func `a failed expectation in a closure fails the test`() async throws {
        await withKnownIssue {
            let interceptor = Interceptor.with(
                .stub(.any) { request in
                    #expect(request.method == "POST")
                    return .status(200)
                })
            _ = try await interceptor.session().text("http://a/")
        }
    }

    @Test func `requests made by a stub are not intercepted by its own scope`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        let plain = URLSession(configuration: .default)
        let interceptor = Interceptor.with(
            .stub(.any) { _ in .text("stub of " + (try await plain.text(server.url("/")))) })
        let text = try await interceptor.interceptEverySession { try await plain.text("http://example.invalid/") }
        #expect(text == "stub of live")
    }
}
