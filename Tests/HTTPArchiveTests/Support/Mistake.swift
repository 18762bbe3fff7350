import Testing

/// An invalid JSON text, and the position of its error as reported by Python's `json` module (3.11).
struct Mistake: Sendable, CustomTestStringConvertible {
    let text: String

    /// The line and the column in the text.
    let position: [Int]

    /// The line and the column in ``archive``.
    let positionInEntry: [Int]

    /// An archive whose second entry contains the text as a value.
    var archive: String { "{\"log\":{\"entries\":[{\"n\":1},\n {\"é\":\(text)}]}}" }

    var testDescription: String { text }

    init(_ text: String, _ position: (Int, Int), inEntry: (Int, Int)) {
        self.text = text
        self.position = [position.0, position.1]
        positionInEntry = [inEntry.0, inEntry.1]
    }
}

extension Mistake {
    static let all = [
        Mistake("{\"a\":1 \"b\":2}", (1, 8), inEntry: (2, 14)),
        Mistake("[1 2]", (1, 4), inEntry: (2, 10)),
        Mistake("{\"a\":1,}", (1, 8), inEntry: (2, 14)),
        Mistake("[1,]", (1, 4), inEntry: (2, 10)),
        Mistake("{\"a\" 1}", (1, 6), inEntry: (2, 12)),
        Mistake("{\"a\"}", (1, 5), inEntry: (2, 11)),
        Mistake("{'a':1}", (1, 2), inEntry: (2, 8)),
        Mistake("{a:1}", (1, 2), inEntry: (2, 8)),
        Mistake("[nul]", (1, 2), inEntry: (2, 8)),
        Mistake("[True]", (1, 2), inEntry: (2, 8)),
        Mistake("[nulx]", (1, 2), inEntry: (2, 8)),
        Mistake("[truex]", (1, 6), inEntry: (2, 12)),
        Mistake("[\"\\x\"]", (1, 3), inEntry: (2, 9)),
        Mistake("[\"a\\u12g4\"]", (1, 5), inEntry: (2, 11)),
        Mistake("[\"a\\u12\"]", (1, 5), inEntry: (2, 11)),
        Mistake("[\"a\\u0041", (1, 5), inEntry: (2, 8)),
        Mistake("[\"a\\", (1, 2), inEntry: (2, 10)),
        Mistake("[\"a\nb\"]", (1, 4), inEntry: (2, 10)),
        Mistake("[\"a\tb\"]", (1, 4), inEntry: (2, 10)),
        Mistake("[\"abc", (1, 2), inEntry: (2, 8)),
        Mistake("{\"abc", (1, 2), inEntry: (2, 8)),
        Mistake("[1,2", (1, 5), inEntry: (2, 11)),
        Mistake("{\"a\":1", (1, 7), inEntry: (2, 14)),
        Mistake("{\"a\":", (1, 6), inEntry: (2, 12)),
        Mistake("{\"a\"", (1, 5), inEntry: (2, 11)),
        Mistake("{", (1, 2), inEntry: (2, 9)),
        Mistake("[", (1, 2), inEntry: (2, 8)),
        Mistake("{\"a\":1}]", (1, 8), inEntry: (2, 14)),
        Mistake("{\"a\":1} x", (1, 9), inEntry: (2, 15)),
        Mistake("[1]\n\n[2]", (3, 1), inEntry: (4, 1)),
        Mistake("", (1, 1), inEntry: (2, 7)),
        Mistake("\n\n", (3, 1), inEntry: (4, 1)),
        Mistake("[01]", (1, 3), inEntry: (2, 9)),
        Mistake("[-01]", (1, 4), inEntry: (2, 10)),
        Mistake("[+1]", (1, 2), inEntry: (2, 8)),
        Mistake("[1.]", (1, 3), inEntry: (2, 9)),
        Mistake("[1.5.]", (1, 5), inEntry: (2, 11)),
        Mistake("[.5]", (1, 2), inEntry: (2, 8)),
        Mistake("[-]", (1, 2), inEntry: (2, 8)),
        Mistake("[-x]", (1, 2), inEntry: (2, 8)),
        Mistake("[1e]", (1, 3), inEntry: (2, 9)),
        Mistake("[1e+]", (1, 3), inEntry: (2, 9)),
        Mistake("[1.e5]", (1, 3), inEntry: (2, 9)),
        Mistake("[1.5e+x]", (1, 5), inEntry: (2, 11)),
        Mistake("[0x1]", (1, 3), inEntry: (2, 9)),
        Mistake("{\"a\":[1}", (1, 8), inEntry: (2, 14)),
        Mistake("[\"a\"}", (1, 5), inEntry: (2, 11)),
        Mistake("[{]}", (1, 3), inEntry: (2, 9)),
        Mistake("{\"a\":1]", (1, 7), inEntry: (2, 13)),
        Mistake("[1,,2]", (1, 4), inEntry: (2, 10)),
        Mistake("{\"a\":1,,\"b\":2}", (1, 8), inEntry: (2, 14)),
        Mistake("{,\"a\":1}", (1, 2), inEntry: (2, 8)),
        Mistake("[,1]", (1, 2), inEntry: (2, 8)),
        Mistake("{\"a\"::1}", (1, 6), inEntry: (2, 12)),
        Mistake("{\"a\":,}", (1, 6), inEntry: (2, 12)),
        Mistake(":", (1, 1), inEntry: (2, 7)),
        Mistake(",", (1, 1), inEntry: (2, 7)),
        Mistake("]", (1, 1), inEntry: (2, 7)),
        Mistake("}", (1, 1), inEntry: (2, 7)),
        Mistake("/* c */ 1", (1, 1), inEntry: (2, 7)),
        Mistake("[1, // c\n2]", (1, 5), inEntry: (2, 11)),
        Mistake("[1] # x", (1, 5), inEntry: (2, 11)),
        Mistake("{\"a\":1,\n  \"b\" 2}", (2, 7), inEntry: (3, 7)),
        Mistake("{\r\n  \"a\": 1\r\n  \"b\": 2\r\n}", (3, 3), inEntry: (4, 3)),
        Mistake("{\"é\": \"ü\" \"b\"}", (1, 11), inEntry: (2, 17)),
        Mistake("[\"é\", \"日本語\" 1]", (1, 13), inEntry: (2, 19)),
        Mistake("[\"😀\" 1]", (1, 6), inEntry: (2, 12)),
        Mistake("{\"a\":\n\n\"x\n\"}", (3, 3), inEntry: (4, 3)),
        Mistake("[\"a\" \"b]", (1, 6), inEntry: (2, 12)),
        Mistake("[\"a\"b\"]", (1, 5), inEntry: (2, 11)),
        Mistake("{\"a\":\"b,\"c\":\"d\"}", (1, 10), inEntry: (2, 16)),
        Mistake("{\"a\":b\",\"c\":\"d\"}", (1, 6), inEntry: (2, 12)),
        Mistake("tru", (1, 1), inEntry: (2, 7)),
        Mistake("\"abc", (1, 1), inEntry: (2, 7)),
        Mistake("12 3", (1, 4), inEntry: (2, 10)),
        Mistake("nullnull", (1, 5), inEntry: (2, 11)),
        Mistake("[1]]", (1, 4), inEntry: (2, 10)),
        Mistake("[\"\\ud800\\u12\"]", (1, 10), inEntry: (2, 16)),
        Mistake("[\"\\ud83d\\ude0\"]", (1, 10), inEntry: (2, 16)),
        Mistake("[\"\u{7F}\u{1F}\"]", (1, 4), inEntry: (2, 10)),
        Mistake("[1\u{0}]", (1, 3), inEntry: (2, 9)),
        Mistake("{\"a\":1 // x\n}", (1, 8), inEntry: (2, 14)),
        Mistake("[\n  1\n  2\n]", (3, 3), inEntry: (4, 3)),
        Mistake("{\"a\":[{\"b\":[1,2,{\"c\":tru}]}]}", (1, 22), inEntry: (2, 28)),
        Mistake("\"\\u", (1, 3), inEntry: (2, 9)),
        Mistake("\"\\u0041", (1, 3), inEntry: (2, 7)),
        Mistake("\"\\u00412\"x", (1, 10), inEntry: (2, 16)),
        Mistake("{\"a\":1,\"b\"}", (1, 11), inEntry: (2, 17)),
        Mistake("[1,2 ,\n\n", (3, 1), inEntry: (4, 1)),
        Mistake("{\"a\":1,  ", (1, 10), inEntry: (2, 16)),
        Mistake(" \n [1] \n x", (3, 2), inEntry: (4, 2)),
        Mistake("[1;2]", (1, 3), inEntry: (2, 9)),
        Mistake("{1:2}", (1, 2), inEntry: (2, 8)),
        Mistake("{null:1}", (1, 2), inEntry: (2, 8)),
        Mistake("[--1]", (1, 2), inEntry: (2, 8)),
        Mistake("[1-2]", (1, 3), inEntry: (2, 9)),
        Mistake("[1.2.3]", (1, 5), inEntry: (2, 11)),
        Mistake("[1E+]", (1, 3), inEntry: (2, 9)),
        Mistake("[0.]", (1, 3), inEntry: (2, 9)),
        Mistake("[-0.]", (1, 4), inEntry: (2, 10)),
        Mistake("[00]", (1, 3), inEntry: (2, 9)),
        Mistake("[1 ,]", (1, 5), inEntry: (2, 11)),
        Mistake("['a']", (1, 2), inEntry: (2, 8)),
        Mistake("[“a”]", (1, 2), inEntry: (2, 8)),
        Mistake("[«]", (1, 2), inEntry: (2, 8)),
        Mistake("[\"a\\U0041\"]", (1, 4), inEntry: (2, 10)),
        Mistake("[\"\\\"]", (1, 2), inEntry: (2, 8)),
        Mistake("[\"\\\\\\\"]", (1, 2), inEntry: (2, 8)),
        Mistake("[\"\(String(repeating: "x", count: 300))\" 1]", (1, 305), inEntry: (2, 311)),
        Mistake("[\"\(String(repeating: "é", count: 300))\\q\"]", (1, 303), inEntry: (2, 309)),
        Mistake("[\"\(String(repeating: "x", count: 300))", (1, 2), inEntry: (2, 8)),
    ]
}
