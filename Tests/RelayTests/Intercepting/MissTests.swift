import HTTPArchive
import Testing

@testable import Relay

@Suite struct MissTests {
    private func message(_ method: String, _ url: String, entries: [HAR.Entry]) throws -> String {
        let error = #expect(throws: HARError.self) {
            try Interceptor(entries: entries, name: "shop.har").response(method, url)
        }
        let miss = try #require(error)
        #expect(miss.code == .noMatchingEntry)
        return miss.description
    }

    @Test func `a miss names the request, the archive and the nearest entries with what differs`() throws {
        let entries: [HAR.Entry] = [
            .entry("GET", "http://a/users/7?page=1"), .entry("GET", "http://a/other"),
            .entry("GET", "http://b/users/7"),
            .entry("POST", "http://a/users/7"), .entry("GET", "http://a/users/8"), .entry("GET", "http://c/"),
        ]
        #expect(
            try message("GET", "http://a/users/7", entries: entries) == """
                shop.har: No entry answers GET http://a/users/7. Nearest of its 6 entries:
                  GET http://a/users/7?page=1 (other query)
                  POST http://a/users/7 (other method)
                  GET http://a/users/8 (other path)
                """)
    }

    @Test func `a host of which nothing was recorded is said to be one`() throws {
        let text = try message("GET", "http://z/x", entries: [.entry("GET", "http://a/")])
        #expect(text == "shop.har: No entry answers GET http://z/x. None of its 1 entries is of that host.")
        #expect(try message("GET", "http://z/", entries: []).hasSuffix("The archive has no entries."))
    }

    @Test func `credentials in a URL are not named`() throws {
        let text = try message("GET", "http://user:secret@a/x", entries: [.entry("GET", "http://me:hidden@a/y")])
        #expect(!text.contains("secret") && !text.contains("hidden"))
    }
}
