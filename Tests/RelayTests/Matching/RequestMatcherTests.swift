import Foundation
import HTTPArchive
import Relay
import Testing

@Suite(.limited) struct RequestMatcherTests {
    private func verdict(_ matcher: RequestMatcher, _ recorded: String, _ requested: String) -> MatchVerdict {
        matcher.verdict(requested: InterceptedRequest(url: requested), recorded: InterceptedRequest(url: recorded))
    }

    @Test(arguments: [
        (RequestMatcher.scheme, "http://a/", "http://b:1/x?y", "https://a/", "scheme"),
        (.host, "http://a/", "https://A:1/x", "http://b/", "host"),
        (.host, "http://[::1]:80/", "http://[::1]:8080/", "http://[::2]/", "host"),
        (.port, "http://a/", "http://b:80/x", "http://a:8080/", "port"),
        (.port, "https://a/", "https://b:443/x", "http://a/", "port"),
        (.path, "http://a", "https://b/?x", "http://a/x", "path"),
        (.path, "http://a/%7Eb", "http://a/~b", "http://a/~B", "path"),
        (.pathIgnoringCase, "http://a/Api//People/", "https://b/api/peopl%65?x", "http://a/api", "path"),
        (.pathIgnoringCase, "http://a/É", "http://a/%C3%A9/", "http://a/e", "path"),
        (.pathIgnoringCase, "http://a/x%2Fy", "http://a/X%2fY", "http://a/x/y", "path"),
        (.pathIgnoringCase, "http://a", "http://b//", "http://a/x", "path"),
        (.all(of: [.path, .pathIgnoringCase]), "http://a/x", "http://b/x", "http://b/X", "path"),
        (.url, "HTTP://A:80", "http://u:p@a/#x", "http://a/x", "path"),
        (.url, "http://a/?x=1&y=2", "http://a/?y=2&x=1", "http://a/?x=2&y=1", "query"),
        (.query, "http://a/?x=1&x=2", "https://b/y?x=2&x=1", "http://a/?x=1", "query"),
        (.query, "http://a/?x=1&x=1", "http://a/?x=1&&x=1", "http://a/?x=1", "query"),
        (.query, "http://a/", "http://a/?", "http://a/?x", "query"),
        (.orderedQuery, "http://a/?x=1&y=2", "http://b/?x=1&y=2", "http://a/?y=2&x=1", "query"),
        (.query(ignoring: ["t", "a b"]), "http://a/?x=1&t=1", "http://a/?a%20b=3&x=1&a+b=2", "http://a/?t=1", "query"),
        (.url(ignoringQueryItems: ["t"]), "http://a/?x=1&t=1", "http://a/?x=1", "http://b/?x=1", "host"),
    ])
    func `parts of a URL are compared in normalized form`(
        matcher: RequestMatcher, recorded: String, same: String, other: String, part: String
    ) {
        #expect(verdict(matcher, recorded, same) == .match)
        let verdict = verdict(matcher, recorded, other)
        #expect(!verdict.isMatch)
        #expect(Set(verdict.differences.map(\.part)) == [part])
    }

    @Test func `methods are compared case-insensitively`() {
        let get = InterceptedRequest(method: "get", url: "http://a/")
        #expect(RequestMatcher.method.verdict(requested: get, recorded: InterceptedRequest(url: "http://b/")) == .match)
        let post = InterceptedRequest(method: "POST", url: "http://a/")
        #expect(
            RequestMatcher.method.verdict(requested: get, recorded: post)
                == .mismatch("method", recorded: "POST", requested: "GET"))
    }

    @Test func `differing query items are shown together, in order`() {
        let verdict = verdict(.query, "http://a/?page=1&old&same=1", "http://a/?new=2&page=2&same=1")
        #expect(
            verdict.differences == [
                MatchDifference("query", recorded: "page=1", requested: "page=2", item: "page"),
                MatchDifference("query", recorded: "old", item: "old"),
                MatchDifference("query", requested: "new=2", item: "new"),
            ])
    }

    @Test func `the order of query items is shown if it is the only difference`() {
        let verdict = verdict(.orderedQuery, "http://a/?x=1&token=2", "http://a/?token=2&x=1")
        #expect(
            verdict.differences == [MatchDifference("query", recorded: "x=1&token=•••", requested: "token=•••&x=1")])
    }

    @Test func `the literal URL is compared without normalization`() {
        #expect(verdict(.literalURL, "http://a/x?b=1&a=2#f", "http://a/x?b=1&a=2#f") == .match)
        #expect(
            verdict(.literalURL, "http://a/x?b=1&a=2", "http://a/x?a=2&b=1")
                == .mismatch("URL", recorded: "http://a/x?b=1&a=2", requested: "http://a/x?a=2&b=1"))
        for other in ["http://A/x", "http://a:80/x", "http://a/%78", "http://a/x#f", "http://a/./x"] {
            #expect(!verdict(.literalURL, "http://a/x", other).isMatch)
            #expect(verdict(.url, "http://a/x", other) == .match)
        }
        #expect(
            verdict(.literalURL, "http://a/x?token=1", "http://a/x?token=2").differences.first?.recorded?.contains("1")
                == false)
    }

    @Test func `the fragment is compared, and a missing fragment equals an empty one`() {
        #expect(verdict(.fragment, "http://a/x#f", "http://b/y#f") == .match)
        #expect(verdict(.fragment, "http://a/x#", "http://b/y") == .match)
        #expect(
            verdict(.fragment, "http://a/#x", "http://a/#y") == .mismatch("fragment", recorded: "x", requested: "y"))
        #expect(verdict(.fragment, "http://a/", "http://a/#y") == .mismatch("fragment", requested: "y"))
    }

    @Test func `query items, header fields and JSON values can be ignored`() {
        let matching = RequestMatching(required: [.method, .url, .headers(ignoring: []), .body], preferred: [.query])
            .ignoring(queryItems: ["t", "u"], headers: ["X-Id"], json: ["/id", "a"])
        let matcher = RequestMatcher.all(of: matching.required)
        func request(_ url: String, _ id: String, _ body: String) -> InterceptedRequest {
            .request("POST", url, headers: ["X-Id": id], body: body, type: "application/json")
        }
        let recorded = request("http://a/?t=1&x=1", "1", #"{"id":1,"a":[1],"b":2}"#)
        #expect(
            matcher.verdict(
                requested: request("http://a/?x=1&u=2&t=3", "2", #"{"id":2,"b":2}"#), recorded: recorded) == .match)
        #expect(
            matcher.verdict(
                requested: request("http://a/?x=2", "2", #"{"id":2,"b":3}"#), recorded: recorded
            ).differences.map(\.part) == ["query", "body"])
        #expect(
            RequestMatcher.all(of: matching.preferred).verdict(
                requested: request("http://a/?t=9&x=1", "", ""), recorded: recorded) == .match)
    }

    @Test(arguments: [RequestMatcher.body, .formBody, .multipartBody], ["a", "b"])
    func `fields of forms can be ignored`(matcher: RequestMatcher, ignored: String) {
        let matching = RequestMatching(required: [matcher]).ignoring(formFields: [ignored, "x"])
        func request(_ a: String, x: String = "") -> InterceptedRequest {
            if matcher.name == "form" {
                return .request("POST", "http://a/", body: "a=\(a)&b=1\(x)", type: "application/x-www-form-urlencoded")
            }
            let parts = ["a": a, "b": "1"].merging(x.isEmpty ? [:] : ["x": x]) { $1 }.sorted { $0.key < $1.key }.map {
                "--z\r\nContent-Disposition: form-data; name=\"\($0.key)\"\r\n\r\n\($0.value)\r\n"
            }
            return .request(
                "POST", "http://a/", body: parts.joined() + "--z--\r\n", type: "multipart/form-data; boundary=z")
        }
        let recorded = RequestMatcher.all(of: matching.required)
        #expect(recorded.verdict(requested: request("2"), recorded: request("1")).isMatch == (ignored == "a"))
        #expect(recorded.verdict(requested: request("1", x: "&x=1"), recorded: request("1")).isMatch)
    }

    @Test func `a combination matches if all its matchers match, and reports all differences`() {
        let both = RequestMatcher.all(of: [.host, .path])
        #expect(verdict(both, "http://a/x?1", "https://a/x") == .match)
        #expect(verdict(both, "http://a/x", "http://b/y").differences.map(\.part) == ["host", "path"])
        #expect(verdict(.all(of: []), "http://a/", "https://b/x?y") == .match)
    }

    @Test func `combined query matchers ignore the names that all of them ignore`() {
        let both = RequestMatcher.all(of: [.query(ignoring: ["x", "y"]), .query(ignoring: ["y", "z"])])
        #expect(verdict(both, "http://a/?x=1&y=1&z=1", "http://a/?x=1&y=2&z=1") == .match)
        for other in ["http://a/?x=2&y=1&z=1", "http://a/?x=1&y=1&z=2"] {
            #expect(!verdict(both, "http://a/?x=1&y=1&z=1", other).isMatch)
        }
    }

    @Test func `an alternative matches if any matcher matches, and otherwise reports the fewest differences`() {
        let any = RequestMatcher.any(of: [.url, .host])
        #expect(verdict(any, "http://a/x", "https://a/y") == .match)
        #expect(verdict(any, "http://a/x?1", "http://b/x?2").differences.map(\.part) == ["host"])
        #expect(!verdict(.any(of: []), "http://a/", "http://a/").isMatch)
        #expect(verdict(.any(of: [.host]), "http://a/x", "http://a/y") == .match)
        let mixed = RequestMatcher.all(of: [.path, .any(of: [.host, .port])])
        #expect(verdict(mixed, "http://a:1/x", "http://b:1/x") == .match)
        #expect(verdict(mixed, "http://a:1/x", "http://b:1/y").differences.map(\.part) == ["path"])
    }

    @Test func `a closure decides whether a request matches`() {
        let matcher = RequestMatcher.custom("length") { requested, recorded in
            requested.url.count == recorded.url.count ? .match : .mismatch("length", recorded: "short")
        }
        #expect(matcher.name == "length")
        #expect(verdict(matcher, "http://a/1", "http://b/2") == .match)
        #expect(verdict(matcher, "http://a/1", "http://b/22") == .mismatch("length", recorded: "short"))
        #expect(verdict(.all(of: [matcher, .host]), "http://a/1", "http://b/22").differences.count == 2)
    }
}
