import Relay
import Testing

@Suite struct HeaderMatcherTests {
    private func verdict(
        _ matcher: RequestMatcher, _ recorded: KeyValuePairs<String, String>, _ asked: KeyValuePairs<String, String>
    ) -> MatchVerdict {
        func request(_ headers: KeyValuePairs<String, String>) -> InterceptedRequest {
            InterceptedRequest(url: "http://a/", headers: headers.map { HeaderField(name: $0, value: $1) })
        }
        return matcher.verdict(asked: request(asked), recorded: request(recorded))
    }

    @Test func `named fields are compared by their values in any order`() {
        let matcher = RequestMatcher.header("accept", "X-A")
        #expect(verdict(matcher, ["Accept": "x", "X-B": "1"], ["ACCEPT": " x ", "X-B": "2"]) == .match)
        #expect(verdict(matcher, ["X-A": "1", "x-a": "2"], ["x-a": "2", "X-A": "1"]) == .match)
        #expect(!verdict(matcher, ["X-A": "1", "x-a": "1"], ["x-a": "1"]).isMatch)
    }

    @Test func `a difference names fields and not their values`() {
        let verdict = verdict(
            .headers(ignoring: []), ["A": "secret1", "B": "secret2"], ["a": "secret3", "C": "secret4"])
        #expect(
            verdict.differences == [
                MatchDifference("header", recorded: "a", asked: "a"), MatchDifference("header", recorded: "b"),
                MatchDifference("header", asked: "c"),
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

    @Test func `boundaries and empty fields are ignored`() {
        let matcher = RequestMatcher.header("Content-Type", "Accept")
        #expect(
            verdict(
                matcher, ["Content-Type": "multipart/form-data; boundary=1", "Accept": "*/*"],
                ["Content-Type": "Multipart/form-data; boundary=\"2\""]) == .match)
        #expect(!verdict(matcher, ["Content-Type": "multipart/mixed; boundary=1"], ["Accept": "*/*"]).isMatch)
        #expect(!verdict(matcher, ["Accept": "text/html"], [:]).isMatch)
    }
}
