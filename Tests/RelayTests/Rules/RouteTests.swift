import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct RouteTests {
    @Test(arguments: [
        ("https://yourserver.com/foo", "http://127.0.0.1:8000/bar"),
        ("https://yourserver.com/foo/", "http://127.0.0.1:8000/bar/"),
        ("https://yourserver.com/foo/items//%7e?a=/foo&b#/c", "http://127.0.0.1:8000/bar/items//%7e?a=/foo&b#/c"),
        ("http://YourServer.com/foo?", "http://127.0.0.1:8000/bar?"),
        ("https://yourserver.com:443/%66oo/x", "http://127.0.0.1:8000/bar/x"),
        ("http://yourserver.com:80/foo", "http://127.0.0.1:8000/bar"),
        ("http://yourserver.com:/foo", "http://127.0.0.1:8000/bar"),
        ("https://u:p@yourserver.com/foo", "http://u:p@127.0.0.1:8000/bar"),
        ("https://yourserver.com/foo/é\u{301}?%zz#\u{301}", "http://127.0.0.1:8000/bar/é\u{301}?%zz#\u{301}"),
        ("https://yourserver.com/foo#\u{301}", "http://127.0.0.1:8000/bar#\u{301}"),
        (#"https://yourserver.com\foo/x"#, "http://127.0.0.1:8000/bar/x"),
    ])
    func `a request to the route's origin is sent to its target`(url: String, expected: String) throws {
        let route = try Route(from: "yourserver.com/foo", to: "http://127.0.0.1:8000/bar")
        #expect(route.rerouted(url).map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test(arguments: [
        "https://yourserver.com/", "https://yourserver.com/foobar", "https://yourserver.com/Foo",
        "https://yourserver.com:8443/foo", "https://yourserver.com:80/foo", "https://www.yourserver.com/foo",
        "https://yourserver.com//foo", "https://yourserver.com?/foo", "https://yourserver.com@evil.test/foo",
        "https://other.test/https://yourserver.com/foo", "https://yourserver.com/foo%2Fx", "", "://", "/foo",
        "https://yourserver.com:99999999999999999999/foo", "yourserver.com:99999999999999999999/foo",
        "yourserver.com:x/foo",
    ])
    func `other requests are unchanged`(url: String) throws {
        let route = try Route(from: "yourserver.com/foo", to: "http://127.0.0.1:8000/bar")
        #expect(route.rerouted(url) == nil)
    }

    @Test func `the scheme is compared only if the route has one`() throws {
        let strict = try Route(from: "https://a.test", to: "b.test")
        #expect(strict.rerouted("HTTPS://a.test/x") == "HTTPS://b.test/x")
        #expect(strict.rerouted("http://a.test/x") == nil)
        let secure = try Route(from: "a.test:8080", to: "https://b.test:444/")
        #expect(secure.rerouted("http://a.test:8080?x") == "https://b.test:444?x")
        #expect(secure.rerouted("http://a.test/") == nil)
        #expect(try Route(from: "a.test:443", to: "b.test").rerouted("https://a.test/") == "https://b.test/")
    }

    @Test func `IP addresses and internationalized names are valid hosts`() throws {
        let route = try Route(from: "http://[2001:DB8::1]:81/x", to: "[::1]/y")
        #expect(route.rerouted("http://[2001:db8::1]:81/x/z") == "http://[::1]/y/z")
        #expect(route.original("http://[::1]/y/z") == "http://[2001:db8::1]:81/x/z")
        #expect(try Route(from: "bücher.test", to: "b.test").rerouted("http://xn--bcher-kva.test/") == "http://b.test/")
    }

    @Test(arguments: [
        ("yourserver.com/foo", "http://127.0.0.1:8000/bar"), ("http://yourserver.com/foo", "127.0.0.1:8000"),
        ("yourserver.com", "other.test/deep/er"), ("http://yourserver.com/foo/", "https://other.test/"),
    ])
    func `a route can be reversed`(from: String, to: String) throws {
        let route = try Route(from: from, to: to)
        for rest in ["", "/", "/x", "/x/?y#z", "?a=b", "#c", "//", "/é\u{301}"] {
            let start = from.hasPrefix("http") ? from : "http://" + from
            let url = (start.hasSuffix("/") ? String(start.dropLast()) : start) + rest
            let rerouted = try #require(route.rerouted(url))
            #expect(route.original(rerouted) == url)
            #expect(route.original(url) == nil)
        }
    }

    @Test(arguments: [
        "", "/foo", "http://", "http:///foo", "ftp://a.test", "a.test:", "a.test:0", "a.test:65536", "a.test:x",
        "a.test:+1", "::1", "[::1", "[]", "[::1]x", "[::1]:y", "a.test/x?y", "a.test#x", "u:secret@a.test", "a test",
        "a.test/x\n", "*.a.test", "a\\b", " ", "a.test:99999999999999999999",
    ])
    func `an invalid URL is rejected`(text: String) {
        for (from, to) in [(text, "a.test"), ("a.test", text)] {
            let error = #expect(throws: RelayError.self) { try Route(from: from, to: to) }
            #expect(error?.code == .invalidRule)
            #expect(error?.message.contains("secret") == false)
        }
    }

    @Test func `routes that map URLs in the same way are equal`() throws {
        let first = try Route(from: "HTTP://A.test/x/", to: "b.test/")
        #expect(try first == Route(from: "http://a.test/x", to: "b.test"))
        #expect(try first != Route(from: "a.test/x", to: "b.test"))
        #expect(first.description == "http://a.test/x → b.test")
    }

    @Test(arguments: ["/", "%", "?", "#", "@", ":", "a", "\u{301}"])
    func `long URLs of any kind are mapped`(piece: String) throws {
        let route = try Route(from: "a.test/x", to: "b.test/y")
        let text = String(repeating: piece, count: (1 << 11) / piece.utf8.count)
        #expect(route.rerouted("http://a.test/x/\(text)") == "http://b.test/y/\(text)")
        #expect(route.rerouted(text) == nil)
        #expect(route.rerouted("http://" + text) == nil)
    }
}
