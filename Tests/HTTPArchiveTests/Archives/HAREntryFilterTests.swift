import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct HAREntryFilterTests {
    private static func entry(
        _ url: String = "https://a.test/", method: String = "GET", status: Int = 200, type: String = "text/html",
        size: Int? = 10, start: String = "2026-01-01T12:00:00.000Z"
    ) -> HAR.Entry {
        HAR.Entry(
            startedDateTime: start, request: HAR.Request(method: method, url: url),
            response: HAR.Response(status: status, content: HAR.Content(size: size, mimeType: type)))
    }

    @Test(arguments: [
        ("a.test", "https://a.test/", true), ("A.Test", "https://a.TEST/", true), ("a.test", "http://a.test:81", true),
        ("a.test:81", "http://a.test:81/", true), ("a.test:82", "http://a.test:81/", false),
        ("*.test", "https://b.a.test/", true), ("*.test", "https://test/", false),
        ("a.test", "https://aa.test/", false),
        ("a.test", "https://u:p@a.test/", true), ("a.test", "https://b.test/?x=https://a.test/", false),
        ("[::1]", "http://[::1]:80/", true), ("[::1]", "http://[::1]/", true), ("*", "data:text/plain,x", false),
        ("*", "", false), ("a.test", "https://b.test\\@a.test/", false), ("a.test", "https://a.test?x", true),
        ("u@a.test", "https://u@a.test/", true), ("*", "https:///", false),
        ("localhost", "ws://localhost:1/", true),
        ("*", "blob:https://a.test/x", false), ("80", "http://80:80/", true), ("80", "http://80/", true),
    ])
    func `entries are selected by host`(pattern: String, url: String, isSelected: Bool) {
        #expect(HAREntryFilter.host(pattern).selects(Self.entry(url), at: 0) == isSelected)
    }

    @Test(arguments: [
        ("https://a.test/", "https://a.test/", true), ("https://a.test/", "https://a.test/b", false),
        ("https://a.test/*", "https://a.test/b", true), ("https://a.test/*", "https://a.test/b/c", false),
        ("https://a.test/*", "https://a.test/b?c", false), ("https://a.test/**", "https://a.test/b/c?d", true),
        ("**/b", "https://a.test/b#c", true), ("**/B", "https://a.test/b", false),
    ])
    func `entries are selected by URL`(pattern: String, url: String, isSelected: Bool) {
        #expect(HAREntryFilter.url(pattern).selects(Self.entry(url), at: 0) == isSelected)
    }

    @Test(arguments: [
        ("image/*", "image/png", true), ("image/*", "IMAGE/PNG; a=b", true), ("text/html", "text/html;charset=x", true),
        ("*+json", "application/hal+json", true), ("image/*", "text/html", false), ("*", "", false),
    ])
    func `entries are selected by media type`(pattern: String, type: String, isSelected: Bool) {
        #expect(HAREntryFilter.mediaType(pattern).selects(Self.entry(type: type), at: 0) == isSelected)
    }

    @Test func `entries are selected by method, status, size and index`() {
        let entry = Self.entry(method: "post", status: 404, size: 10)
        #expect(HAREntryFilter.method("Post").selects(entry, at: 0))
        #expect(!HAREntryFilter.method("GET").selects(entry, at: 0))
        #expect(HAREntryFilter.status(400...499).selects(entry, at: 0))
        #expect(!HAREntryFilter.status(200...299).selects(entry, at: 0))
        #expect(HAREntryFilter.bodySize(10...10).selects(entry, at: 0))
        #expect(!HAREntryFilter.bodySize(0...9).selects(entry, at: 0))
        #expect(!HAREntryFilter.bodySize(0 ... .max).selects(Self.entry(size: nil), at: 0))
        #expect(HAREntryFilter.indices(3...4).selects(entry, at: 4))
        #expect(!HAREntryFilter.indices(3...4).selects(entry, at: 5))
    }

    @Test func `the size filter uses the size of the body if no size was recorded`() {
        var entry = Self.entry(size: nil)
        entry.response.content.text = "äöü"
        #expect(HAREntryFilter.bodySize(6...6).selects(entry, at: 0))
    }

    @Test func `entries are selected by start time in any time zone, excluding the end of the range`() throws {
        let start = try #require(HAR.date("2026-01-01T12:00:00Z"))
        let filter = HAREntryFilter.started(in: start..<start.addingTimeInterval(60))
        #expect(filter.selects(Self.entry(start: "2026-01-01T14:00:00+02:00"), at: 0))
        #expect(filter.selects(Self.entry(start: "2026-01-01T12:00:59.9999Z"), at: 0))
        #expect(!filter.selects(Self.entry(start: "2026-01-01T12:01:00Z"), at: 0))
        #expect(!filter.selects(Self.entry(start: "yesterday"), at: 0))
    }

    @Test func `failed requests are selected by their error or status`() {
        var aborted = Self.entry(status: 200)
        aborted["_error"] = "net::ERR_ABORTED"
        var moved = Self.entry(status: 204)
        moved.response["_error"] = "net::ERR_ABORTED"
        #expect(HAREntryFilter.failed.selects(aborted, at: 0))
        #expect(HAREntryFilter.failed.selects(Self.entry(status: 0), at: 0))
        #expect(!HAREntryFilter.failed.selects(moved, at: 0))
        #expect(!HAREntryFilter.failed.selects(Self.entry(status: 500), at: 0))
        #expect(aborted.failure == "net::ERR_ABORTED")
    }

    @Test func `filters can be combined`() {
        let entry = Self.entry(status: 404)
        let yes = HAREntryFilter.status(404...404)
        let no = HAREntryFilter { _, _ in false }
        #expect(HAREntryFilter.all(of: [yes, yes]).selects(entry, at: 0))
        #expect(!HAREntryFilter.all(of: [yes, no]).selects(entry, at: 0))
        #expect(HAREntryFilter.any(of: [no, yes]).selects(entry, at: 0))
        #expect(HAREntryFilter.all(of: []).selects(entry, at: 0))
        #expect(!HAREntryFilter.any(of: []).selects(entry, at: 0))
        #expect(no.inverted.selects(entry, at: 0))
        #expect(!HAREntryFilter.all(of: [.host("*.test"), .failed.inverted, yes.inverted]).selects(entry, at: 0))
    }
}
