import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct MessageTextTests {
    @Test(arguments: [
        ("short", 5, "short"), ("longer", 5, "lo…er"), ("abcdefgh", 4, "ab…h"), ("abcdefgh", 0, "a…h"), ("", 5, ""),
    ])
    func `the middle of a long text is omitted`(text: String, width: Int, expected: String) {
        #expect(MessageText.line(text, width: width) == expected)
    }

    @Test func `invisible characters are shown as replacement characters`() {
        #expect(MessageText.printable("a\u{1B}[31m\n\u{202E}b é 日") == "a�[31m��b é 日")
        #expect(MatchDifference("p\u{7}", recorded: "\u{0}", requested: nil) == MatchDifference("p�", recorded: "�"))
    }

    @Test func `URLs in messages contain no secrets, with or without a name`() {
        let url = "https://u:p@a.test/ghp_abcdefghijklmnopqrstuvwxyz0123456789?code=1"
        #expect(MessageText.url(url) == "https://a.test/REDACTED?code=•••")
        #expect(RequestPattern.exactly(url).description == "exactly https://a.test/REDACTED?code=•••")
        #expect(RequestPattern.url("a.test/*?token=x").description == "a.test/*?token=•••")
        let recorded = InterceptedRequest(url: "https://a.test/b")
        let verdict = RequestMatcher.path.verdict(requested: InterceptedRequest(url: url), recorded: recorded)
        #expect(verdict.differences.map(\.requested) == ["/REDACTED"])
    }

    @Test func `the description of a request contains no secrets`() {
        #expect(
            MessageRedaction.standard.request("get", "http://me:x@a/p?page=1&access%5Ftoken=x#y")
                == "GET http://a/p?page=1&access_token=•••")
    }
}
