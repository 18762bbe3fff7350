import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite struct URLPatternTests {
    @Test(arguments: [
        ("apple.com", "https://apple.com"), ("apple.com", "http://apple.com/"), ("apple.com", "apple.com"),
        ("http://apple.com/foo", "https://apple.com/foo"), ("apple.com/foo/", "https://apple.com//foo"),
        ("Apple.COM/foo", "https://aPPle.com/foo"), ("apple.com/foo", "https://user:pw@apple.com/foo#top"),
        ("apple.com:80/foo", "http://apple.com:80/foo"), ("[::1]:8080/x", "http://[::1]:8080/x"),
        ("apple.com/*", "https://apple.com/1"), ("apple.com/*/info", "https://apple.com/1/info"),
        ("apple.com/*id/info", "https://apple.com/1/info"), ("apple.com/**x/info", "https://apple.com/1/info"),
        ("*/foo", "https://apple.com/foo"),
        ("*.apple.com/foo", "https://pear.org/foo"),
        ("apple.com/**", "https://apple.com/a/b?c=d"), ("apple.com/foo/**/blah", "https://apple.com/foo/1337/baz"),
        ("apple.com/foo/**", "https://apple.com/foo?a"), ("**", "https://apple.com"),
        ("apple.com/foo?a=b", "https://apple.com/foo?a=b"), ("apple.com/foo?a=*", "https://apple.com/foo?a=b"),
        ("apple.com/foo?*=*&c=d", "https://apple.com/foo?a=b&c=d"), ("apple.com/foo?a", "https://apple.com/foo?a="),
        ("apple.com/foo?a=b=c", "https://apple.com/foo?a=b=c"), ("apple.com/foo?a=*", "https://apple.com/foo?a=b=c/d"),
        ("apple.com/foo bar", "https://apple.com/foo%20bar"), ("apple.com/%66oo", "https://apple.com/foo"),
        ("apple.com/a/b", "https://apple.com/a%2Fb"), ("apple.com/é", "https://apple.com/%C3%A9"),
        ("apple.com/100%", "https://apple.com/100%"), ("apple.com/%zz/%4", "https://apple.com/%zz/%4"),
        ("apple.com/a?b?c=d", "https://apple.com/a?b?c=d"), ("apple.com/*", "https://apple.com/a?b?c=d"),
        ("apple.com/a?b=*", "https://apple.com/a?b=http://c"),
        ("apple.com/:name", "https://apple.com/:name"), ("", ""),
        ("Bücher.test:81/**", "https://xn--bcher-kva.test:81/x"),
    ])
    func `a pattern matches URLs with its components`(pattern: String, url: String) {
        #expect(URLPattern(pattern).matches(url))
    }

    @Test(arguments: [
        ("apple.com", "https://apple.com/foo"), ("apple.com/foo", "https://apple.com"),
        ("apple.com/foo", "https://apple.com/Foo"), ("apple.com/foo", "https://apple.com/foo?a=b"),
        ("apple.com", "https://apple.com:8080"), ("apple.com", "https://www.apple.com"),
        ("apple.com/*", "https://apple.com"), ("apple.com/*", "https://apple.com/1/2"), ("apple.com/*", "apple.com//"),
        ("apple.com/**", "https://apple.com"), ("apple.com/foo/**", "https://apple.com/bar/x"),
        ("apple.com/foo?a=b&c=d", "https://apple.com/foo?c=d&a=b"), ("apple.com/a?b?c=d", "https://apple.com/a?b?c=e"),
        ("apple.com/a?b?c=*", "https://apple.com/a?b?c=d"), ("apple.com/:name", "https://apple.com/me"),
        ("apple.com/foo?a=*", "https://apple.com/foo?a"), ("", "https://apple.com"), ("**", ""),
        ("apple.com/fo*", "https://apple.com/foo"), ("apple.com/**x", "https://apple.com/1/2"),
        ("pear.org/apple.com", "apple.com"),
    ])
    func `a pattern does not match URLs with other components`(pattern: String, url: String) {
        #expect(!URLPattern(pattern).matches(url))
    }

    @Test func `the components of a URL must be in order`() {
        func parts(_ url: String) -> [String] {
            URLPatternParts(url).map { "\($0.isHost ? "host " : "")\(Substring($0.text))" }
        }
        #expect(
            parts("s://u@H:1/a//b%3Fc=d&e&=f&&g=h=i#j?k") == ["host H:1", "a", "b", "c", "d", "e", "f", "g", "h=i"])
        #expect(parts("/a?b?c&d") == ["a?b?c&d"])
        #expect(parts("?a=b/c") == ["a", "b/c"])
        #expect(parts("http://") == [])
    }

    @Test(arguments: ["/", "%", "%2", "%2F", "?", "&", "=", "*", "**/", "a/", "@", "#", ":", "[", "\u{301}", "\u{0}"])
    func `long URLs of any kind are matched in linear time`(piece: String) {
        let text = String(repeating: piece, count: (1 << 15) / piece.utf8.count)
        for url in [text, "http://" + text, "http://a/" + text, "http://a/?" + text] {
            let pattern = URLPattern(url)
            #expect(pattern.matches(url) || piece.hasPrefix("*"))
            #expect(!URLPattern("b.c/d").matches(url))
        }
    }
}
