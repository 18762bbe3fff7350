import Foundation
import HTTPArchive
import TestSupport
import Testing

@testable import RelayCore

@Suite(.limited) struct SimilarEntriesTests {
    /// Returns the URLs of the entries that are similar to a request, in order of decreasing similarity.
    private func similar(
        _ method: String, _ url: String, in urls: [String], rule: KeyRule = .methodAndURL
    ) -> [String] {
        let entries = urls.map { text -> HAR.Entry in
            let parts = text.split(separator: " ")
            return .entry(parts.count > 1 ? String(parts[0]) : "GET", String(parts[parts.count - 1]))
        }
        let request = ComparedRequest(.request(method, url))
        return SimilarEntries(to: request, in: [ReplaySource(entries, name: "a")], rule: rule).entries
            .map { urls[$0.index] }
    }

    private let others = ["http://a/", "http://a/login", "http://a/cart/7", "http://a/pages/about", "http://b/other"]

    @Test(arguments: [
        ("/item", "/items"), ("/pages/redd.png", "/pages/red.png"), ("/v2/items", "/items"), ("/items", "/v2/items"),
        ("/itmes", "/items"), ("/Items", "/items"), ("/api/user/5/order", "/api/users/5/orders"),
        ("/users/7/orders", "/users/8/orders"), ("/search/", "/search"), ("/a%20b/c", "/a%20b/d"),
        ("/items.json", "/items"), ("/shop/items/list", "/shop/item/list"),
    ])
    func `the most similar path is found for a path with a typo`(requested: String, recorded: String) {
        let urls = others + ["http://a\(recorded)"] + others
        #expect(similar("GET", "http://a\(requested)", in: urls).first == "http://a\(recorded)")
    }

    @Test func `the nearest query, method and host come first`() {
        let pages = (1...40).map { "http://a/items?page=\($0)&size=20" }
        #expect(similar("GET", "http://a/items?page=41&size=20", in: others + pages).first?.contains("/items?") == true)
        #expect(
            similar("GET", "http://a/items?q=apple", in: ["http://a/items?q=pear", "http://a/items?lang=de"]).first
                == "http://a/items?q=pear")
        #expect(
            similar("PUT", "http://a/items/1", in: ["POST http://a/items/1", "PUT http://a/items/1?x"]).first
                == "PUT http://a/items/1?x")
        #expect(similar("GET", "http://a/x", in: ["http://b/x", "http://a/x?y"]).first == "http://a/x?y")
        #expect(similar("GET", "http://api.a.test/x", in: ["http://api.b.test/x"]) == ["http://api.b.test/x"])
    }

    @Test func `entries that have nothing in common with a request are not similar`() {
        #expect(similar("GET", "http://a/zzzzzz", in: others).isEmpty)
        #expect(similar("GET", "http://a/items", in: []).isEmpty)
        #expect(similar("GET", "not a url", in: others).isEmpty)
    }

    @Test(.enabled(if: Cases.areAll)) func `similar entries are found in an archive that several threads search`()
        throws
    {
        let archives = try TemporaryArchives()
        let count = 70_000
        let file = archives.folder.appendingPathComponent("large.har")
        let writer = try HARWriter(to: file)
        for number in 0..<count {
            try writer.append(HAR.Entry.entry("GET", "http://a/things/\(number)/\(number % 7 == 0 ? "red" : "blue")"))
        }
        try writer.append(HAR.Entry.entry("GET", "http://a/items"))
        try writer.finish()
        let source = ReplaySource(of: try HARArchive(contentsOf: file))
        let request = ComparedRequest(.request("GET", "http://a/item"))
        let found = SimilarEntries(to: request, in: [source], rule: .methodAndURL).entries
        #expect(found.first?.index == count)
    }

    @Test(arguments: [("http://a1/v2/things/5/detail", "/v2/things/"), ("http://a1/pages/7/item-77777.png", "/pages/")])
    func `a similar path is found among many others`(requested: String, kind: String) throws {
        let urls = (0..<1_000).map { number in
            let host = "http://a\(number % 5)"
            return number % 2 == 0
                ? "\(host)/pages/\(number % 100)/item-\(number).png"
                : "\(host)/v\(number % 3)/things/\(number)/details?q=\(number)"
        }
        let nearest = try #require(similar("GET", requested, in: urls).first)
        #expect(nearest.hasPrefix("http://a1\(kind)"))
    }

    @Test func `only a few entries with the same URL are listed`() {
        let found = similar("GET", "http://a/item", in: Array(repeating: "http://a/items", count: 100))
        #expect(found.count == 4)
    }
}
