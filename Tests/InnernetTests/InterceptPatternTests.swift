import HTTPArchive
import PlantedSecrets
import Testing

@testable import Innernet

@Suite(.limited) struct InterceptPatternTests {
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
        ("apple.com/**/a/b?c=d", "https://apple.com/1/2/3/4/5"), ("a/**/**", "https://a/b/c/d"),
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
    func `a pattern matches URLs whose components match`(pattern: String, url: String) {
        #expect(InterceptPattern(pattern).matches(url))
    }

    @Test(arguments: [
        ("apple.com", "https://apple.com/foo"), ("apple.com/foo", "https://apple.com"),
        ("apple.com/foo", "https://apple.com/Foo"), ("apple.com/foo", "https://apple.com/foo?a=b"),
        ("apple.com", "https://apple.com:8080"), ("apple.com", "https://www.apple.com"),
        ("apple.com/*", "https://apple.com"), ("apple.com/*", "https://apple.com/1/2"), ("apple.com/*", "apple.com//"),
        ("apple.com/**", "https://apple.com"), ("apple.com/foo/**", "https://apple.com/bar/x"),
        ("apple.com/foo/**/blah", "https://apple.com/foo/1337"), ("a/**/**", "https://a/b"),
        ("apple.com/foo?a=b&c=d", "https://apple.com/foo?c=d&a=b"), ("apple.com/a?b?c=d", "https://apple.com/a?b?c=e"),
        ("apple.com/a?b?c=*", "https://apple.com/a?b?c=d"), ("apple.com/:name", "https://apple.com/me"),
        ("apple.com/foo?a=*", "https://apple.com/foo?a"), ("", "https://apple.com"), ("**", ""),
        ("apple.com/fo*", "https://apple.com/foo"), ("apple.com/**x", "https://apple.com/1/2"),
        ("pear.org/apple.com", "apple.com"),
    ])
    func `a pattern does not match URLs with different components`(pattern: String, url: String) {
        #expect(!InterceptPattern(pattern).matches(url))
    }

    @Test func `a URL is split into its components in order`() {
        func parts(_ url: String) -> [String] {
            InterceptPatternParts(url).map { "\($0.isHost ? "host " : "")\(Substring($0.text))" }
        }
        #expect(
            parts("s://u@H:1/a//b%3Fc=d&e&=f&&g=h=i#j?k") == ["host H:1", "a", "b", "c", "d", "e", "f", "g", "h=i"])
        #expect(parts("/a?b?c&d") == ["a?b?c&d"])
        #expect(parts("?a=b/c") == ["a", "b/c"])
        #expect(parts("http://") == [])
    }

    @Test(arguments: ["/", "%", "%2", "%2F", "?", "&", "=", "*", "**/", "a/", "@", "#", ":", "[", "\u{301}", "\u{0}"])
    func `long URLs of any kind match themselves`(piece: String) {
        let text = String(repeating: piece, count: (1 << 10) / piece.utf8.count)
        for url in [text, "http://" + text, "http://a/" + text, "http://a/?" + text] {
            let pattern = InterceptPattern(url)
            #expect(pattern.matches(url) || piece.hasPrefix("*"))
            #expect(!InterceptPattern("b.c/d").matches(url))
        }
    }

    @Test func `random patterns agree with a simple implementation`() {
        var generator = PlantGenerator(seed: 7)
        func text() -> String {
            String(
                (0..<Int.random(in: 0...10, using: &generator)).compactMap { _ in
                    "aB/**?&=%.:".randomElement(using: &generator)
                })
        }
        for _ in 0..<20_000 {
            let (pattern, url) = (text(), text())
            let expected = Self.matches(parts(of: pattern), parts(of: url))
            #expect(InterceptPattern(pattern).matches(url) == expected, "\(pattern) \(url)")
        }
    }

    private static func matches(_ pattern: [Part], _ url: [Part]) -> Bool {
        for (number, part) in pattern.enumerated() {
            guard number < url.count else { return false }
            if part.text == Array("**".utf8) { return url.count >= pattern.count }
            if part.text.first == UInt8(ascii: "*") { continue }
            var other = url[number]
            if other.isHost {
                other.text = Array(LiteralURL.normalized(host: String(decoding: other.text, as: UTF8.self)[...]).utf8)
            }
            if part != other { return false }
        }
        return url.count == pattern.count
    }
}

/// A part of a URL.
///
/// The host is in lowercase.
private struct Part: Equatable {
    var isHost = false
    var text: [UInt8] = []
}

/// Splits the part of a URL from the host to the query, as described in `RequestPattern.url(_:)`.
private func parts(of url: String) -> [Part] {
    let text = Array(PercentEncoding.decoded(LiteralURL(url).resource.utf8).utf8)
    let marks = text.indices.filter { text[$0] == UInt8(ascii: "?") }
    let end = marks.count == 1 ? marks[0] : text.count
    var parts: [Part] = []
    for (number, segment) in text[..<end].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .enumerated()
    where !segment.isEmpty {
        let isHost = number == 0
        let host = isHost ? Array(LiteralURL.normalized(host: String(decoding: segment, as: UTF8.self)[...]).utf8) : []
        parts.append(Part(isHost: isHost, text: isHost && segment.first != UInt8(ascii: "*") ? host : Array(segment)))
    }
    for item in text[end...].dropFirst().split(separator: UInt8(ascii: "&")) {
        let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
        for half in [item[..<end], item[end...].dropFirst()] where !half.isEmpty {
            parts.append(Part(text: Array(half)))
        }
    }
    return parts
}
