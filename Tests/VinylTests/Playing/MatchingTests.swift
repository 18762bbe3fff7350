import Foundation
import Testing
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests of the attributes that must be equal in a track and a request.
@Suite(.limited) struct MatchingTests {
    /// Returns a turntable that plays one track repeatedly.
    private func turntable(_ types: RequestMatcherType..., request: [String: Any]) -> Turntable {
        let plastic: [[String: Any]] = [
            ["request": request, "response": ["url": "http://a/", "status": 200, "headers": [:] as [String: String]]]
        ]
        let strategy = MatchingStrategy.requestAttributes(types: types, playTracksUniquely: false)
        let turntable = Turntable(
            vinyl: Vinyl(plastic: plastic), turntableConfiguration: TurntableConfiguration(matchingStrategy: strategy))
        turntable.errorHandler = NotingErrorHandler()
        return turntable
    }

    /// Returns whether a track matches a request.
    ///
    /// If no track matches, an awaited call throws an error.
    private func answers(_ turntable: Turntable, _ request: URLRequest) async -> Bool {
        (try? await turntable.data(for: request)) != nil
    }

    @Test func `the case of the method is ignored`() async {
        let turntable = turntable(.method, request: ["url": "http://a/", "method": "post"])
        #expect(await answers(turntable, .to("http://b/1", method: "POST")))
        #expect(await !answers(turntable, .to("http://a/")))
    }

    @Test func `URLs are compared regardless of the order of query items`() async {
        let turntable = turntable(.url, request: ["url": "http://a/1?x=1&y=2"])
        #expect(await answers(turntable, .to("http://a/1?y=2&x=1", method: "PUT")))
        #expect(await !answers(turntable, .to("http://a/1?x=1")))
        #expect(await !answers(turntable, .to("http://b/1?x=1&y=2")))
    }

    @Test func `host, path and query are compared separately`() async {
        let request = ["url": "http://a/1?x=1&y=2"]
        #expect(await answers(turntable(.host, request: request), .to("http://a/2")))
        #expect(await !answers(turntable(.host, request: request), .to("http://b/1")))
        #expect(await answers(turntable(.path, request: request), .to("http://b/1?z=1")))
        #expect(await !answers(turntable(.path, request: request), .to("http://a/2")))
        #expect(await answers(turntable(.query, request: request), .to("http://b/2?y=2&x=1")))
        #expect(await !answers(turntable(.query, request: request), .to("http://a/1?x=1&y=3")))
    }

    @Test(arguments: [
        ("/x/", "/x", true), ("/x", "/x/", true), ("/x//", "/x", true), ("/a%2Fb", "/a/b", true), ("", "/", true),
        ("/caf%C3%A9/", "/caf%c3%a9", true), ("/x;y/", "/x;y", true), ("/x", "/X", false), ("/x/y", "/x", false),
        ("//x", "/x", false), ("/x/", "/", false),
    ])
    func `paths are compared after decoding, without trailing slashes`(
        recorded: String, requested: String, isMatch: Bool
    ) async {
        let turntable = turntable(.path, request: ["url": "http://a\(recorded)"])
        #expect(await answers(turntable, .to("http://b\(requested)?z=1")) == isMatch)
    }

    @Test func `a trailing slash in a URL is significant`() async {
        #expect(await !answers(turntable(.url, request: ["url": "http://a/x/"]), .to("http://a/x")))
    }

    @Test func `all header fields are compared, ignoring the case of names and values`() async {
        let turntable = turntable(
            .headers, request: ["url": "http://a/", "headers": ["X-One": "Value", "Authorization": "Bearer 1"]])
        let headers = ["x-one": "VALUE", "AUTHORIZATION": "bearer 1"]
        #expect(await answers(turntable, .to("http://b/", headers: headers)))
        #expect(await !answers(turntable, .to("http://b/", headers: ["x-one": "VALUE"])))
        #expect(await !answers(turntable, .to("http://b/", headers: headers.merging(["X-Two": "2"]) { $1 })))
    }

    @Test func `bodies are compared according to the content type`() async {
        let json = ["Content-Type": "application/json"]
        let object: [String: Any] = [
            "url": "http://a/", "method": "POST", "headers": json,
            "body": ["a": 1, "b": [true, "x"]] as [String: Any],
        ]
        let same = URLRequest.to("http://a/", method: "POST", headers: json, body: #"{ "b": [true, "x"], "a": 1 }"#)
        #expect(await answers(turntable(.body, request: object), same))
        #expect(await !answers(turntable(.body, request: object), .to("http://a/", headers: json, body: #"{"a": 1}"#)))
        let text = ["url": "http://a/", "headers": ["Content-Type": "text/plain"], "body": "hi"] as [String: Any]
        let plain = ["Content-Type": "text/plain"]
        #expect(await answers(turntable(.body, request: text), .to("http://a/", headers: plain, body: "hi")))
        #expect(await !answers(turntable(.body, request: text), .to("http://a/", headers: plain, body: "ho")))
        let bytes =
            [
                "url": "http://a/", "headers": ["Content-Type": "image/png"],
                "body": Data("hi".utf8).base64EncodedString(),
            ] as [String: Any]
        let image = ["Content-Type": "image/png"]
        #expect(await answers(turntable(.body, request: bytes), .to("http://a/", headers: image, body: "hi")))
        #expect(await !answers(turntable(.body, request: bytes), .to("http://a/")))
        #expect(await answers(turntable(.body, request: ["url": "http://a/"]), .to("http://b/")))
        #expect(await !answers(turntable(.body, request: ["url": "http://a/"]), .to("http://a/", body: "hi")))
    }

    @Test func `all types must match, and an empty list matches everything`() async {
        let request = ["url": "http://a/1"]
        #expect(await answers(turntable(.method, .path, request: request), .to("http://b/1")))
        #expect(await !answers(turntable(.method, .path, request: request), .to("http://b/1", method: "PUT")))
        #expect(await answers(turntable(request: request), .to("http://b/2", method: "PUT")))
    }

    @Test func `a custom matcher receives the request and the track's request`() async {
        struct SuffixMatcher: RequestMatcher {
            let log: Log<String>

            func match(lhs: Request, rhs: Request) -> Bool {
                log.append(
                    "\(lhs.httpMethod ?? "") \(lhs.value(forHTTPHeaderField: "X-A") ?? "") \(rhs.url?.path ?? "")")
                return lhs.url?.lastPathComponent == rhs.url?.lastPathComponent && lhs.httpBody == rhs.httpBody
            }
        }
        let log = Log<String>()
        let turntable = turntable(
            .custom(SuffixMatcher(log: log)), request: ["url": "http://a/v1/items", "method": "PUT"])
        #expect(await answers(turntable, .to("http://b/v2/items", headers: ["X-A": "1"])))
        #expect(log.events == ["GET 1 /v1/items"])
        #expect(await !answers(turntable, .to("http://b/v2/items", body: "x")))
        #expect(await !answers(turntable, .to("http://b/v2/users")))
    }
}
