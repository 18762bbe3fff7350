import Foundation
import HTTPArchive
import Testing

@testable import har

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct ComparisonTests {
    private static let url = "https://a.test/"

    /// Returns the differences between an entry and a response.
    private func differences(
        _ entry: HAR.Entry, _ status: Int, _ headers: [String: String] = [:], _ body: String = "", url: String = url
    ) throws -> [String] {
        let target = try #require(URL(string: url))
        let response = try #require(
            HTTPURLResponse(url: target, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
        return try Comparison(with: entry, folder: HAR.BodyFolder(FileManager.default.temporaryDirectory))
            .differences(from: response, body: Data(body.utf8), url: URL(string: Self.url))
    }

    @Test func `the recorded response has no differences`() throws {
        let headers = [
            HAR.Header(name: ":status", value: "200"), HAR.Header(name: "content-encoding", value: "gzip"),
            HAR.Header(name: "content-length", value: "23"), HAR.Header(name: "x-a", value: "1\n2"),
            HAR.Header(name: "X-A", value: " 3 "), HAR.Header(name: "Transfer-Encoding", value: "chunked"),
        ]
        let entry = HAR.Entry.sample("GET", Self.url, headers: headers, body: "abc")
        #expect(try differences(entry, 200, ["Content-Length": "3", "X-a": "1, 2, 3"], "abc") == [])
    }

    @Test func `a different status, URL and body are reported`() throws {
        let entry = HAR.Entry.sample("GET", Self.url, status: 404, body: "abc")
        #expect(
            try differences(entry, 200, [:], "ab", url: "https://b.test/") == [
                "expected status 404, found 200", "different URL", "expected a body of 3 bytes, found 2",
            ])
        #expect(try differences(entry, 404, [:], "abd") == ["different body of the same size"])
    }

    @Test func `differences in header fields are reported without values`() throws {
        let headers = [HAR.Header(name: "A", value: "secret"), HAR.Header(name: "B", value: "1")]
        let entry = HAR.Entry.sample("GET", Self.url, headers: headers)
        #expect(
            try differences(entry, 200, ["A": "other", "C": "2"]) == [
                "different value for header a", "missing header b", "unexpected header c",
            ])
    }

    @Test func `a response without a body keeps its recorded length`() throws {
        let headers = [
            HAR.Header(name: "Content-Length", value: "99"), HAR.Header(name: "content-encoding", value: "br"),
        ]
        let head = HAR.Entry.sample("HEAD", Self.url, headers: headers, body: "")
        #expect(try differences(head, 200, ["Content-Length": "99", "Content-Encoding": "br"]) == [])
        #expect(try differences(head, 200, ["Content-Length": "0"]).count == 2)
    }

    @Test func `a redirect without a Location field uses redirectURL`() throws {
        var entry = HAR.Entry.sample("GET", Self.url, status: 302)
        entry.response.redirectURL = "/next"
        #expect(try differences(entry, 302, ["Location": "/next"]) == [])
        #expect(try differences(entry, 302) == ["missing header location"])
    }
}
