import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct RegularExpressionLimitTests {
    /// Expressions that take exponential time or more memory than ICU provides.
    static let hostile = ["(a+)+$", "(a|a)*$", "^(a|aa)+$", "([a-z]+)*!!", "(.*a){20}$", "(?:a?){40}a{40}b"]

    private func count(_ pattern: String, in text: String) throws -> Int {
        var count = 0
        try NSRegularExpression(pattern: pattern).forEachMatch(in: text, named: "It") { _ in
            count += 1
            return true
        }
        return count
    }

    @Test(arguments: hostile)
    func `a search that takes exponential time is an error`(pattern: String) throws {
        let error = #expect(throws: HARError.self) {
            _ = try count(pattern, in: String(repeating: "a", count: 50) + "!")
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.hasPrefix("It needs too much time or memory for a text of 51 bytes. ") == true)
    }

    /// The number of reports alone would permit work that is proportional to the length of the text, too.
    @Test(arguments: ["(b+)+$", "(?>[ab]*)c", "[ab]*c", "(?:a|b)*"])
    func `a search in a long text is limited, too`(pattern: String) {
        let text = String(repeating: "a", count: 500_000) + String(repeating: "b", count: 50) + "!"
        let error = #expect(throws: HARError.self) { _ = try count(pattern, in: text) }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [
        (#"value \d+"#, 1), (#""[^"]*""#, 3), ("[a-z]+@[a-z]+", 0), (".*x.*", 1), ("absent", 0),
    ])
    func `a simple search in a large text is not limited`(pattern: String, matches: Int) throws {
        let line = "{\"name\":\"value 12\",\"x\":[1,2,3]}\n"
        let lines = 20_000_000 / line.utf8.count
        #expect(try count(pattern, in: String(repeating: line, count: lines)) == matches * lines)
    }

    @Test func `a search ends when the closure returns false, and searches only its range`() throws {
        var found: [NSRange] = []
        let expression = try NSRegularExpression(pattern: "a")
        try expression.forEachMatch(in: "aéaaa", range: NSRange(location: 1, length: 4), named: "It") {
            found.append($0.range)
            return found.count < 2
        }
        #expect(found == [NSRange(location: 2, length: 1), NSRange(location: 3, length: 1)])
    }

    @Test(arguments: hostile)
    func `redaction replaces every string after a pattern that takes too much work`(pattern: String) throws {
        var settings = HARRedactor.Configuration()
        settings.patterns = ["[0-9]{40}", pattern]
        let redactor = try HARRedactor(masking: settings)
        #expect(redactor.redacted(text: "harmless") == "harmless")
        let hostile = String(repeating: "a", count: 50) + "!"
        #expect(redactor.redacted(text: hostile) == "REDACTED")
        #expect(redactor.redacted(text: "harmless") == "REDACTED")
        #expect(redactor.failure?.code == .limitExceeded)
        #expect(redactor.failure?.message.hasPrefix("Pattern 2 for secrets needs too much") == true)
    }
}
