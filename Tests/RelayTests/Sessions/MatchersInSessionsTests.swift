import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Every matcher, every repetition and the order of precedence, tested with real sessions.
@Suite(.limited) struct MatchersInSessionsTests {
    private static let origin = "http://shop.example/items"

    /// A request that matches the only entry, and one that does not.
    struct Case: Sendable, CustomTestStringConvertible {
        let matcher: RequestMatcher
        var entry = HAR.Entry.entry("GET", origin, text: "x")
        var fitting = URLRequest(origin)
        let other: URLRequest

        var testDescription: String { matcher.name }
    }

    private static func post(_ body: String, _ type: String, url: String = origin) -> URLRequest {
        URLRequest(url, method: "POST", headers: ["Content-Type": type], body: body)
    }

    private static func recorded(_ body: String, _ type: String) -> HAR.Entry {
        .entry("POST", origin, text: "x").requested(body, type: type)
    }

    private static let json = "application/json"
    private static let form = "application/x-www-form-urlencoded"

    static let cases = [
        Case(
            matcher: .method, fitting: URLRequest("http://other.example/"), other: URLRequest(origin, method: "PUT")),
        Case(matcher: .scheme, fitting: URLRequest("http://b/"), other: URLRequest("https://shop.example/items")),
        Case(matcher: .host, fitting: URLRequest("http://SHOP.example/b"), other: URLRequest("http://b/items")),
        Case(
            matcher: .port, fitting: URLRequest("http://b:80/"), other: URLRequest("http://shop.example:81/items")),
        Case(
            matcher: .path, fitting: URLRequest("https://b:1/%69tems?x"),
            other: URLRequest("http://shop.example/items/")),
        Case(
            matcher: .url, fitting: URLRequest("HTTP://Shop.Example:80/./items#top"),
            other: URLRequest(origin + "?page=1")),
        Case(
            matcher: .query, entry: .entry("GET", origin + "?a=1&b=%C3%A4", text: "x"),
            fitting: URLRequest("http://b/?b=%c3%a4&a=1"), other: URLRequest(origin + "?a=1")),
        Case(
            matcher: .query(ignoring: ["t"]), entry: .entry("GET", origin + "?a=1&t=1", text: "x"),
            fitting: URLRequest(origin + "?t=2&a=1"), other: URLRequest(origin + "?a=2&t=1")),
        Case(
            matcher: .orderedQuery, entry: .entry("GET", origin + "?a=1&b=2", text: "x"),
            fitting: URLRequest(origin + "?a=1&b=2"), other: URLRequest(origin + "?b=2&a=1")),
        Case(
            matcher: .header("Accept"), entry: .entry("GET", origin, request: [("accept", "text/html")], text: "x"),
            fitting: URLRequest(origin, headers: ["ACCEPT": "text/html", "X": "y"]),
            other: URLRequest(origin, headers: ["Accept": "text/plain"])),
        Case(
            matcher: .headers(ignoring: ["x-id"]), entry: .entry("GET", origin, request: [("X-Id", "1")], text: "x"),
            fitting: URLRequest(origin, headers: ["X-Id": "2"]), other: URLRequest(origin, headers: ["X-Other": "1"])),
        Case(
            matcher: .bodyBytes, entry: recorded("a b", "text/plain"), fitting: post("a b", "text/plain"),
            other: post("a  b", "text/plain")),
        Case(
            matcher: .jsonBody(ignoring: [JSONPointer(["at"])]), entry: recorded(#"{"a": 1, "b": [2], "at": 3}"#, json),
            fitting: post(#"{"at":4,"b":[2],"a":1.0}"#, json), other: post(#"{"a":1,"b":[3]}"#, json)),
        Case(
            matcher: .formBody, entry: recorded("a=1&b=%20", form), fitting: post("b=+&a=1", form),
            other: post("a=2&b=+", form)),
        Case(
            matcher: .multipartBody,
            entry: recorded(multipart(["a": "1"], boundary: "one"), "multipart/form-data; boundary=one"),
            fitting: post(multipart(["a": "1"], boundary: "two"), "multipart/form-data; boundary=two"),
            other: post(multipart(["a": "2"], boundary: "two"), "multipart/form-data; boundary=two")),
        Case(
            matcher: .graphQL, entry: recorded(#"{"query":"query A { a }","variables":{"n":1}}"#, json),
            fitting: post(#"{"operationName":"A","variables":{"n":1},"query":"query A { a }"}"#, json),
            other: post(#"{"query":"query A { a }","variables":{"n":2}}"#, json)),
        Case(
            matcher: .custom("length") { requested, recorded in
                requested.url.count == recorded.url.count ? .match : .mismatch("another length")
            }, fitting: URLRequest("http://12345678.com/items"), other: URLRequest("http://a/")),
        Case(matcher: .any(of: [.host, .path]), fitting: URLRequest("http://b/items"), other: URLRequest("http://b/")),
        Case(
            matcher: .all(of: [.host, .path]), fitting: URLRequest(origin + "?x"), other: URLRequest("http://b/items")),
    ]

    @Test(arguments: cases)
    func `an entry is used only for requests that the matcher accepts`(_ sample: Case) async throws {
        let matching = RequestMatching(required: [sample.matcher])
        let session = Interceptor([sample.entry], matching: matching).session()
        #expect(try await session.text(sample.fitting) == "x")
        let error = await #expect(throws: RelayError.self) { try await session.text(sample.other) }
        #expect(error?.code == .noMatchingEntry)
    }

    @Test(arguments: [
        (RequestMatching.Repetition.nextThenLast, ["1", "2", "2", "2", "2"]), (.once, ["1", "2", "-", "-", "-"]),
        (.first, ["1", "1", "1", "1", "1"]), (.cycle, ["1", "2", "1", "2", "1"]),
    ])
    func `the repetition setting determines the response to a repeated request`(
        repetition: RequestMatching.Repetition, expected: [String]
    ) async throws {
        var matching = RequestMatching.standard
        matching.repetition = repetition
        let entries = ["1", "2"].map { HAR.Entry.entry("GET", Self.origin, text: $0) }
        let session = Interceptor(entries, matching: matching).session()
        var texts: [String] = []
        for _ in 0..<5 { texts.append((try? await session.text(Self.origin)) ?? "-") }
        #expect(texts == expected)
    }

    @Test func `rules take precedence over archives, and the report lists used entries and misses`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("layers-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let entries: [[HAR.Entry]] = [
            [.entry("GET", "http://a/1", text: "first")],
            [.entry("GET", "http://a/1", text: "second"), .entry("GET", "http://a/2", text: "second")],
        ]
        let files = try entries.enumerated().map { index, entries in
            let file = folder.appendingPathComponent("\(index).har")
            try HAR.Log(creator: HAR.Creator(name: "Test", version: "1"), entries: entries).write(to: file)
            return file
        }
        let interceptor = try Interceptor(archives: files)
        interceptor.add(.stub("a/3", .text("stub")))
        let session = interceptor.session()
        var texts: [String] = []
        for path in 1...3 { texts.append(try await session.text("http://a/\(path)")) }
        #expect(texts == ["first", "second", "stub"])
        _ = try? await session.text("http://a/4")
        let report = interceptor.report
        #expect(report.archives.map(\.usedCount) == [1, 1])
        #expect(report.archives.map { $0.unused.map(\.url) } == [[], ["http://a/1"]])
        #expect(report.misses.map(\.url) == ["http://a/4"])
    }
}
