import Testing

@testable import HTTPArchive

@Suite(.limited) struct NormalizedURLTests {
    @Test(arguments: [
        ("HTTP://Example.COM", "http://example.com/"), ("http://a:80/", "http://a"), ("https://a:443/x", "https://a/x"),
        ("http://a/x#y", "http://a/x"), ("http://a/x#\u{301}y", "http://a/x"), ("http://user:secret@a/", "http://a/"),
        ("http://a:/x", "http://a/x"),
        ("http://a/%7euser/%2d", "http://a/~user/-"), ("http://a/%c3%A9", "http://a/é"),
        ("http://a/a b", "http://a/a%20b"),
        ("http://a/x|y{z}", "http://a/x%7Cy%7bz%7D"), ("http://a/\"<>^`", "http://a/%22%3C%3E%5E%60"),
        ("http://a/?q=it's", "http://a/?q=it%27s"), ("http://a/?a[]=1", "http://a/?a%5B%5D=1"),
        ("http://a/x/../y/./z", "http://a/y/z"), ("http://a/..", "http://a/"), ("http://a/x/..", "http://a/"),
        ("http://a/x/.", "http://a/x/"), ("http://a?b", "http://a/?b"), (" http://a/ ", "http://a/"),
        ("http://a/100%", "http://a/100%25"), ("http://[::1]:8080/x", "HTTP://[::1]:8080/x"),
        ("http://ü.test:8080/é", "http://xn--tda.test:8080/%C3%A9"),
        ("http://a/?x=日本", "http://a/?x=%E6%97%A5%e6%9c%ac"),
    ])
    func `two spellings of one URL have the same normal form`(first: String, second: String) {
        #expect(NormalizedURL(first) == NormalizedURL(second))
    }

    @Test(arguments: ["https://[::/:", "http://a:80:", "http://a:80:80", "https://ü:0443/", "http://ü::80/"])
    func `the normal form of a URL with an invalid port is stable`(text: String) {
        let url = NormalizedURL(text)
        #expect(NormalizedURL(url.description) == url)
    }

    @Test(arguments: [
        ("http://a/", "https://a/"), ("http://a/x", "http://a/x/"), ("http://a/x", "http://a/X"),
        ("http://a:8080/", "http://a/"),
        ("http://a/%2F", "http://a//"), ("http://a/?x=1%262", "http://a/?x=1&2"),
        ("http://a/?x=a%2Bb", "http://a/?x=a+b"),
        ("http://a/?x=a+b", "http://a/?x=a%20b"), ("http://a/x?", "http://a/x"),
        ("http://a/?a=1&b=2", "http://a/?b=2&a=1"),
        ("http://a/x%3Fy", "http://a/x?y"), ("http://a/x%23y", "http://a/x#y"), ("http://a/%2525", "http://a/%25"),
        ("http://a/%C3%A9", "http://a/e"),
    ])
    func `URLs of different resources have different normal forms`(first: String, second: String) {
        #expect(NormalizedURL(first) != NormalizedURL(second))
    }

    @Test(arguments: [
        "http://bücher.exam%2F%2F:",
        "", "XML", "data:text/plain,hi", "/a/b?c", "blob:http://a/1", "://", "ht tp://a", "%", "http://", "\u{0}",
        "ftp://[::/", "ws://a:::", "ftp://ü:/", "x://a:8�/y#\u{301}b", "http\u{301}://a", "x://u@\u{301}a/?\u{301}",
    ])
    func `every text has a stable normal form`(text: String) {
        let url = NormalizedURL(text)
        #expect(NormalizedURL(url.description) == url)
        #expect(!url.isHTTP || text.hasPrefix("http://"))
    }

    @Test func `normalizing a URL that is already in normal form does not change it`() {
        let pieces = [
            "", "http://", "a", "B", "/", ".", "..", "?", "#", "%41", ":80", "@", " ", "\\", "&", "é", "/x", "-", "|",
            ":", ":443", ":8080",
        ]
        var normal = 0
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    for start in ["", "http://a.b", "https://a/c"] {
                        let text = start + first + second + third
                        guard let url = NormalizedURL(normal: text) else { continue }
                        normal += 1
                        #expect(url == NormalizedURL(rewriting: text), "\(text)")
                    }
                }
            }
        }
        #expect(normal > 100)
    }
}
