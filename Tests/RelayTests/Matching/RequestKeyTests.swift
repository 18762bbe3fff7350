import Relay
import HTTPArchive
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct RequestKeyTests {
    private func key(_ url: String, _ rule: KeyRule) -> RequestKey {
        RequestKey(method: "get", url: NormalizedURL(url), rule: rule)
    }

    @Test func `keys of equivalent requests are equal and have the same hash`() {
        let keys = ["http://a/?x=1&y=2&x=3", "HTTP://a:80?x=3&&y=2&x=1&#z"].map { RequestKey(method: "GET", url: $0) }
        #expect(keys[0] == keys[1])
        #expect(keys[0].hashValue == keys[1].hashValue)
        #expect(RequestKey(method: "get", url: "http://a/?") == RequestKey(method: "GET", url: "http://a/"))
    }

    @Test(arguments: ["http://a/?x=1&y=2", "http://a/?x=1&x=1&y=2&y=2", "http://a/?x=2&y=1", "http://a/"])
    func `keys of different requests differ`(url: String) {
        #expect(RequestKey(method: "GET", url: url) != RequestKey(method: "GET", url: "http://a/?x=1&x=1&y=2"))
        #expect(RequestKey(method: "GET", url: url) != RequestKey(method: "PUT", url: url))
    }

    @Test func `ignored parts of a request are not part of the key`() {
        let path = KeyRule(parts: .path)
        #expect(key("http://a/x?1", path) == key("https://b:1/x", path))
        #expect(key("http://a/x", path) != key("http://a/y", path))
        let ordered = KeyRule(query: .ordered)
        #expect(key("http://a/?x&y", ordered) != key("http://a/?y&x", ordered))
        let host = KeyRule(parts: .host)
        #expect(key("http://a:1/", host) == key("https://a:2/", host))
        let port = KeyRule(parts: .port)
        #expect(key("https://a/", port) == key("http://b:443/", port))
        #expect(key("https://a/", port) != key("http://a/", port))
        let some = KeyRule(query: .items(ignoring: ["t"]))
        #expect(key("http://a/?t=1&x", some) == key("http://a/?x&t=2", some))
    }

    @Test func `an index finds the entries for a key in file order`() {
        let keys = (0..<100).map { RequestKey(method: "GET", url: "http://a/?x=\($0 % 7)&y=1") }
        let index = KeyIndex(count: keys.count) { $0 == 14 ? nil : keys[$0] }
        let wanted = RequestKey(method: "GET", url: "http://a/?y=1&x=0")
        #expect(index.entries(of: wanted) { keys[$0] } == stride(from: 0, to: 100, by: 7).filter { $0 != 14 })
    }
}
