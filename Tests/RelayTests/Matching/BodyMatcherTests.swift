import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct BodyMatcherTests {
    private static let json = "application/json; charset=utf-8"
    private static let form = "application/x-www-form-urlencoded"

    private func verdict(
        _ matcher: RequestMatcher, _ recorded: String?, _ requested: String?, type: String? = nil,
        requestedType: String? = nil
    ) -> MatchVerdict {
        matcher.verdict(
            requested: .request("POST", body: requested, type: requestedType ?? type),
            recorded: .request("POST", body: recorded, type: type))
    }

    @Test func `bodies are compared byte for byte`() {
        #expect(verdict(.bodyBytes, "{\"a\":1}", "{\"a\":1}") == .match)
        #expect(
            verdict(.bodyBytes, "{\"a\":1}", "{\"a\": 1}")
                == .mismatch("body", recorded: "7 bytes", requested: "8 bytes"))
        #expect(verdict(.bodyBytes, nil, "") == .match)
        #expect(verdict(.bodyBytes, nil, "x") == .mismatch("body", recorded: "no body", requested: "bytes"))
    }

    @Test func `JSON is compared by value, except at ignored JSON pointers`() {
        let matcher = RequestMatcher.jsonBody(ignoring: [JSONPointer(["time"]), JSONPointer(["user", "id"])])
        #expect(verdict(matcher, #"{"a":[1,2],"b":"é"}"#, #"{ "b" : "\u00e9", "a" : [1, 2] }"#) == .match)
        #expect(verdict(matcher, #"{"time":1,"user":{"id":1}}"#, #"{"time":2,"user":{}}"#) == .match)
        #expect(!verdict(matcher, #"{"a":[1,2]}"#, #"{"a":[2,1]}"#).isMatch)
        #expect(!verdict(.jsonBody(), #"{"time":1}"#, #"{"time":2}"#).isMatch)
        #expect(verdict(.jsonBody(), "no JSON", "no JSON") == .match)
        #expect(verdict(.jsonBody(), "no JSON", "{}") == .mismatch("body", recorded: "bytes", requested: "JSON"))
    }

    @Test func `differing JSON values are listed with their pointers, without secrets`() {
        let verdict = verdict(
            .jsonBody(), #"{"same":1,"a":"x","b":2,"pin":"1111"}"#, #"{"same":1,"a":["y"],"c":3,"pin":"2222"}"#)
        #expect(
            Set(verdict.differences) == [
                MatchDifference("body", recorded: #"/a: "x""#, requested: #"/a: ["y"]"#, item: "/a"),
                MatchDifference("body", recorded: "/b: 2", item: "/b"),
                MatchDifference("body", requested: "/c: 3", item: "/c"),
                MatchDifference("body", recorded: "/pin", requested: "/pin", item: "/pin"),
            ])
    }

    @Test func `form items are compared regardless of their order`() {
        #expect(verdict(.formBody, "a=1&b=x+y&b=z", "b=z&b=x%20y&a=%31") == .match)
        #expect(verdict(.formBody, "a&b=", "b&a=") == .match)
        #expect(
            verdict(.formBody, "a=1&b=1&pin=1111", "a=2&c=1&pin=2222").differences == [
                MatchDifference("form", recorded: "a: 1", requested: "a: 2", item: "a"),
                MatchDifference("form", recorded: "b: 1", item: "b"),
                MatchDifference("form", requested: "c: 1", item: "c"),
                MatchDifference("form", recorded: "pin", requested: "pin", item: "pin"),
            ])
        #expect(!verdict(.formBody, "a=1&a=1", "a=1").isMatch)
    }

    @Test func `multipart bodies are compared regardless of the boundary`() {
        let recorded = multipart(["a": "1", "b": "secret"], boundary: "one")
        let type = "multipart/form-data; boundary=one"
        func verdict(_ requested: String, _ boundary: String = "two") -> MatchVerdict {
            self.verdict(
                .multipartBody, recorded, requested, type: type,
                requestedType: "multipart/form-data; boundary=\(boundary)")
        }
        #expect(verdict(multipart(["a": "1", "b": "secret"], boundary: "two")) == .match)
        #expect(verdict(multipart(["a": "1", "b": "secret"], boundary: "two").replacing("\r", with: "")) == .match)
        #expect(
            verdict(multipart(["a": "1", "b": "hidden!"], boundary: "two"))
                == .mismatch([
                    MatchDifference("part", recorded: "b: secret", requested: "b: hidden!", item: "b")
                ]))
        #expect(
            verdict(multipart(["a": "1"], boundary: "two"))
                == .mismatch([MatchDifference("part", recorded: "b: secret", item: "b")]))
        #expect(verdict("none", "two") == .mismatch("body", recorded: "multipart", requested: "bytes"))
        #expect(
            self.verdict(.multipartBody, recorded, multipart(["a": "1", "b": "secret"], boundary: "x")) == .match,
            "Without a content type, the first line is used as the boundary.")
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

    @Test func `an entry whose request body was not captured does not match any body`() throws {
        var entry = HAR.Entry.entry("POST")
        entry.request.bodySize = 7
        for requested in ["x", ""] {
            let interceptor = Interceptor([entry], matching: .methodURLAndBody)
            #expect(throws: RelayError.self) { try interceptor.response("POST") }
            #expect(try interceptor.reply(to: .request("POST", body: requested)) == nil)
        }
        #expect(try Interceptor([entry], matching: .standard).reply(to: .request("POST", body: "x")) == "")
    }

    @Test func `postData with params but no text is compared as a form`() throws {
        var entry = HAR.Entry.entry("POST", text: "form")
        entry.request.postData = HAR.PostData(
            mimeType: Self.form, params: [HAR.Parameter(name: "a b", value: "1&2"), HAR.Parameter(name: "c")])
        let interceptor = Interceptor([entry], matching: .methodURLAndBody)
        #expect(try interceptor.reply(to: .request("POST", body: "c&a%20b=1%262", type: Self.form)) == "form")
        #expect(try interceptor.reply(to: .request("POST", body: "c&a%20b=1", type: Self.form)) == nil)
    }
}
