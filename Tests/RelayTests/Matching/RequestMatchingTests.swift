import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct RequestMatchingTests {
    private static let json = "application/json"

    @Test func `the body decides between entries with the same method and URL`() throws {
        let form = "application/x-www-form-urlencoded"
        let cases: [(type: String, recorded: [String], requested: [String], requestedType: String)] = [
            (Self.json, [#"{"a":1,"b":2}"#, #"{"a":2}"#], [#"{ "b": 2, "a": 1 }"#, #"{"a": 2}"#], Self.json),
            (form, ["a=1&b=2", "a=2"], ["b=2&a=1", "a=%32"], form),
            (
                "multipart/form-data; boundary=x",
                [multipart(["a": "1"], boundary: "x"), multipart(["a": "2"], boundary: "x")],
                [multipart(["a": "1"], boundary: "y"), multipart(["a": "2"], boundary: "y")],
                "multipart/form-data; boundary=y"
            ),
            ("text/plain", ["1", "2"], ["1", "2"], "text/plain"),
        ]
        for (type, recorded, requested, requestedType) in cases {
            let entries = recorded.enumerated().map {
                HAR.Entry.entry("POST", text: String($0)).requested($1, type: type)
            }
            let interceptor = Interceptor(entries: entries)
            for number in [1, 0, 0, 1] {
                let request = InterceptedRequest.request("POST", body: requested[number], type: requestedType)
                #expect(try interceptor.reply(to: request) == String(number), "\(type)")
            }
        }
    }

    @Test func `entries are used in order if no body matches`() throws {
        let interceptor = Interceptor(entries: ["1", "2"].map { .entry("POST", text: $0).requested($0) })
        let replies = try (0..<3).map { _ in try interceptor.reply(to: .request("POST", body: "3")) }
        #expect(replies == ["1", "2", "2"])
    }

    @Test func `the order of query items does not matter by default`() throws {
        let interceptor = Interceptor(entries: [.entry("GET", "http://a/?x=1&y=2&x=3", text: "found")])
        for url in ["http://a/?x=3&y=2&x=1", "http://a/?y=2&x=1&x=3#z", "http://a?x=1&&y=2&x=3"] {
            #expect(try interceptor.reply(to: .request("GET", url)) == "found")
        }
        #expect(try interceptor.reply(to: .request("GET", "http://a/?x=1&y=2")) == nil)
        let ordered = RequestMatching(required: [.method, .path, .orderedQuery])
        let strict = Interceptor([.entry("GET", "http://a/?x=1&y=2", text: "found")], matching: ordered)
        #expect(try strict.reply(to: .request("GET", "http://b/?x=1&y=2")) == "found")
        #expect(try strict.reply(to: .request("GET", "http://a/?y=2&x=1")) == nil)
    }

    @Test func `strict matching also compares header fields and body`() throws {
        let entry = HAR.Entry.entry("POST", request: [("X-A", "1"), ("User-Agent", "x")], text: "found").requested("b")
        let interceptor = Interceptor([entry], matching: .strict)
        #expect(try interceptor.reply(to: .request("POST", headers: ["x-a": "1", "Host": "a"], body: "b")) == "found")
        for request: InterceptedRequest in [
            .request("POST", body: "b"), .request("POST", headers: ["X-A": "2"], body: "b"),
            .request("POST", headers: ["X-A": "1"], body: "c"), .request("POST", headers: ["X-A": "1"]),
            .request("POST", "http://b/", headers: ["X-A": "1"], body: "b"),
        ] {
            #expect(try interceptor.reply(to: request) == nil)
        }
    }

    @Test func `loose matching compares only the path and prefers the nearest entry`() throws {
        let interceptor = Interceptor(
            [
                .entry("GET", "http://a/x?1", text: "first"), .entry("POST", "http://b/x", text: "post"),
                .entry("POST", "http://c/x?2", text: "other host").requested("y"),
            ], matching: .loose)
        #expect(try interceptor.reply(to: .request("POST", "https://b/x?2", body: "y")) == "post")
        #expect(try interceptor.reply(to: .request("POST", "https://d/x?2")) == "other host")
        #expect(try interceptor.reply(to: .request("PUT", "https://c/x")) == "other host")
        #expect(try interceptor.reply(to: .request("GET", "https://b/x")) == "first")
        #expect(try interceptor.reply(to: .request("GET", "http://a/y")) == nil)
    }

    @Test func `hosts and queries can be ignored`() throws {
        let entries: [HAR.Entry] = [.entry("GET", "http://a/x?1", text: "a"), .entry("GET", "http://b/x?1", text: "b")]
        let anyHost = Interceptor(entries, matching: .anyHost)
        #expect(try anyHost.reply(to: .request("GET", "http://b/x?1")) == "b")
        #expect(try anyHost.reply(to: .request("GET", "http://c:8080/x?1")) == "a")
        #expect(try anyHost.reply(to: .request("GET", "http://a/x?2")) == nil)
        let anyQuery = Interceptor(entries, matching: .anyQuery)
        #expect(try anyQuery.reply(to: .request("GET", "http://b/x?2")) == "b")
        #expect(try anyQuery.reply(to: .request("GET", "http://c/x?1")) == nil)
    }

    @Test func `GraphQL operations that share a URL are distinguished`() throws {
        func body(_ name: String, _ id: Int) -> String {
            #"{"query":"query \#(name) { x }","variables":{"id":\#(id)}}"#
        }
        let operations = [("A", 1), ("A", 2), ("B", 1)]
        let entries = operations.map { name, id in
            HAR.Entry.entry("POST", "http://a/graphql", text: "\(name)\(id)").requested(body(name, id), type: Self.json)
        }
        let interceptor = Interceptor(entries, matching: .graphQL)
        for (name, id) in operations.reversed() + operations {
            let request = InterceptedRequest.request("POST", "http://a/graphql", body: body(name, id), type: Self.json)
            #expect(try interceptor.reply(to: request) == "\(name)\(id)")
        }
        let unknown = InterceptedRequest.request("POST", "http://a/graphql", body: body("B", 2), type: Self.json)
        #expect(try interceptor.reply(to: unknown) == nil)
    }

    @Test func `JSON values can be ignored by their pointers`() throws {
        let entries = ["1", "2"].map { (id: String) in
            HAR.Entry.entry("POST", text: id).requested(#"{"id":\#(id),"time":1}"#, type: Self.json)
        }
        let interceptor = Interceptor(entries, matching: .json(ignoring: [JSONPointer(["time"])]))
        let request = InterceptedRequest.request("POST", body: #"{"time":2,"id":2}"#, type: Self.json)
        #expect(try interceptor.reply(to: request) == "2")
        #expect(try interceptor.reply(to: .request("POST", body: #"{"id":3}"#, type: Self.json)) == nil)
    }

    @Test func `a closure chooses among the entries that otherwise match`() throws {
        let seen = Log<String>()
        let matcher = RequestMatcher.custom("even") { requested, recorded in
            seen.append(recorded.url)
            return recorded.headers.values(named: "n") == requested.headers.values(named: "n") ? .match : .mismatch("n")
        }
        let entries = (0..<4).map { number in
            HAR.Entry.entry(
                "GET", "http://\(number < 3 ? "a" : "b")/", request: [("N", String(number % 2))], text: "\(number)")
        }
        let required = Interceptor(entries, matching: RequestMatching(required: [.url, matcher]))
        #expect(try required.reply(to: .request(headers: ["N": "1"])) == "1")
        #expect(seen.events == [String](repeating: "http://a/", count: 3))
        let replies = try (0..<3).map { _ in try required.reply(to: .request(headers: ["N": "0"])) }
        #expect(replies == ["0", "2", "2"])
        #expect(try required.reply(to: .request(headers: ["N": "2"])) == nil)
        let preferred = Interceptor(entries, matching: RequestMatching(required: [.url], preferred: [matcher]))
        #expect(try preferred.reply(to: .request(headers: ["N": "1"])) == "1")
        #expect(try preferred.reply(to: .request(headers: ["N": "2"])) == "0")
    }
}
