import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct RecordedResponseTests {
    private func response(_ entry: HAR.Entry, method: String = "GET") throws -> InterceptedResponse {
        try Interceptor(entries: [entry]).response(method, entry.request.url)
    }

    private func names(_ response: InterceptedResponse) -> [String] { response.headers.map(\.name) }

    @Test func `header fields keep their order and duplicates, without pseudo-header fields`() throws {
        let response = try response(
            .entry(headers: [
                (":status", "200"), ("Set-Cookie", "a=1"), ("X", ""), ("set-cookie", "b=2"), ("Link", "l"),
            ]))
        #expect(names(response) == ["Set-Cookie", "X", "set-cookie", "Link"])
        #expect(response.headers.map(\.value) == ["a=1", "", "b=2", "l"])
    }

    @Test func `cookies joined by line breaks are separated`() throws {
        let response = try response(
            .entry(headers: [("set-cookie", "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT\nb=2\r\nc=3")]))
        #expect(response.headers.map(\.value) == ["a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "b=2", "c=3"])
    }

    @Test func `content codings are removed, and a recorded length is corrected`() throws {
        let response = try response(
            .entry(
                headers: [
                    ("Content-Encoding", "gzip"), ("Content-Length", "3"), ("A", "b"), ("Transfer-Encoding", "chunked"),
                    ("content-length", "3"),
                ], text: "decoded"))
        #expect(
            response.headers == [HeaderField(name: "Content-Length", value: "7"), HeaderField(name: "A", value: "b")])
        #expect(try names(self.response(.entry(headers: [("A", "b")], text: "decoded"))) == ["A"])
    }

    @Test(arguments: [
        // The text "aaa\n" with gzip, and truncated gzip, Zstandard and unknown data.
        ("gzip", "H4sIAAAAAAAAA0tMTOQCAJVd+HcEAAAA", "aaa\n"), ("gzip", "H4sIAAAAAAAAA0tMTOQC", nil),
        ("zstd", "KLUv/QQAAQ==", nil), ("x-unknown", "gICAgIA=", nil), ("br", "gICAgIA=", nil),
    ])
    func `a body with its content coding is decoded, or delivered with the header field`(
        coding: String, base64: String, text: String?
    ) throws {
        var content = HAR.Content(size: nil, mimeType: "text/plain", text: base64)
        content.encoding = "base64"
        let response = try response(
            .entry(headers: [("Content-Encoding", coding), ("Content-Length", "9")], body: content))
        let body = try #require(text.map { Data($0.utf8) } ?? Data(base64Encoded: base64))
        #expect(response.body == body)
        #expect(names(response) == (text == nil ? ["Content-Encoding", "Content-Length"] : ["Content-Length"]))
        #expect(response.headers.values(named: "content-length") == [String(body.count)])
    }

    @Test func `a compressed request body matches its recorded form, and the same body compressed differently`() throws
    {
        var entry = HAR.Entry.entry("POST", request: [("Content-Encoding", "gzip"), ("Content-Type", "text/plain")])
        entry.request.postData = HAR.PostData(mimeType: "text/plain", text: "H4sIAAAAAAAAA0tMTOQCAJVd+HcEAAAA")
        entry.request.postData?["_encoding"] = "base64"
        let interceptor = Interceptor([entry], matching: .methodURLAndBody)
        for body in ["H4sIAAAAAAAAA0tMTOQCAJVd+HcEAAAA", "H4sIAAAAAAAA/0tMTOQCAJVd+HcEAAAA"] {
            var request = InterceptedRequest(method: "POST", url: "http://a/", headers: [])
            request.headers = [
                HeaderField(name: "Content-Encoding", value: "gzip"),
                HeaderField(name: "Content-Type", value: "text/plain"),
            ]
            request.body = Data(base64Encoded: body)
            #expect(try interceptor.response(to: request).status == 200)
        }
    }

    @Test(arguments: [nil, "http://a/"])
    func `a length that does not match a redacted body is corrected`(clientURL: String?) throws {
        let text = #"{"token":"REDACTED-0123456789abcdef"}"#
        var entry = HAR.Entry.entry(
            headers: [("content-length", "19"), ("A", "b"), ("Content-Length", "19")], text: text)
        entry.response["_url"] = clientURL.map { .string(JSONString($0)) }
        let expected = [("content-length", String(text.utf8.count)), ("A", "b")]
        let response = try response(entry)
        #expect(response.headers == expected.map { HeaderField(name: $0, value: $1) })
        #expect(response.body == Data(text.utf8))
    }

    @Test func `a response without a body keeps its representation header fields`() throws {
        let headers = [("Content-Length", "1000"), ("Content-Encoding", "br")]
        let head = try response(.entry("HEAD", headers: headers, text: nil), method: "HEAD")
        #expect(names(head) == ["Content-Length", "Content-Encoding"])
        #expect(head.headers.values(named: "content-length") == ["1000"])
        for status in [204, 304] {
            let response = try response(.entry(status: status, headers: headers, text: "not to be delivered"))
            #expect(response.body.isEmpty || response.status == 200)
        }
        #expect(try response(.entry(status: 204, text: "x")).body.isEmpty)
    }

    @Test(arguments: [
        ("HTTP/1.1", "HTTP/1.1"), ("http/2.0", "HTTP/2"), ("h2", "HTTP/2"), ("h3", "HTTP/3"), ("1.0", "HTTP/1.0"),
        ("", "HTTP/1.1"), ("unknown", "HTTP/1.1"), ("me:", "HTTP/1.1"),
    ])
    func `the recorded HTTP version is delivered if it is valid`(recorded: String, delivered: String) throws {
        var entry = HAR.Entry.entry()
        entry.response.httpVersion = recorded
        #expect(try response(entry).httpVersion == delivered)
    }

    @Test func `a redirect without a Location field gets one from redirectURL`() throws {
        var entry = HAR.Entry.entry(status: 302, text: nil)
        entry.response.redirectURL = "/next"
        #expect(try response(entry).headers.values(named: "location") == ["/next"])
        entry.response.headers = [HAR.Header(name: "location", value: "/other")]
        #expect(try response(entry).headers.values(named: "location") == ["/other"])
    }

    @Test(arguments: [
        (0, "net::ERR_CONNECTION_REFUSED", URLError.Code.cannotConnectToHost),
        (0, "net::ERR_NAME_NOT_RESOLVED", .cannotFindHost),
        (0, "net::ERR_ABORTED", .cancelled), (-1, "net::ERR_TIMED_OUT", .timedOut),
        (0, "net::ERR_INTERNET_DISCONNECTED", .notConnectedToInternet),
        (0, "net::ERR_CERT_DATE_INVALID", .serverCertificateHasBadDate),
        (0, "net::ERR_CERT_AUTHORITY_INVALID", .serverCertificateUntrusted),
        (0, "net::ERR_SSL_PROTOCOL_ERROR", .secureConnectionFailed),
        (200, "net::ERR_CONNECTION_RESET", .networkConnectionLost),
        (200, "net::ERR_INCOMPLETE_CHUNKED_ENCODING", .networkConnectionLost),
        (0, "NS_ERROR_UNKNOWN_HOST", .cannotFindHost), (0, "something else", .networkConnectionLost),
    ])
    func `a recorded failure is replayed as the same failure`(status: Int, text: String, code: URLError.Code) throws {
        var entry = HAR.Entry.entry(status: status, text: "partial")
        entry.response["_error"] = .string(JSONString(text))
        let error = #expect(throws: URLError.self) { try response(entry) }
        #expect(error?.code == code)
    }

    @Test func `a status of 0 without an error is a failure`() throws {
        #expect(throws: URLError.self) { try response(.entry(status: 0)) }
    }

    @Test(arguments: [
        (100, "final response"), (101, "`har show`"), (103, "final response"), (199, "final response"),
        (1, "200 to 999"), (99, "200 to 999"), (1000, "200 to 999"), (99_999, "200 to 999"),
    ])
    func `a response that is not final cannot be replayed`(status: Int, advice: String) throws {
        let error = #expect(throws: HARError.self) { try response(.entry(status: status)) }
        #expect(error?.code == .entryNotReplayable)
        #expect(error?.message.contains(advice) == true)
    }

    @Test(arguments: ["CONNECT", "connect"])
    func `a proxy tunnel cannot be replayed, with any status`(method: String) throws {
        for status in [200, 407] {
            let entry = HAR.Entry.entry(method, "https://a:443", status: status)
            let error = #expect(throws: HARError.self) { try response(entry, method: method) }
            #expect(error?.code == .entryNotReplayable)
            #expect(error?.message.contains("separate entries") == true)
        }
    }
}
