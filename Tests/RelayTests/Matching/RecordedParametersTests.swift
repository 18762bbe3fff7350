import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct RecordedParametersTests {
    private static let form = "application/x-www-form-urlencoded"

    private func verdict(_ recorded: InterceptedRequest, _ requested: InterceptedRequest) -> MatchVerdict {
        RequestMatcher.recordedParameters.verdict(requested: requested, recorded: recorded)
    }

    @Test(arguments: [
        InterceptedRequest.request("GET", "http://a/?page=2&q=a%20b&x=1"),
        .request("POST", body: #"{"q":"a b","page":2}"#, type: "application/json"),
        .request("POST", body: #"{"page":"2","q":"a b","more":[1]}"#, type: "application/vnd.x+json"),
        .request("POST", body: "q=a+b&page=2", type: form),
        .request("POST", "http://a/?page=2", body: "q=a+b", type: form),
    ])
    func `recorded names and values are compared, but not their order or other parameters`(
        requested: InterceptedRequest
    ) {
        #expect(verdict(.request("GET", "http://b/?q=a+b&page=2"), requested) == .match)
        #expect(verdict(.request("POST", body: #"{"page":2}"#, type: "application/json"), requested) == .match)
        #expect(verdict(.request("GET", "http://b/"), requested) == .match)
        #expect(verdict(.request("POST", body: "{}", type: "application/json"), requested) == .match)
    }

    @Test func `missing and different parameters are listed without secrets`() {
        let recorded = InterceptedRequest.request("GET", "http://a/?page=1&old=2&same=1&token=secret1")
        let requested = InterceptedRequest.request("GET", "http://a/?page=3&same=1&new=4&token=secret2")
        #expect(
            verdict(recorded, requested).differences == [
                MatchDifference("parameter", recorded: "old: 2", item: "old"),
                MatchDifference("parameter", recorded: "page: 1", requested: "page: 3", item: "page"),
                MatchDifference("parameter", recorded: "token", requested: "token", item: "token"),
            ])
    }

    @Test func `both values of a duplicate name must match`() {
        let recorded = InterceptedRequest.request("GET", "http://a/?x=1&x=2")
        #expect(verdict(recorded, .request("GET", "http://a/?x=2&x=1")) == .match)
        #expect(!verdict(recorded, .request("GET", "http://a/?x=1")).isMatch)
        #expect(!verdict(.request("GET", "http://a/?x=1"), recorded).isMatch)
    }

    @Test func `structured values are compared as JSON`() {
        let recorded = InterceptedRequest.request("POST", body: #"{"x":{"a":1,"b":[true]}}"#, type: "application/json")
        func requested(_ body: String) -> InterceptedRequest { .request("POST", body: body, type: "application/json") }
        #expect(verdict(recorded, requested(#"{"x": {"b": [true], "a": 1.0}}"#)) == .match)
        #expect(!verdict(recorded, requested(#"{"x": {"b": [false], "a": 1}}"#)).isMatch)
    }

    @Test func `entries are chosen by recorded parameters`() throws {
        let interceptor = Interceptor(
            [
                .entry("GET", "http://a/Users/?page=2", text: "second"), .entry("GET", "http://a/users", text: "any"),
                .entry("POST", "http://a/users", text: "made").requested(#"{"name":"Ada"}"#, type: "application/json"),
            ],
            matching: RequestMatching(
                required: [.method, .pathIgnoringCase, .recordedParameters], repetition: .first))
        #expect(try interceptor.reply(to: .request("GET", "http://b/users?page=2&x=1")) == "second")
        #expect(try interceptor.reply(to: .request("GET", "http://b/USERS/?page=1")) == "any")
        let ada = InterceptedRequest.request("POST", "http://b/users", body: #"{"name":"Ada"}"#, type: "text/json")
        #expect(try interceptor.reply(to: ada) == "made")
        #expect(try interceptor.reply(to: .request("POST", "http://b/users", body: "{}")) == nil)
    }
}
