import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct URLTextTests {
    @Test(arguments: [
        ("http://a/?bar=a|b&quote=%22d%22", "http://a/?bar=a%7Cb&quote=%22d%22"),
        ("http://a/%7Bx%7D/bar|", "http://a/%7Bx%7D/bar%7C"), ("http://a/é?ü=1", "http://a/%C3%A9?%C3%BC=1"),
        ("http://a/?ids[]=1&x=%20", "http://a/?ids%5B%5D=1&x=%20"), ("http://a/100%", "http://a/100%25"),
        ("http://a/x y#z#w", "http://a/x%20y#z%23w"), ("http://[::1]:80/[", "http://[::1]:80/%5B"),
        ("http://a/?b#", "http://a/?b#"), ("http://a", "http://a"), ("http://a/\u{1}", "http://a/%01"),
    ])
    func `only characters that are invalid in a URL are encoded`(text: String, url: String) {
        #expect(URL(text: text)?.absoluteString == url)
    }

    @Test(arguments: [
        ("/y?%C3%A9|{x}", "http://a/y?%C3%A9%7C%7Bx%7D"), ("z", "http://a/b/z"), ("?q=|%20", "http://a/b/c?q=%7C%20"),
        ("//b/x|", "http://b/x%7C"), ("http://b/a|%20", "http://b/a%7C%20"), ("a:b", "a:b"),
    ])
    func `a relative URL is resolved`(text: String, url: String) {
        #expect(URL(text: text, relativeTo: URL(string: "http://a/b/c"))?.absoluteURL.absoluteString == url)
    }
}
