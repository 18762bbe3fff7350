import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite struct BodyMatcherTests {
    private static let json = "application/json; charset=utf-8"
    private static let form = "application/x-www-form-urlencoded"

    private func verdict(
        _ matcher: RequestMatcher, _ recorded: String?, _ asked: String?, type: String? = nil, askedType: String? = nil
    ) -> MatchVerdict {
        matcher.verdict(
            asked: .request("POST", body: asked, type: askedType ?? type),
            recorded: .request("POST", body: recorded, type: type))
    }

    @Test func `bytes are compared exactly`() {
        #expect(verdict(.bodyBytes, "{\"a\":1}", "{\"a\":1}") == .match)
        #expect(
            verdict(.bodyBytes, "{\"a\":1}", "{\"a\": 1}")
                == .mismatch("body", recorded: "7 bytes", asked: "8 bytes"))
        #expect(verdict(.bodyBytes, nil, "") == .match)
        #expect(verdict(.bodyBytes, nil, "x") == .mismatch("body", recorded: "no body", asked: "bytes"))
    }

    @Test func `JSON is compared by value, except at ignored JSON pointers`() {
        let matcher = RequestMatcher.jsonBody(ignoring: [JSONPointer(["time"]), JSONPointer(["user", "id"])])
        #expect(verdict(matcher, #"{"a":[1,2],"b":"é"}"#, #"{ "b" : "\u00e9", "a" : [1, 2] }"#) == .match)
        #expect(verdict(matcher, #"{"time":1,"user":{"id":1}}"#, #"{"time":2,"user":{}}"#) == .match)
        #expect(!verdict(matcher, #"{"a":[1,2]}"#, #"{"a":[2,1]}"#).isMatch)
        #expect(!verdict(.jsonBody(), #"{"time":1}"#, #"{"time":2}"#).isMatch)
        #expect(verdict(.jsonBody(), "no JSON", "no JSON") == .match)
        #expect(verdict(.jsonBody(), "no JSON", "{}") == .mismatch("body", recorded: "bytes", asked: "JSON"))
    }

    @Test func `differing JSON pointers are listed without their values`() {
        let verdict = verdict(.jsonBody(), #"{"same":1,"a":"secret1","b":2}"#, #"{"same":1,"a":"secret2","c":3}"#)
        #expect(
            Set(verdict.differences) == [
                MatchDifference("body", recorded: "/a", asked: "/a"), MatchDifference("body", recorded: "/b"),
                MatchDifference("body", asked: "/c"),
            ])
    }

    @Test func `a form is compared as items in any order`() {
        #expect(verdict(.formBody, "a=1&b=x+y&b=z", "b=z&b=x%20y&a=%31") == .match)
        #expect(verdict(.formBody, "a&b=", "b&a=") == .match)
        #expect(
            verdict(.formBody, "a=secret1&b=1", "a=secret2&c=1").differences == [
                MatchDifference("form", recorded: "a", asked: "a"), MatchDifference("form", recorded: "b"),
                MatchDifference("form", asked: "c"),
            ])
        #expect(!verdict(.formBody, "a=1&a=1", "a=1").isMatch)
    }

    @Test func `multipart bodies are compared regardless of the boundary`() {
        let recorded = multipart(["a": "1", "b": "secret"], boundary: "one")
        let type = "multipart/form-data; boundary=one"
        func verdict(_ asked: String, _ boundary: String = "two") -> MatchVerdict {
            self.verdict(
                .multipartBody, recorded, asked, type: type, askedType: "multipart/form-data; boundary=\(boundary)")
        }
        #expect(verdict(multipart(["a": "1", "b": "secret"], boundary: "two")) == .match)
        #expect(verdict(multipart(["a": "1", "b": "secret"], boundary: "two").replacing("\r", with: "")) == .match)
        #expect(
            verdict(multipart(["a": "1", "b": "hidden!"], boundary: "two"))
                == .mismatch("part", recorded: "b, 6 bytes", asked: "b, 7 bytes"))
        #expect(verdict(multipart(["a": "1"], boundary: "two")) == .mismatch("part", recorded: "b"))
        #expect(verdict("none", "two") == .mismatch("body", recorded: "multipart", asked: "bytes"))
        #expect(
            self.verdict(.multipartBody, recorded, multipart(["a": "1", "b": "secret"], boundary: "x")) == .match,
            "The first line is the boundary where nothing names one.")
    }

    @Test(arguments: [
        (json, #"{"a":1,"b":2}"#, #"{"b":2, "a":1}"#, #"{"a":1}"#), ("application/problem+json", "[1]", "[ 1 ]", "[2]"),
        (json, "{broken", "{broken", "{ broken"), (form, "a=1&b=2", "b=2&a=1", "a=1"),
        (nil, "a=1&b=2", "b=2&a=1", "a=1"), (nil, #"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, #"{"a":1,"b":3}"#),
        ("text/plain", "a=1&b=2", "a=1&b=2", "b=2&a=1"),
    ])
    func `a body is compared according to its content type`(
        type: String?, recorded: String, same: String, other: String
    ) {
        #expect(verdict(.body, recorded, same, type: type) == .match)
        #expect(!verdict(.body, recorded, other, type: type).isMatch)
    }

    @Test func `a body that was not captured matches no body`() throws {
        var entry = HAR.Entry.entry("POST")
        entry.request.bodySize = 7
        for asked in ["x", ""] {
            let interceptor = Interceptor([entry], matching: .methodURLAndBody)
            #expect(throws: RelayError.self) { try interceptor.response("POST") }
            #expect(try interceptor.reply(to: .request("POST", body: asked)) == nil)
        }
        #expect(try Interceptor([entry], matching: .standard).reply(to: .request("POST", body: "x")) == "")
    }

    @Test func `form fields without a text are the body`() throws {
        var entry = HAR.Entry.entry("POST", text: "form")
        entry.request.postData = HAR.PostData(
            mimeType: Self.form, params: [HAR.Parameter(name: "a b", value: "1&2"), HAR.Parameter(name: "c")])
        let interceptor = Interceptor([entry], matching: .methodURLAndBody)
        #expect(try interceptor.reply(to: .request("POST", body: "c&a%20b=1%262", type: Self.form)) == "form")
        #expect(try interceptor.reply(to: .request("POST", body: "c&a%20b=1", type: Self.form)) == nil)
    }
}
