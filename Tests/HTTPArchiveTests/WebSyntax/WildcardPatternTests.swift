import HTTPArchive
import PlantedSecrets
import Testing

@Suite(.limited) struct WildcardPatternTests {
    @Test(arguments: [
        ("", "", true), ("", "a", false), ("a", "a", true), ("a", "A", false), ("a", "ab", false), ("*", "", true),
        ("*", "ab", true), ("*", "a/b", false), ("*", "a?b", false), ("**", "a/b?c", true), ("a*", "a", true),
        ("*b", "abab", true), ("a*b*c", "aXbXbXc", true), ("a*b*c", "aXb/Xc", false), ("a*b**c", "aXb/Xc", true),
        ("**/c", "a/b/c", true), ("**/c", "c", false), ("**/*.js", "a/b/c.js", true), ("**/*.js", "a/b.js?x", false),
        ("**.js**", "a/b.js?x", true), ("a/*/c", "a/b/c", true), ("a/*/c", "a/b/b/c", false), ("***", "a/b", true),
        ("a?b", "a?b", true), ("a?b", "axb", false), ("é*", "éa", true), ("[a]", "a", false), ("**a*/b", "a/a/b", true),
    ])
    func `a pattern matches the whole text`(pattern: String, text: String, fits: Bool) {
        #expect(WildcardPattern(pattern, separators: "/?").matches(text) == fits)
    }

    @Test func `one asterisk is equivalent to two if there are no separators`() {
        #expect(WildcardPattern("*.test", separators: "").matches("a/b.test"))
    }

    @Test func `matching agrees with an exhaustive search`() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            let pattern = Self.text("ab/**", upTo: 8, using: &generator)
            let text = Self.text("aab/", upTo: 10, using: &generator)
            let expected = Self.fits(Array(pattern)[...], Array(text)[...])
            #expect(WildcardPattern(pattern, separators: "/").matches(text) == expected, "\(pattern) \(text)")
        }
    }

    private static func text(
        _ letters: String, upTo count: Int, using generator: inout SeededGenerator
    ) -> String {
        let count = Int.random(in: 0...count, using: &generator)
        return String((0..<count).compactMap { _ in letters.randomElement(using: &generator) })
    }

    /// Returns whether a pattern matches a string, by exhaustive search.
    private static func fits(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        guard first == "*" else { return text.first == first && fits(pattern.dropFirst(), text.dropFirst()) }
        let stars = pattern.prefix { $0 == "*" }.count
        let rest = pattern.dropFirst(stars)
        return (0...text.count).contains { count in
            (stars > 1 || !text.prefix(count).contains("/")) && fits(rest, text.dropFirst(count))
        }
    }
}
