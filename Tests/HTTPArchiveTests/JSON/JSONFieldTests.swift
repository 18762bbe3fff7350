import PlantedSecrets
import TestSupport
import Testing

@testable import HTTPArchive

@Suite(.limited) struct JSONFieldTests {
    private static let names: [StaticString] = [
        "", "a", "b", "url", "name", "value", "comment", "httpVersion", "_blocked_queueing", "startedDateTime", "größe",
        #"a\"#, #"\u0061"#, "a name that is longer than both words that are compared",
    ]

    /// Names as spelled in files, with escape sequences and invalid text.
    private static let spellings =
        names.dropLast(3).map { "\($0)" } + [
            #"\u0061"#, #"n\u0061me"#, #"\u0075rl"#, #"gr\u00f6\u00dfe"#, #"a\\"#, #"\\u0061"#, #"\ud800"#,
            #"na\ud800e"#,
            "a name that is longer than both words that are compared",
        ]

    private static let values = [
        "1", "-0", "1.0", "1.5", "1e3", "-2.5e-3", "9223372036854775808", "12345678901234567890", "1e400", "null",
        "true",
        "false", #""200""#, #"" 12,5 ""#, #""\u0032e\u0032""#, #""NaN""#, #""""#, #""text""#, #""\u0061\n""#,
        #""\ud800""#, "[]", "{}", #"[1,{"a":1},[{}],{}]"#,
        #"{"a":{"b":[]}}"#,
    ]

    /// Expects both objects to return the same values for every kind of field.
    private func expectEqualFields(_ object: JSONObject, _ other: JSONObject) {
        for name in Self.names {
            #expect(object.text(name).map { Array($0.utf8) } == other.text(name).map { Array($0.utf8) })
            #expect(object.int(name) == other.int(name))
            #expect(object.double(name)?.bitPattern == other.double(name)?.bitPattern)
            #expect(object.bool(name) == other.bool(name))
            #expect(object.object(name) == other.object(name))
            #expect(object.objects(name) { $0 } == other.objects(name) { $0 })
            #expect(object[name.description] == other[name.description])
        }
    }

    @Test(arguments: [(",", ":"), (", ", ": "), (" ,\n\t", " :\r\n ")])
    func `a parsed object and its members have equal fields`(comma: String, colon: String) throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<Cases.count(500, orAll: 2_000) {
            let members = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                let spelling = Self.spellings.randomElement(using: &generator) ?? ""
                return "\"\(spelling)\"\(colon)\(Self.values.randomElement(using: &generator) ?? "")"
            }
            let read = try #require(try JSONValue(parsing: "{\(members.joined(separator: comma))}").object)
            expectEqualFields(read, JSONObject(members: read.members))
        }
    }

    @Test func `tokens without string sizes produce the same fields`() throws {
        let text = #"{"name":"te\"xt","n\u0061me":"last", "url" : "" ,"comment":"plain","a\"":1,"größe":"ö"}"#
        let read = try #require(try JSONValue(parsing: text).object)
        let source = try #require(read.node).source
        let tokens = source.tokens.map { token in
            var token = token
            if token.kind == .string || token.kind == .key { token.next = 0 }
            return token
        }
        let bare = JSONObject(node: JSONSource(bytes: source.bytes, tokens: tokens, offset: 0).root)
        expectEqualFields(bare, read)
        #expect(bare.text("name") == "last")
    }
}
