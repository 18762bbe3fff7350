import Foundation
import HTTPArchive
import Relay
import TestSupport
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// Checks that the digests used to find entries agree with the differences used to explain mismatches.
@Suite(.limited) struct EquivalenceTests {
    private static let bodies: [String?] = [
        nil, "", "{}", "[]", "{\"a\":1}", "{ \"a\" : 1.0 }", "{\"a\":[1,{\"b\":null}]}", "{\"b\":2,\"a\":1}", "{broken",
        "null", "\"text\"", "a=1&b=2", "b=2&a=1", "a=1&&b=2&", "a", "a=", "%61=1&b=2", "+=%20", "=&=", "%", "&",
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n",
        "--y\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--y--\r\n",
        "--y\nContent-Disposition: form-data; name=a; filename=f\n\n1\n--y--", "--x", "--x--", "--x\r\n--x\r\n--x--",
        "{\"query\":\"query A { a }\"}", "{\"operationName\":\"A\",\"variables\":{}}", "[{\"query\":\"{ a }\"}]",
        "{\"query\":\"{ a }\",\"variables\":{\"x\":1}}", "{\"query\":\"\",\"operationName\":\"\"}", "query A { b }",
    ]
    private static let types = [
        nil, "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain",
        "application/graphql", "nonsense",
    ]
    private static let urls = ["http://a/", "http://a/?x&y", "http://a/?y&x", "http://a/?query=%7Ba%7D"]

    @Test(arguments: [
        RequestMatcher.body, .bodyBytes, .formBody, .multipartBody, .graphQL,
        .jsonBody(ignoring: [JSONPointer(["a"]), JSONPointer(["variables"])]), .headers(ignoring: []), .header("x"),
        .url, .orderedQuery, .query(ignoring: ["x"]), .all(of: [.path, .header("content-type"), .body]),
    ])
    func `digests are equal if and only if there is no difference`(matcher: RequestMatcher) {
        var requests = Self.bodies.enumerated().flatMap { number, body in
            Self.types.enumerated().map { place, type in
                ComparedRequest(
                    .request("POST", Self.urls[(number + place) % Self.urls.count], body: body, type: type))
            }
        }
        requests += Self.urls.map { ComparedRequest(.request("GET", $0, headers: ["X": "1", "x": "2"])) }
        let digests = requests.map { matcher.equivalence.digest(of: $0, withKey: true) }
        var equal = 0
        let step = Cases.count(20, orAll: 5)
        for first in requests.indices {
            for second in stride(from: first % step, through: first, by: step) {
                let verdict = matcher.verdict(requested: requests[first], recorded: requests[second])
                if verdict.isMatch { equal += 1 }
                guard verdict.isMatch != (digests[first] == digests[second]) else { continue }
                Issue.record("\(requests[first].request) and \(requests[second].request): \(verdict)")
            }
        }
        #expect(equal >= requests.count && equal < requests.count * requests.count / 10)
    }

    @Test func `a body that was not captured matches nothing`() {
        let recorded = HAR.Request(method: "POST", url: "http://a/", bodySize: 3)
        let request = ComparedRequest(recorded: recorded, folder: nil, withBody: true)
        let digest = RequestMatcher.body.equivalence.digest(of: request, withKey: false)
        #expect(digest == .unknown)
        #expect(
            RequestMatcher.body.verdict(requested: ComparedRequest(.request("POST")), recorded: request)
                == .mismatch("body", recorded: "not captured", requested: "no body"))
        let headersOnly = ComparedRequest(recorded: recorded, folder: nil, withBody: false)
        #expect(RequestMatcher.method.equivalence.digest(of: headersOnly, withKey: true) != .unknown)
    }
}
