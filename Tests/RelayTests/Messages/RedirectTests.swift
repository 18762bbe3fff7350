import Foundation
import Relay
import Testing

@Suite(.limited) struct RedirectTests {
    private let request = InterceptedRequest(
        method: "POST", url: "https://example.com/a/b?c#part",
        headers: [
            HeaderField(name: "Authorization", value: "Bearer x"),
            HeaderField(name: "Content-Type", value: "text/plain"),
            HeaderField(name: "Accept", value: "*/*"),
        ], body: Data("body".utf8))

    private func next(_ status: Int, _ location: String, from request: InterceptedRequest) -> InterceptedRequest? {
        request.redirected(by: request.reply(status: status, headers: ["location": location]))
    }

    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"), (308, "POST", "POST"),
        (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (303, "GET", "GET"),
        (301, "HEAD", "HEAD"), (307, "PATCH", "PATCH"),
    ])
    func `the method changes as specified in RFC 9110`(status: Int, method: String, expected: String) {
        var request = request
        request.method = method
        let next = next(status, "/next", from: request)
        #expect(next?.method == expected)
        let keepsBody = method == expected
        #expect(next?.body == (keepsBody ? request.body : nil))
        #expect(next?.headers.map(\.name).contains("Content-Type") == keepsBody)
        #expect(next?.headers.map(\.name).contains("Accept") == true)
    }

    @Test(arguments: [
        ("/x", "https://example.com/x#part"), ("x", "https://example.com/a/x#part"),
        ("../x?y=z", "https://example.com/x?y=z#part"), ("?q", "https://example.com/a/b?q#part"),
        ("#other", "https://example.com/a/b?c#other"), ("//other.example/x", "https://other.example/x#part"),
        ("http://other.example", "http://other.example#part"), (" /x ", "https://example.com/x#part"),
        ("/a b", "https://example.com/a%20b#part"),
    ])
    func `a location is resolved against the request URL and inherits its fragment`(location: String, expected: String)
    {
        #expect(next(302, location, from: request)?.url == expected)
    }

    @Test(arguments: [
        "http://[bad", "http://", "ftp://example.com/x", "javascript:alert(1)", "http:///x", "http://a:b:c/",
    ])
    func `a response with an invalid location or an unsupported scheme is not a redirect`(location: String) {
        #expect(next(302, location, from: request) == nil)
    }

    @Test(arguments: [200, 201, 300, 304, 305, 306, 404])
    func `other statuses are not redirects`(status: Int) {
        #expect(next(status, "/x", from: request) == nil)
    }

    @Test func `a redirect status without a location is not a redirect`() {
        #expect(request.redirected(by: request.reply(status: 302)) == nil)
    }

    @Test(arguments: [
        ("https://example.com:443/x", true), ("HTTPS://EXAMPLE.com/x", true), ("/x", true),
        ("http://example.com/x", false), ("https://example.com:8443/x", false), ("https://www.example.com/x", false),
    ])
    func `credentials are only sent to the same origin`(location: String, kept: Bool) {
        let names = next(307, location, from: request)?.headers.map(\.name)
        #expect(names?.contains("Authorization") == kept)
        #expect(names?.contains("Accept") == true)
    }
}
