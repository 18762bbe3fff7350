import HTTPArchive
import Testing

@Suite(.limited) struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "abc", 3), ("same", "same", 0), ("item", "items", 1), ("redd", "red", 1),
        ("shpo", "shop", 1), ("kitten", "sitting", 3), ("ca", "abc", 3), ("é", "e", 2),
    ])
    func `the distance counts insertions, deletions, substitutions and transpositions`(
        first: String, second: String, expected: Int
    ) {
        #expect(EditDistance.distance(first, second) == expected)
        #expect(EditDistance.distance(second, first) == expected)
    }

    @Test func `equal strings have a similarity of 1, and different strings have a lower similarity`() {
        #expect(EditDistance.similarity("", "") == 1)
        #expect(EditDistance.similarity("abcd", "abcd") == 1)
        #expect(EditDistance.similarity("abcd", "abcx") == 0.75)
        #expect(EditDistance.similarity("abc", "xyz") == 0)
        #expect(EditDistance.similarity(String(repeating: "a", count: 10_000), "b") == 0)
    }

    @Test func `a name is suggested only if it is similar`() {
        let names = ["shop", "sale", "users/anna"]
        #expect(EditDistance.nearest(to: "Shpo", in: names) == "shop")
        #expect(EditDistance.nearest(to: "users/ana", in: names) == "users/anna")
        #expect(EditDistance.nearest(to: "weather", in: names) == nil)
        #expect(EditDistance.nearest(to: "", in: names) == nil)
        #expect(EditDistance.nearest(to: "x", in: [String]()) == nil)
    }
}
