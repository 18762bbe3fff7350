import Testing

@testable import HTTPArchive

/// Ordinary and unusual URLs.
private let urls = [
    "", "://", "//", "/", "?", "#", "@", ":", "a", "http:", "http:/", "http://", "http://a", "http://a/", "//a/b",
    "a.b:80/c?d#e", "https://u:p@ss@a.b:8080/c/d?e=f?g#h#i", "http://[::1]:80/x", "http://[::1]", "http://a:/x",
    "http://a\\b", "data:text/plain,hi", "ht tp://a", "http\u{301}://a", "http://é.test/ü?ö#ä", "/a?u=http://b",
    "http://a?b", "http://a#b?c", "%zz://a", "blob:http://a/1", "http://@/", "?a=b", "#a", "\u{0}", "http://a b/c",
]

@Suite(.limited) struct LiteralURLTests {
    @Test(arguments: urls)
    func `joining the components of any string restores the string`(text: String) {
        let url = LiteralURL(text)
        let scheme = url.scheme.map { "\($0):" } ?? ""
        let slashes = url.hasAuthority ? "//" : ""
        #expect(scheme + slashes == url.beforeUser)
        let port = url.port.map { ":\($0)" } ?? ""
        #expect(url.host + port == url.authority)
        let whole = "\(url.beforeUser)\(url.user)\(url.authority)\(url.path)\(url.query)\(url.fragment)"
        #expect(Array(whole.utf8) == Array(text.utf8))
        #expect(Array("\(url.withoutFragment)\(url.fragment)".utf8) == Array(text.utf8))
        #expect(url.beforeQuery + url.query == url.withoutFragment)
        #expect(url.beforePath + url.path == url.beforeQuery)
        #expect(url.resource == "\(url.authority)\(url.path)\(url.query)")
        #expect(url.replacing(authority: String(url.authority)) == text)
    }

    @Test(arguments: [
        ("https://u:p@ss@a.b:8080/c?d?e#f#g", ["https", "u:p@ss@", "a.b", "8080", "/c", "?d?e", "#f#g"]),
        ("a.b:80/c", ["-", "", "a.b", "80", "/c", "", ""]), ("//a", ["-", "", "a", "-", "", "", ""]),
        ("http://[::1]:8/", ["http", "", "[::1]", "8", "/", "", ""]),
        ("http://[::1]", ["http", "", "[::1]", "-", "", "", ""]),
        ("http://a:", ["http", "", "a", "", "", "", ""]), ("://a", ["", "", "a", "-", "", "", ""]),
        ("http://a\\b@c", ["http", "", "a", "-", "\\b@c", "", ""]), ("?a#b", ["-", "", "", "-", "", "?a", "#b"]),
        ("http://@", ["http", "@", "", "-", "", "", ""]), ("data:x", ["-", "", "data", "x", "", "", ""]),
        ("/a?u=http://b", ["-", "", "", "-", "/a", "?u=http://b", ""]),
        ("http://a?b/c", ["http", "", "a", "-", "", "?b/c", ""]),
        ("http://a/?b=\u{301}#\u{301}", ["http", "", "a", "-", "/", "?b=\u{301}", "#\u{301}"]),
    ])
    func `a URL is split into its components`(text: String, parts: [String]) {
        let url = LiteralURL(text)
        let found = [
            url.scheme ?? "-", url.user, url.host, url.port ?? "-", url.path, url.query, url.fragment,
        ]
        #expect(found.map { Array($0.utf8) } == parts.map { Array($0.utf8) })
    }

    @Test(arguments: urls)
    func `the byte ranges correspond to the components of the text`(text: String) {
        let url = LiteralURL(text)
        let ranges = Array(text.utf8).withUnsafeBytes { URLRanges($0) }
        #expect(ranges.scheme.map { $0.count } == url.scheme?.utf8.count)
        #expect(ranges.user.count == url.user.utf8.count && ranges.path.count == url.path.utf8.count)
        #expect(ranges.authority.upperBound == ranges.path.lowerBound)
        #expect(ranges.path.upperBound == ranges.query.lowerBound)
        #expect(ranges.query.upperBound == ranges.fragment.lowerBound)
        #expect(ranges.fragment.upperBound == text.utf8.count)
    }

    @Test func `bytes that are not valid UTF-8 are also split`() {
        let bytes: [UInt8] = Array("http://".utf8) + [0xFF] + Array("@".utf8) + [0xC3] + Array("/?".utf8) + [0x80]
        let ranges = bytes.withUnsafeBytes { URLRanges($0) }
        #expect(ranges.user == 7..<9 && ranges.authority == 9..<10 && ranges.path == 10..<11 && ranges.query == 11..<13)
    }

    @Test(arguments: [
        ("http://a", 80), ("HTTPS://a", 443), ("https://a:1", 1), ("http://a:", 80), ("http://a:x", nil),
        ("ftp://a", nil),
        ("a", nil), ("a:8", 8), ("http://a:99999999999999999999", nil),
    ])
    func `the port defaults to the port of the scheme`(text: String, port: Int?) {
        #expect(LiteralURL(text).effectivePort == port)
    }

    @Test(arguments: [
        ("http://a", "http"), ("data:,", "data"), ("a+b-c.1:", "a+b-c.1"), ("http", nil), (":a", nil), ("", nil),
        ("/a:b", nil), ("é:a", nil), ("a b:c", nil), ("HTTP:", "HTTP"),
    ])
    func `an absolute URL has a scheme before its first colon`(text: String, scheme: String?) {
        #expect(LiteralURL.scheme(of: text).map(String.init) == scheme)
    }
}
