import Relay
import Testing

@Suite(.limited) struct HeaderMatcherTests {
    private func verdict(
        _ matcher: RequestMatcher, _ recorded: KeyValuePairs<String, String>, _ requested: KeyValuePairs<String, String>
    ) -> MatchVerdict {
        func request(_ headers: KeyValuePairs<String, String>) -> InterceptedRequest {
            InterceptedRequest(url: "http://a/", headers: headers.map { HeaderField(name: $0, value: $1) })
        }
        return matcher.verdict(requested: request(requested), recorded: request(recorded))
    }

    @Test func `the values of named fields are compared in any order`() {
        let matcher = RequestMatcher.header("accept", "X-A")
        #expect(verdict(matcher, ["Accept": "x", "X-B": "1"], ["ACCEPT": " x ", "X-B": "2"]) == .match)
        #expect(verdict(matcher, ["X-A": "1", "x-a": "2"], ["x-a": "2", "X-A": "1"]) == .match)
        #expect(!verdict(matcher, ["X-A": "1", "x-a": "1"], ["x-a": "1"]).isMatch)
    }

    @Test func `differences include names and values but no secrets`() {
        let verdict = verdict(
            .headers(ignoring: []), ["A": "1", "B": "2", "X-Api-Key": "secret1"],
            ["a": "3", "C": "4", "X-Api-Key": "secret2"])
        #expect(
            verdict.differences == [
                MatchDifference("header", recorded: "a: 1", requested: "a: 3", item: "a"),
                MatchDifference("header", recorded: "b: 2", item: "b"),
                MatchDifference("header", requested: "c: 4", item: "c"),
                MatchDifference("header", recorded: "x-api-key", requested: "x-api-key", item: "x-api-key"),
            ])
    }

    @Test func `the case of values can be ignored`() {
        let matcher = RequestMatcher.headers(ignoring: [], ignoringCase: true)
        #expect(verdict(matcher, ["A": "Text/Plain", "B": "x"], ["a": "text/plain", "b": "X"]) == .match)
        #expect(!verdict(matcher, ["A": "x"], ["A": "y"]).isMatch)
        #expect(!verdict(.headers(ignoring: []), ["A": "x"], ["A": "X"]).isMatch)
    }

    @Test func `all fields except volatile ones are compared`() {
        #expect(
            verdict(
                .headers(), ["User-Agent": "x", "Host": "a", "X-A": "1", ":path": "/"], ["x-a": "1", "Cookie": "y"])
                == .match)
        #expect(!verdict(.headers(), ["X-A": "1"], [:]).isMatch)
        #expect(verdict(.headers(ignoring: ["x-A"]), ["X-A": "1"], [:]) == .match)
        #expect(!verdict(.headers(ignoring: ["x-a"]), ["Cookie": "1"], [:]).isMatch)
        #expect(RequestMatcher.volatileHeaders.allSatisfy { $0 == $0.lowercased() })
    }

    @Test func `multipart boundaries and an Accept field that accepts anything are ignored`() {
        let matcher = RequestMatcher.header("Content-Type", "Accept")
        #expect(
            verdict(
                matcher, ["Content-Type": "multipart/form-data; boundary=1", "Accept": "*/*"],
                ["Content-Type": "Multipart/form-data; boundary=\"2\""]) == .match)
        #expect(!verdict(matcher, ["Content-Type": "multipart/mixed; boundary=1"], ["Accept": "*/*"]).isMatch)
        #expect(!verdict(matcher, ["Accept": "text/html"], [:]).isMatch)
    }
}
