import Foundation
import Testing

@testable import Relay
@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct RequestFileNameTests {
    private let long = "thissegmentiswaytoolongandshouldbetruncatedbecauseitexceedsthemaximumlengthallowedbyourlogic"

    private func name(_ request: URLRequest, in folder: String = "f") -> String {
        RequestFileName(of: request, in: folder).text
    }

    private func stem(_ url: String) -> String {
        String(name(request(url)).reversed().drop { $0 != "_" }.dropFirst().reversed())
    }

    @Test func `file names of earlier versions are unchanged`() {
        let empty = request("https://example.com/anotherPath")
        #expect(name(empty, in: "EmptyHeadersAndBody") == "GET-example.com-anotherPath_be3c53cd64c8bfe8")
        var sorted = request("https://example.com/sortedHeaders", body: "another test body")
        sorted.addValue("Bearer token", forHTTPHeaderField: "Authorization")
        sorted.addValue("application/json", forHTTPHeaderField: "Content-Type")
        sorted.addValue("application/json", forHTTPHeaderField: "Accept")
        let withSecret = name(sorted, in: "SortedHeaders")
        sorted.setValue("Bearer another", forHTTPHeaderField: "Authorization")
        #expect(name(sorted, in: "SortedHeaders") == withSecret, "The name must not depend on secrets.")
        let url = "https://dev-api.example.com/en/products/\(long)/\(long.dropFirst(16))/?locale=en-US&someparam=12345"
        #expect(
            name(request(url), in: "LongSegmentTest")
                == "GET-example.com-en-products-thiss..-toolo..-locale=en-US_someparam=12345_158b6f96fcfd7add")
    }

    @Test func `a request without a URL also has a name`() {
        var nowhere = request("https://a/")
        nowhere.url = nil
        #expect(name(nowhere) == "UNKNOWN_UNKNOWN_UNKNOWN")
        #expect(stem("unknown") == "GET-unknown_domain-unknown")
    }

    @Test(arguments: [
        ("https://www.example.com/", "GET-example.com"), ("https://a.b.c.example.com:8080/x", "GET-example.com-x"),
        ("https://localhost/x", "GET-localhost-x"), ("https://a.b/en/(1,2)/x", "GET-a.b-en-ARRAY_OF_ITEMS-x"),
        ("https://a.b/12345678901234567890/123456789012345678901", "GET-a.b-12345678901234567890-12345.."),
        ("https://a.b/?d=4&c=3&b=2&a=1", "GET-a.b-a=1_b=2_c=3"),
        ("https://a.b/?a&b=1234567890123456", "GET-a.b-b=12345.."),
        ("https://a.b/?a=b/c", "GET-a.b-a=b_c"),
    ])
    func `a name summarizes the request`(url: String, expected: String) { #expect(stem(url) == expected) }

    @Test func `the hash covers folder, header fields, body and URL, but not the method`() {
        let url = "https://a.b/c"
        var marked = request(url)
        marked.setValue("true", forHTTPHeaderField: "X-RelayReplay")
        let others = [
            name(request(url), in: "g"), name(request(url, body: "x")), name(marked), name(request(url + "?")),
        ]
        let hashes = Set((others + [name(request(url))]).map { $0.suffix(16) })
        #expect(hashes.count == 5)
        #expect(name(request(url, method: "PUT")).suffix(16) == name(request(url)).suffix(16))
    }
}
