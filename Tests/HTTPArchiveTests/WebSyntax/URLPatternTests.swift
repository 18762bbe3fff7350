import HTTPArchive
import Testing

@Suite(.limited) struct URLPatternTests {
    @Test(arguments: [
        ("apple.com", "https://apple.com"), ("apple.com", "http://apple.com/"), ("apple.com/", "apple.com"),
        ("apple.com/foo", "https://apple.com/foo"), ("https://apple.com/foo", "HTTPS://apple.com/foo"),
        ("*://apple.com/foo", "ws://apple.com/foo"), ("//apple.com/foo", "https://apple.com/foo"),
        ("Apple.COM/foo", "https://aPPle.com/foo"), ("apple.com/foo#a", "https://user:pw@apple.com/foo#top"),
        ("apple.com/foo", "http://apple.com:8080/foo"), ("apple.com:80/foo", "http://apple.com/foo"),
        ("apple.com:443/foo", "https://apple.com:443/foo"), ("apple.com:*/foo", "https://apple.com:1/foo"),
        ("[::1]:8080/x", "http://[::1]:8080/x"), ("[::1]/x", "http://[::1]:8080/x"),
        ("/foo", "https://apple.com/foo"), ("/foo", "/foo"), ("/foo/*", "http://a:1/foo/x"),
        ("*/foo", "https://a.b/foo"),
        ("*.apple.com/foo", "https://www.store.apple.com/foo"), ("apple.*/foo", "https://apple.co.uk/foo"),
        ("apple.com/*", "https://apple.com/1"), ("apple.com/*", "https://apple.com/"),
        ("apple.com/*/info", "https://apple.com/1/info"), ("apple.com/item-*.png", "https://apple.com/item-7.png"),
        ("apple.com/**", "https://apple.com/a/b?c=d"), ("apple.com/**", "https://apple.com"),
        ("apple.com/foo/**/blah", "https://apple.com/foo/1/2/blah"), ("apple.com/foo**", "https://apple.com/foo?a"),
        ("**", "https://apple.com"), ("**", ""), ("**/items", "https://apple.com/v1/items"),
        ("**.js", "https://apple.com/v1/a.js"), ("**items**", "https://apple.com/v1/items/2?x"),
        ("https://**/items", "https://apple.com/v1/items"), ("apple.com**", "https://apple.com/foo"),
        ("apple.com/foo?a=b", "https://apple.com/foo?a=b"), ("apple.com/foo?a=*", "https://apple.com/foo?a=b/c?d&e"),
        ("apple.com/foo?*", "https://apple.com/foo?a=b&c=d"), ("apple.com/foo?*&c=d", "https://apple.com/foo?a=b&c=d"),
        ("apple.com/foo?**c=*", "https://apple.com/foo?a=b&c=d"), ("apple.com?a", "https://apple.com/?a"),
        ("apple.com/foo bar", "https://apple.com/foo%20bar"), ("apple.com/%66oo", "https://apple.com/foo"),
        ("apple.com/é", "https://apple.com/%c3%a9"), ("apple.com/100%", "https://apple.com/100%25"),
        ("apple.com/a%2fb", "https://apple.com/a%2Fb"), ("apple.com/%2A", "https://apple.com/%2a"),
        ("Bücher.test:81/**", "https://xn--bcher-kva.test:81/x"), ("*.bücher.test/x", "https://a.xn--bcher-kva.test/x"),
        (#"apple.com\foo"#, "https://apple.com/foo"), ("apple.com/foo", #"https://apple.com\foo"#),
        ("", ""), ("data:text/*;base64,**", "data:text/plain;base64,aGk="),
        ("data:**", "data:text/plain,x"), ("DATA:**", "Data:,x?y#z"), ("data:*", "data:,x"), ("data:,a@*", "data:,a@b"),
        ("data:text/plain,%7E%2A", "data:text/plain,~%2a"), ("data:**,<svg/>", "data:image/svg+xml,<svg/>#a"),
        ("blob:**", "blob:https://a.test/1"), ("blob:https://a.test/*", "blob:https://a.test/1"),
        ("about:*", "about:blank"), ("mailto:*@a.test", "mailto:me@a.test"), ("**", "data:text/plain,x"),
        ("localhost:80/**", "localhost:80/a/b"), ("**itemsList.js", "https://a.test/x/itemsList.js"),
        ("https://A**/Items?Q=1", "https://a.test/Items?Q=1"), ("**.Apple.COM/X", "https://www.apple.com/X"),
        ("a**B*.js?*", "https://a.test/B1.js?x"),
    ])
    func `a pattern matches complete URLs`(pattern: String, url: String) {
        #expect(URLPattern(pattern).matches(url))
    }

    @Test(arguments: [
        ("apple.com", "https://apple.com/foo"), ("apple.com/foo", "https://apple.com"),
        ("apple.com/foo", "https://apple.com/Foo"), ("apple.com/foo", "https://apple.com/foo?a=b"),
        ("apple.com/foo", "https://apple.com/foo/"), ("apple.com/foo?", "https://apple.com/foo"),
        ("http://apple.com/foo", "https://apple.com/foo"), ("apple.com:80/foo", "https://apple.com/foo"),
        ("apple.com:8080/foo", "http://apple.com/foo"), ("apple.com", "https://www.apple.com"),
        ("*.apple.com/foo", "https://apple.com/foo"), ("*.apple.com/foo", "https://pear.org/.apple.com/foo"),
        ("apple.com/*", "https://apple.com/1/2"), ("apple.com/*", "https://apple.com/1?a"),
        ("apple.com/a/b", "https://apple.com/a%2Fb"), ("apple.com/%2A", "https://apple.com/x"),
        ("apple.com/foo/**", "https://apple.com/foo"), ("**/items", "https://apple.com/items?page=2"),
        ("/foo", "https://apple.com/x/foo"), ("apple.com/foo?a=b&c=d", "https://apple.com/foo?c=d&a=b"),
        ("", "https://apple.com"), ("?", "https://apple.com"), ("pear.org/apple.com", "apple.com"),
        ("data:**", "https://data/x"), ("data:**", "data://a/x"), ("data:**", "blob:https://a.test/1"),
        ("blob:**", "data:,blob:x"), ("data:text/*", "data:image/png,x"), ("data:*", "data:text/plain,x"),
        ("data:**", "https://a.test/?data:x"), ("https:**", "https://a.test/"), ("*://data:**", "data:text/plain,x"),
        ("data:,x", "data:,X"), ("**itemsList.js", "https://a.test/ItemsList.js"),
    ])
    func `a pattern does not match other URLs`(pattern: String, url: String) {
        #expect(!URLPattern(pattern).matches(url))
    }

    @Test(arguments: [
        ("apple.com:8080", "http://apple.com:8080/a/b?c", true), ("apple.com", "http://apple.com:8080", true),
        ("APPLE.com", "https://apple.COM/x", true), ("*.com", "https://www.apple.com/x", true),
        ("apple.com", #"https://apple.com\x:1?a"#, true),
        ("apple.com:443", "https://apple.com/x", true), ("apple.com:443", "http://apple.com/x", false),
        ("apple.com", "https://apple.com.org/", false), ("apple.com", "https://www.apple.com/", false),
    ])
    func `a host pattern matches the URLs of that host only`(host: String, url: String, isMatch: Bool) {
        #expect(URLPattern(host: host).matches(url) == isMatch)
    }

    @Test(arguments: [
        ("apple.com/foo", "apple.com"), ("https://u@apple.com:8080/*", "apple.com:8080"),
        ("*.apple.com/", "*.apple.com"),
        ("**", nil), ("**/foo", nil), ("/foo", nil), ("", nil),
    ])
    func `a pattern has a host unless two asterisks cover it`(pattern: String, authority: String?) {
        #expect(URLPattern(pattern).authority == authority)
    }

    @Test(arguments: [
        "/", "%", "%2", "%2F", "?", "&", "=", "*", "**/", "a/", "@", "#", ":", "[", "\u{301}", "\u{0}", "é",
    ])
    func `a long URL of any kind matches itself`(part: String) {
        let text = String(repeating: part, count: (1 << 12) / part.utf8.count)
        for url in [text, "http://" + text, "http://a/" + text, "http://a/?" + text] {
            #expect(URLPattern(url).matches(url))
            #expect(!URLPattern("b.c/d").matches(url))
        }
    }
}
