import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct ConditionsTests {
    @Test(
        arguments: [
            (#""a""#, [#""a""#]), (#"W/"a", "b" ,"c,d""#, [#""a""#, #""b""#, #""c,d""#]), ("*", ["*"]),
            ("plain", ["plain"]),
            (" W/plain ", ["plain"]), (#""a", "b"#, [#""a""#]), (#""a*""#, [#""a*""#]), (#""""#, [#""""#]), ("", [""]),
            ("\"\u{301}\"\u{301}", ["\"\u{301}\""]), (#"""#, [#"""#]),
        ] as [(String, [String])])
    func `entity tags are parsed from a list, and any other value is a single tag`(value: String, tags: [String]) {
        let conditions = Conditions { $0 == "if-none-match" ? value : nil }
        #expect(conditions?.entityTags == tags)
    }

    @Test func `a long list is parsed completely`() {
        let value = [String](repeating: #"W/"0123456789""#, count: 10_000).joined(separator: ", ") + "\""
        #expect(Conditions { $0 == "if-none-match" ? value : nil }?.entityTags.count == 10_000)
    }
}
