import Foundation
import HTTPArchive
import Testing

/// All properties, read from an archive that has every field.
@Suite(.limited) struct PropertyTests {
    private let log: HAR.Log
    private let entry: HAR.Entry

    init() throws {
        log = try HAR.Log(data: Data(FullArchive.text.utf8))
        entry = try #require(log.entries.first)
    }

    @Test func `the log, its creator and its browser are read`() {
        #expect(log.version == "1.2")
        #expect(log.comment == "log comment")
        #expect(log.creator?.name == "Maker")
        #expect(log.creator?.version == "1.0")
        #expect(log.creator?.comment == "creator comment")
        #expect(log.browser?.name == "Browser")
        #expect(log.browser?.version == "2.0")
        #expect(log.browser?.comment == "browser comment")
    }

    @Test func `the pages are read`() throws {
        #expect(log.pages?.count == 1)
        let page = try #require(log.pages?.first)
        #expect(page.startedDateTime == "2009-04-16T12:07:25.123+01:00")
        #expect(page.id == "page_0")
        #expect(page.title == "Test Page")
        #expect(page.comment == "page comment")
        #expect(page.pageTimings.onContentLoad == 1720)
        #expect(page.pageTimings.onLoad == 2500.5)
        #expect(page.pageTimings.comment == "page timings comment")
    }

    @Test func `the fields of the entry itself are read`() {
        #expect(entry.pageref == "page_0")
        #expect(entry.startedDateTime == "2009-04-16T12:07:23.596Z")
        #expect(entry.time == 50.25)
        #expect(entry.serverIPAddress == "10.0.0.1")
        #expect(entry.connection == "52492")
        #expect(entry.comment == "entry comment")
    }

    @Test func `the request is read`() {
        let request = entry.request
        #expect(request.method == "POST")
        #expect(request.url == "http://www.example.com/path/?param=value")
        #expect(request.httpVersion == "HTTP/1.1")
        #expect(request.headers.map(\.name) == ["Accept-Encoding", "X", "X"])
        #expect(request.headers.map(\.value) == ["gzip,deflate", "1", "2"])
        #expect(request.headers.first?.comment == "header comment")
        #expect(request.queryString.map(\.name) == ["param"])
        #expect(request.queryString.map(\.value) == ["value"])
        #expect(request.queryString.first?.comment == "query comment")
        #expect(request.headersSize == 150)
        #expect(request.bodySize == 20)
        #expect(request.comment == "request comment")
    }

    @Test func `the cookies are read`() throws {
        let cookie = try #require(entry.request.cookies.first)
        #expect(cookie.name == "TestCookie")
        #expect(cookie.value == "Cookie Value")
        #expect(cookie.path == "/p")
        #expect(cookie.domain == "www.example.com")
        #expect(cookie.expires == "2009-07-24T19:20:30.123+02:00")
        #expect(cookie.expiresDate == HAR.date("2009-07-24T17:20:30.123Z"))
        #expect(cookie.httpOnly == true)
        #expect(cookie.secure == false)
        #expect(cookie.comment == "cookie comment")
        #expect(entry.response.cookies.map(\.name) == ["set"])
        #expect(entry.response.cookies.map(\.value) == [""])
    }

    @Test func `the request's body is read`() throws {
        let body = try #require(entry.request.postData)
        #expect(body.mimeType == "multipart/form-data")
        #expect(body.text == "plain posted data")
        #expect(body.comment == "post comment")
        let parameter = try #require(body.params?.first)
        #expect(parameter.name == "paramName")
        #expect(parameter.value == "paramValue")
        #expect(parameter.fileName == "example.pdf")
        #expect(parameter.contentType == "application/pdf")
        #expect(parameter.comment == "param comment")
    }

    @Test func `the response is read`() {
        let response = entry.response
        #expect(response.status == 200)
        #expect(response.statusText == "OK")
        #expect(response.httpVersion == "h2")
        #expect(response.headers.map(\.name) == ["Vary"])
        #expect(response.redirectURL == "/next")
        #expect(response.headersSize == 160)
        #expect(response.bodySize == 850)
        #expect(response.comment == "response comment")
        #expect(response.content.size == 33)
        #expect(response.content.compression == 5)
        #expect(response.content.mimeType == "text/html; charset=utf-8")
        #expect(response.content.text == "PGh0bWw+")
        #expect(response.content.encoding == "base64")
        #expect(response.content.comment == "content comment")
    }

    @Test func `the cache is read`() throws {
        #expect(entry.cache.comment == "cache comment")
        let before = try #require(entry.cache.beforeRequest)
        #expect(before.expires == "2009-04-16T15:50:36")
        #expect(before.lastAccess == "2009-02-16T15:50:34")
        #expect(before.eTag == "\"1\"")
        #expect(before.hitCount == 3)
        #expect(before.comment == "before comment")
        let after = try #require(entry.cache.afterRequest)
        #expect(after.expires == nil)
        #expect(after.hitCount == 4)
    }

    @Test func `the timings are read`() {
        let timings = entry.timings
        #expect(timings.blocked == 0)
        #expect(timings.dns == 1.5)
        #expect(timings.connect == 15)
        #expect(timings.send == 20)
        #expect(timings.wait == 38)
        #expect(timings.receive == 12)
        #expect(timings.ssl == 7)
        #expect(timings.comment == "timings comment")
    }

    @Test func `any field can be read by its name`() {
        #expect(entry["time"] == 50.25)
        #expect(entry["_nothing"] == nil)
        #expect(entry.request["headers"]?[0]?["name"] == "Accept-Encoding")
    }
}
