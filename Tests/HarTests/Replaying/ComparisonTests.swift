import Foundation
import HTTPArchive
import Testing

@testable import har

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ComparisonTests {
    private static let url = "https://a.test/"

    /// What differs between an entry and an answer.
    private func differences(
        _ entry: HAR.Entry, _ status: Int, _ headers: [String: String] = [:], _ body: String = "", url: String = url
    ) throws -> [String] {
        let target = try #require(URL(string: url))
        let answer = try #require(
            HTTPURLResponse(url: target, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
        return try Comparison(with: entry, folder: FileManager.default.temporaryDirectory)
            .differences(from: answer, body: Data(body.utf8), url: URL(string: Self.url))
    }

    @Test func `finds no difference where the answer is the recorded one`() throws {
        let headers = [
            HAR.Header(name: ":status", value: "200"), HAR.Header(name: "content-encoding", value: "gzip"),
            HAR.Header(name: "content-length", value: "23"), HAR.Header(name: "x-a", value: "1\n2"),
            HAR.Header(name: "X-A", value: " 3 "), HAR.Header(name: "Transfer-Encoding", value: "chunked"),
        ]
        let entry = HAR.Entry.sample("GET", Self.url, headers: headers, body: "abc")
        #expect(try differences(entry, 200, ["Content-Length": "3", "X-a": "1, 2, 3"], "abc") == [])
    }

    @Test func `finds another status, URL and body`() throws {
        let entry = HAR.Entry.sample("GET", Self.url, status: 404, body: "abc")
        #expect(
            try differences(entry, 200, [:], "ab", url: "https://b.test/") == [
                "status 200 instead of 404", "another URL", "a body of 2 bytes instead of 3",
            ])
        #expect(try differences(entry, 404, [:], "abd") == ["a body of the same size, but other bytes"])
    }

    @Test func `names header fields that differ, and not their values`() throws {
        let headers = [HAR.Header(name: "A", value: "secret"), HAR.Header(name: "B", value: "1")]
        let entry = HAR.Entry.sample("GET", Self.url, headers: headers)
        #expect(
            try differences(entry, 200, ["A": "other", "C": "2"]) == [
                "another value of the header a", "no header b", "a header c that was not recorded",
            ])
    }

    @Test func `wants the length that was recorded where there is no body`() throws {
        let headers = [
            HAR.Header(name: "Content-Length", value: "99"), HAR.Header(name: "content-encoding", value: "br"),
        ]
        let head = HAR.Entry.sample("HEAD", Self.url, headers: headers, body: "")
        #expect(try differences(head, 200, ["Content-Length": "99", "Content-Encoding": "br"]) == [])
        #expect(try differences(head, 200, ["Content-Length": "0"]).count == 2)
    }

    @Test func `knows the target of a redirect from either place`() throws {
        var entry = HAR.Entry.sample("GET", Self.url, status: 302)
        entry.response.redirectURL = "/next"
        #expect(try differences(entry, 302, ["Location": "/next"]) == [])
        #expect(try differences(entry, 302) == ["no header location"])
    }
}
