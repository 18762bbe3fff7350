import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct GraphQLMatcherTests {
    private func verdict(_ recorded: InterceptedRequest, _ requested: InterceptedRequest) -> MatchVerdict {
        RequestMatcher.graphQL.verdict(requested: requested, recorded: recorded)
    }

    private func post(_ body: String) -> InterceptedRequest { .request("POST", body: body, type: "application/json") }

    private let user = #"{"operationName":"User","query":"query User($id: ID) { user }","variables":{"id":1,"x":2}}"#

    @Test(arguments: [
        #"{"query":"query User { user name }","variables":{"x":2,"id":1}}"#,
        #"{"query":"\n # a comment\n query User($id: ID) { user }","variables":{"id":1,"x":2},"extensions":{}}"#,
        #"{"operationName":"User","variables":{"id":1,"x":2},"extensions":{"persistedQuery":{"sha256Hash":"a"}}}"#,
    ])
    func `operations with the same name and variables match`(requested: String) {
        #expect(verdict(post(user), post(requested)) == .match)
    }

    @Test func `different names and variables are reported`() {
        #expect(
            verdict(post(user), post(#"{"query":"query Users { users }"}"#))
                == .mismatch("GraphQL", recorded: "User", requested: "Users"))
        #expect(
            verdict(post(user), post(#"{"query":"query User { users }","variables":{"id":3,"x":2}}"#))
                == .mismatch([MatchDifference("variables", recorded: "/id: 1", requested: "/id: 3", item: "/id")]))
    }

    @Test func `an operation without a name is identified by its document`() {
        #expect(verdict(post(#"{"query":"{ a\n b }"}"#), post(#"{"query":"{ a  b }","variables":{}}"#)) == .match)
        #expect(!verdict(post(#"{"query":"{ a }"}"#), post(#"{"query":"{ b }"}"#)).isMatch)
    }

    @Test func `an invalid operation name is not shown`() {
        let verdict = verdict(post(user), post(#"{"operationName":"se cret","query":""}"#))
        #expect(verdict == .mismatch("GraphQL", recorded: "User", requested: "an operation with an invalid name"))
    }

    @Test func `operations are found in a URL query, a batch, and a multipart form`() {
        let variables = "%7B%22x%22:2,%20%22id%22:1%7D"
        #expect(
            verdict(post(user), .request("GET", "http://a/?variables=\(variables)&query=query%20User%7Ba%7D")) == .match
        )
        #expect(verdict(post("[\(user)]"), post("[\(user), \(user)]")).differences.map(\.part) == ["GraphQL"])
        #expect(verdict(post("[\(user)]"), post(user)) == .match)
        #expect(
            verdict(
                .request("POST", body: "query Q { x }", type: "application/graphql"),
                post(#"{"query":"query Q { x y }"}"#)) == .match)
        let upload = multipart(["operations": user, "0": "file"], boundary: "b")
        #expect(
            verdict(post(user), .request("POST", body: upload, type: "multipart/form-data; boundary=b")) == .match)
    }

    @Test func `requests without an operation are compared by query and body`() {
        #expect(verdict(.request("GET", "http://a/?query=x&b"), .request("GET", "http://a/?b&query=x")) == .match)
        #expect(!verdict(.request("GET", "http://a/?query=x"), .request("GET", "http://a/?query=y")).isMatch)
        #expect(!verdict(post(#"{"a":1}"#), post(#"{"a":2}"#)).isMatch)
        #expect(!verdict(post(user), post(#"{"a":2}"#)).isMatch)
    }
}
