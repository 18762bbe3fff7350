import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct NamedHostTests {
    private static let url = "https://api.example.com/items?page=2"

    private func names(_ pattern: RequestPattern, _ url: String = Self.url) throws -> Bool {
        try pattern.names(try #require(RequestHost(of: url)), of: url)
    }

    @Test(arguments: [
        "api.example.com/items/*", "API.Example.com./other", "https://api.example.com/**", "api.example.com:8443/x",
    ])
    func `a pattern names the host at its start, regardless of its path`(pattern: String) throws {
        #expect(try names(.url(pattern)))
        #expect(try names(.get(pattern)))
        #expect(try names(.exactly("https://\(pattern)")) || pattern.hasPrefix("https"))
    }

    @Test(arguments: [
        "**", "*", "*/items", "/items", "other.example.com/items", "example.com/**", "api.example.com.org",
    ])
    func `a pattern with a wildcard host, no host or another host does not name the host`(pattern: String) throws {
        #expect(try !names(.url(pattern)))
    }

    @Test func `patterns that match any host do not name a host`() throws {
        for pattern: RequestPattern in [
            .any, .method("GET"), .path(prefix: "/items"), .where { _ in true }, .not(.host("api.example.com")),
            .keywords(), .keywords("items"), try .matching(regularExpression: "items"),
            try .matching(regularExpression: ".*"), .host("*"), .host("*.*"),
        ] { #expect(try !names(pattern), "\(pattern)") }
    }

    @Test func `host, keyword and regular expression patterns name the hosts that they match`() throws {
        for pattern: RequestPattern in [
            .host("api.example.com"), .host("*.example.com"), .keywords("api.example.com"), .keywords("example"),
            .keywords("https://api.example.com/other"),
            try .matching(regularExpression: "^https://api\\.example\\.com/"),
            .method("POST").and(.host("api.example.com")), .host("other").or(.url("api.example.com/x")),
        ] { #expect(try names(pattern), "\(pattern)") }
    }

    @Test func `a route names the host of its origin`() throws {
        let rule = try Rule.reroute("api.example.com/foo", to: "http://127.0.0.1:8000/foo")
        #expect(try names(rule.pattern))
        #expect(try !names(rule.pattern, "http://127.0.0.1:8000/foo"))
    }

    @Test func `loopback hosts with different ports are different hosts`() throws {
        for (pattern, url) in [
            ("127.0.0.1:8000/**", "http://127.0.0.1:8000/"), ("localhost:8000/**", "http://127.0.0.1:8000/x"),
            ("[::1]:8000/**", "http://localhost:8000/x"), ("localhost:80/x", "http://localhost:80/x"),
        ] {
            #expect(try names(.url(pattern), url), "\(pattern)")
            #expect(try !names(.url(pattern), "http://127.0.0.1:8001/"), "\(pattern)")
        }
        #expect(try names(.host("127.0.0.1"), "http://127.0.0.1:8001/"))
        #expect(try names(.url("localhost/x"), "http://127.0.0.1:8001/"))
        #expect(try !names(.host("127.0.0.1:8000"), "http://127.0.0.1:8001/"))
        #expect(RequestHost(of: "http://127.0.0.2:8000/") != RequestHost(of: "http://127.0.0.1:8000/"))
    }

    @Test(arguments: [
        ("http://EXAMPLE.com", "example.com"), ("wss://example.com:99/", "example.com"),
        ("http://ex%61mple.com/", "example.com"), ("http://user:pw@example.com/", "example.com"),
        ("https://müller.example/", "xn--mller-kva.example"), ("http://example.com./", "example.com"),
    ])
    func `a host has one normalized name`(url: String, name: String) {
        #expect(RequestHost(of: url)?.description == name)
    }
}
