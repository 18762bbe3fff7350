import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite struct RecordedParametersTests {
    private static let form = "application/x-www-form-urlencoded"

    private func verdict(_ recorded: InterceptedRequest, _ asked: InterceptedRequest) -> MatchVerdict {
        RequestMatcher.recordedParameters.verdict(asked: asked, recorded: recorded)
    }

    @Test(arguments: [
        InterceptedRequest.request("GET", "http://a/?page=2&q=a%20b&x=1"),
        .request("POST", body: #"{"q":"a b","page":2}"#, type: "application/json"),
        .request("POST", body: #"{"page":"2","q":"a b","more":[1]}"#, type: "application/vnd.x+json"),
        .request("POST", body: "q=a+b&page=2", type: form),
        .request("POST", "http://a/?page=2", body: "q=a+b", type: form),
    ])
    func `recorded names and values are compared; their order and other parameters are not`(asked: InterceptedRequest) {
        #expect(verdict(.request("GET", "http://b/?q=a+b&page=2"), asked) == .match)
        #expect(verdict(.request("POST", body: #"{"page":2}"#, type: "application/json"), asked) == .match)
        #expect(verdict(.request("GET", "http://b/"), asked) == .match)
        #expect(verdict(.request("POST", body: "{}", type: "application/json"), asked) == .match)
    }

    @Test func `parameters that are missing or differ are listed without values`() {
        let recorded = InterceptedRequest.request("GET", "http://a/?page=secret1&old=secret2&same=1")
        let asked = InterceptedRequest.request("GET", "http://a/?page=secret3&same=1&new=secret4")
        #expect(
            verdict(recorded, asked).differences == [
                MatchDifference("parameter", recorded: "old"),
                MatchDifference("parameter", recorded: "page", asked: "page"),
            ])
    }

    @Test func `a duplicate name needs both values`() {
        let recorded = InterceptedRequest.request("GET", "http://a/?x=1&x=2")
        #expect(verdict(recorded, .request("GET", "http://a/?x=2&x=1")) == .match)
        #expect(!verdict(recorded, .request("GET", "http://a/?x=1")).isMatch)
        #expect(!verdict(.request("GET", "http://a/?x=1"), recorded).isMatch)
    }

    @Test func `values with a structure are compared as JSON`() {
        let recorded = InterceptedRequest.request("POST", body: #"{"x":{"a":1,"b":[true]}}"#, type: "application/json")
        func asked(_ body: String) -> InterceptedRequest { .request("POST", body: body, type: "application/json") }
        #expect(verdict(recorded, asked(#"{"x": {"b": [true], "a": 1.0}}"#)) == .match)
        #expect(!verdict(recorded, asked(#"{"x": {"b": [false], "a": 1}}"#)).isMatch)
    }

    @Test func `entries are chosen by recorded parameters`() throws {
        let interceptor = Interceptor(
            [
                .entry("GET", "http://a/Users/?page=2", text: "second"), .entry("GET", "http://a/users", text: "any"),
                .entry("POST", "http://a/users", text: "made").asked(#"{"name":"Ada"}"#, type: "application/json"),
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
