import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct EntryBuilderTests {
    private func wholeExchange() -> CapturedExchange {
        var exchange = CapturedExchange.exchange(
            "POST", "https://a.example:8443/b?c=d%20e&f=g+h&c=%C3%A9&i#part",
            requested: ["Host": "a.example:8443", "Cookie": "a=b; c=\"d\"", "Content-Type": "application/json"],
            sent: Data(#"{"x": "é"}"#.utf8),
            fields: [
                "Content-Type": "text/html; charset=utf-8", "Set-Cookie": "s=1; Path=/; HttpOnly",
                "Content-Encoding": "gzip", "X": "1", "set-cookie": "t=2; Max-Age=60; SameSite=Lax", "x": "2",
            ],
            received: Data("<p>naïve</p>".utf8))
        exchange.timings = CapturedExchange.Timings(
            blocked: 1.2344, dns: 2, connect: 30.1, send: 0.2, wait: 40, receive: 5.00049, ssl: 20)
        exchange.wire.requestHeadersSize = 120
        exchange.wire.requestBodySize = 11
        exchange.wire.responseHeadersSize = 200
        exchange.wire.responseBodySize = 10
        exchange.wire.serverIPAddress = "127.0.0.1"
        exchange.wire.connection = "7"
        return exchange
    }

    @Test func `an entry contains all known data of an exchange`() throws {
        let maker = EntryBuilder(folder: URL(fileURLWithPath: "/no-folder"))
        let entry = try maker.entry(for: wholeExchange(), page: "page_1")
        #expect(entry.startedDateTime == "2026-01-01T00:00:00.250Z")
        #expect(entry.pageref == "page_1")
        #expect(entry.serverIPAddress == "127.0.0.1")
        #expect(entry.connection == "7")
        #expect(entry.time == 78.534)
        #expect(entry.timings.blocked == 1.234)
        #expect(entry.timings.receive == 5)
        #expect(entry.timings.ssl == 20)
        #expect(entry["cache"] == [:])
        let response = entry.response
        #expect(response.status == 200)
        #expect(response.statusText == "S")
        #expect(
            response.headers.map(\.name) == ["Content-Type", "Set-Cookie", "Content-Encoding", "X", "set-cookie", "x"])
        #expect(response.cookies.map(\.name) == ["s", "t"])
        #expect(response.content.size == 13)
        #expect(response.content.compression == 3)
        #expect(response.content.text == "<p>naïve</p>")
        #expect(response.content.mimeType == "text/html; charset=utf-8")
        #expect(response.headersSize == 200)
        #expect(response.bodySize == 10)
        #expect(response["_transferSize"] == 210)
        #expect(try entry.findings() == [])
    }

    @Test func `the request is recorded as sent, without its fragment`() throws {
        let request = try wholeExchange().entry().request
        #expect(request.method == "POST")
        #expect(request.url == "https://a.example:8443/b?c=d%20e&f=g+h&c=%C3%A9&i")
        #expect(request.httpVersion == "HTTP/1.1")
        #expect(request.queryString.map { "\($0.name)=\($0.value)" } == ["c=d e", "f=g h", "c=é", "i="])
        #expect(request.cookies.map { "\($0.name)=\($0.value)" } == ["a=b", "c=\"d\""])
        #expect(request.headersSize == 120)
        #expect(request.bodySize == 11)
        #expect(request.postData?.mimeType == "application/json")
        #expect(request.postData?.text == #"{"x": "é"}"#)
        #expect(request.postData?.params == nil)
    }

    @Test func `unknown values are recorded as specified by HAR`() throws {
        var exchange = CapturedExchange.exchange(fields: ["Content-Type": "text/plain"], received: Data("x".utf8))
        exchange.timings = CapturedExchange.Timings(send: nil, wait: nil, receive: nil)
        let entry = try exchange.entry()
        #expect(entry.request["headersSize"] == -1)
        #expect(entry.request["bodySize"] == 0)
        #expect(entry.response["headersSize"] == -1)
        // Without a content coding, the transferred size is the size of the body.
        #expect(entry.response["bodySize"] == 1)
        #expect(entry.response["_transferSize"] == nil)
        #expect(entry.response.content.compression == nil)
        #expect(entry.timings["wait"]?.double == 0)
        #expect(entry.timings["dns"] == -1)
        #expect(entry["serverIPAddress"] == nil)
        #expect(try entry.findings() == [])
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func `a response without a body is recorded like any other`(method: String, status: Int) throws {
        let entry = try CapturedExchange.exchange(
            method, status: status, fields: ["ETag": "\"x\"", "Content-Length": "9"]
        )
        .entry()
        #expect(entry.response.bodySize == 0)
        #expect(entry.response.content.size == 0)
        #expect(try entry.findings() == [])
        #expect(try Interceptor(entries: [entry]).response(method, "http://a.example/").body.isEmpty)
    }

    @Test func `a redirect is recorded with its target in redirectURL`() throws {
        let entry = try CapturedExchange.exchange(status: 302, fields: ["location": "/next"]).entry()
        #expect(entry.response.redirectURL == "/next")
        #expect(try entry.findings() == [])
        #expect(
            try CapturedExchange.exchange(status: 201, fields: ["location": "/made"]).entry().response.redirectURL == ""
        )
    }

    @Test func `secrets are redacted in the whole entry`() throws {
        let maker = EntryBuilder(folder: URL(fileURLWithPath: "/no-folder"), redactor: try HARRedactor())
        let exchange = CapturedExchange.exchange("GET", "http://a.example/?api_key=0123456789abcdef0123")
        let entry = try maker.entry(for: exchange, page: nil)
        #expect(entry.request.url.hasPrefix("http://a.example/?api_key=REDACTED-"))
        #expect(entry.request.queryString.first?.value.hasPrefix("REDACTED-") == true)
    }

    @Test func `a parameter that is not valid UTF-8 is unchanged`() throws {
        let entry = try CapturedExchange.exchange("GET", "http://a.example/?a=%FF&%20=%2B&=x&&b=c=d").entry()
        #expect(entry.request.queryString.map { "\($0.name)|\($0.value)" } == ["a|%FF", " |+", "|x", "b|c=d"])
        #expect(try entry.findings() == [])
    }

    @Test(arguments: [RecordingConfiguration.Bodies.embed, .attach], [nil, "gzip"])
    func `recorded lengths match the recorded content`(bodies: RecordingConfiguration.Bodies, coding: String?) throws {
        let archives = try TemporaryArchives()
        var settings = RecordingConfiguration()
        settings.bodies = bodies
        settings.largestEmbeddedBody = bodies == .attach ? 0 : 1000
        let body = Data(#"{"access_token":"hunter2hunter2hunter2"}"#.utf8)
        let length = coding == nil ? body.count : 30
        var exchange = CapturedExchange.exchange(
            "POST", requested: ["Content-Length": "\(body.count)", "Content-Type": "application/json"], sent: body,
            fields: ["Content-Type": "application/json", "content-length": "\(length)"], received: body)
        if let coding { exchange.head?.headers.append(HeaderField(name: "Content-Encoding", value: coding)) }
        exchange.wire.responseHeadersSize = 100
        exchange.wire.responseBodySize = length
        let maker = EntryBuilder(settings: settings, folder: archives.folder, redactor: try HARRedactor())
        let entry = try maker.entry(for: exchange, page: nil)
        let sent = try #require(try entry.request.bodyData(besideArchiveIn: archives.folder))
        let received = try #require(try entry.response.bodyData(besideArchiveIn: archives.folder))
        #expect(sent.count != body.count && received.count != body.count)
        #expect(entry.request.header("content-length") == "\(sent.count)")
        #expect(entry.request.bodySize == sent.count)
        let wireSize = coding == nil ? received.count : 30
        #expect(entry.response.content.size == received.count)
        #expect(entry.response.header("content-length") == "\(wireSize)")
        #expect(entry.response.bodySize == wireSize)
        #expect(entry.response["_transferSize"]?.number?.int == 100 + wireSize)
        #expect(entry.response.content.compression == coding.map { _ in received.count - 30 })
    }
}
