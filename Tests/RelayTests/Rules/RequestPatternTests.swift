import HTTPArchive
import Relay
import Testing

@Suite(.limited) struct RequestPatternTests {
    private func fits(_ pattern: RequestPattern, _ method: String, _ url: String) -> Bool {
        pattern.matches(InterceptedRequest(method: method, url: url))
    }

    private func fits(_ pattern: RequestPattern, _ url: String) -> Bool { fits(pattern, "GET", url) }

    @Test func `a string literal is a URL pattern`() {
        let pattern: RequestPattern = "api.example.com/items/*"
        #expect(fits(pattern, "DELETE", "https://api.example.com/items/4"))
        #expect(!fits(pattern, "https://api.example.com/items"))
        #expect(fits(.any, "https://api.example.com/items"))
    }

    @Test func `an exact pattern matches all equivalent spellings of its URL`() {
        let pattern = RequestPattern.exactly("https://a.test/x?b=c&d=e")
        #expect(fits(pattern, "HTTPS://A.test:443/%78?b=c&d=e#top"))
        for url in ["http://a.test/x?b=c&d=e", "https://a.test/x?d=e&b=c", "https://a.test/x", "https://b.test/x"] {
            #expect(!fits(pattern, url))
        }
    }

    @Test func `keywords match anywhere in the URL`() {
        #expect(fits(.keywords("items", "people"), "https://a.test/x?y=people"))
        #expect(fits(.keywords(["a.test"]), "https://a.test"))
        #expect(fits(.keywords("é"), "https://a.test/é\u{301}"))
        #expect(!fits(.keywords("items", "people"), "https://a.test/Items"))
        #expect(fits(.keywords(), "https://a.test"))
        #expect(fits(.keywords([]), ""))
        #expect(fits(.keywords(""), "https://a.test"))
    }

    @Test func `methods are compared case-insensitively`() {
        #expect(fits(.method("post"), "POST", "https://a.test"))
        #expect(fits(.method("POST"), "Post", "https://a.test"))
        #expect(!fits(.method("POST"), "PUT", "https://a.test"))
    }

    @Test(arguments: [
        ("GET", RequestPattern.get("a.test/*")), ("POST", .post("a.test/*")), ("PUT", .put("a.test/*")),
        ("PATCH", .patch("a.test/*")), ("DELETE", .delete("a.test/*")), ("HEAD", .head("a.test/*")),
        ("OPTIONS", .options("a.test/*")),
    ])
    func `a method and a URL pattern must both match`(method: String, pattern: RequestPattern) {
        #expect(fits(pattern, method, "https://a.test/1"))
        #expect(!fits(pattern, method, "https://a.test/1/2"))
        #expect(!fits(pattern, "TRACE", "https://a.test/1"))
        #expect(pattern.description == "\(method) a.test/*")
    }

    @Test(arguments: [
        ("a.test", "https://A.TEST/x", true), ("a.test", "https://b.a.test/", false),
        ("a.test", "http://a.test:1/", true),
        ("*.a.test", "https://b.a.test/", true), ("*.a.test", "https://c.b.a.test", true),
        ("*.a.test", "https://a.test/", false), ("a.test:81", "http://a.test:81/", true),
        ("a.test:81", "http://a.test/", false), ("a.test:443", "https://a.test/", true),
        ("[::1]", "http://[::1]:8/", true),
        ("a.test", "https://b.test/?a.test", false), ("a.test", "https://a.test@b.test/", false),
        ("a.test:", "https://a.test/", true), ("a.test:99999999999999999999", "https://a.test/", false),
    ])
    func `a host with a wildcard matches its subdomains`(host: String, url: String, expected: Bool) {
        #expect(fits(.host(host), url) == expected)
    }

    @Test(arguments: [
        ("/api/v1", "https://a.test/api/v1", true), ("/api/v1", "https://a.test/api/v1/items?x", true),
        ("api/v1/", "https://a.test//api/%761#y", true), ("/api/v1", "https://a.test/api/v10", false),
        ("/api/v1", "https://a.test/api", false), ("/api", "https://a.test/?x=/api", false),
        ("/", "https://a.test", true),
        ("/a/b", "https://a.test/a%2Fb", false),
    ])
    func `a path prefix matches whole segments`(prefix: String, url: String, expected: Bool) {
        #expect(fits(.path(prefix: prefix), url) == expected)
    }

    @Test func `a regular expression matches anywhere in the URL`() throws {
        let pattern = try RequestPattern.matching(regularExpression: #"/items/\d+$"#)
        #expect(fits(pattern, "https://a.test/é🎈/items/42"))
        #expect(!fits(pattern, "https://a.test/items/x42"))
    }

    @Test(arguments: [("a(b", 2), ("(a)[b", 4), ("*", 1), ("é(", 2)])
    func `an error in a regular expression is reported with its position`(expression: String, place: Int) {
        let error = #expect(throws: RelayError.self) { try RequestPattern.matching(regularExpression: expression) }
        #expect(error?.code == .invalidRule)
        #expect(error?.message.contains("character \(place).") == true)
    }

    @Test func `patterns can be combined`() {
        let pattern = RequestPattern.host("a.test").and(.not(.method("GET").or("a.test/x")))
        #expect(fits(pattern, "POST", "https://a.test/y"))
        #expect(!fits(pattern, "GET", "https://a.test/y"))
        #expect(!fits(pattern, "POST", "https://a.test/x"))
        #expect(!fits(pattern, "POST", "https://b.test/y"))
        #expect(pattern.description == "host a.test and not (GET or a.test/x)")
        #expect(fits(.where { $0.body == nil }, "https://a.test"))
        #expect(
            RequestPattern.exactly("https://u:p@a.test/?token=x").description == "exactly https://a.test/?token=•••")
    }

    @Test func `one pattern can combine thousands of others`() {
        let either = (0..<2_000).reduce(RequestPattern.not(.any)) { $0.or(.url("a.test/\($1)")) }
        #expect(fits(either, "https://a.test/1999"))
        #expect(!fits(either, "https://a.test/2000"))
        let all = (0..<2_000).reduce(RequestPattern.any) { $0.and(.not(.url("a.test/\($1)"))) }
        #expect(!fits(all, "https://a.test/1999"))
        #expect(fits(all, "https://a.test/2000"))
    }
}
