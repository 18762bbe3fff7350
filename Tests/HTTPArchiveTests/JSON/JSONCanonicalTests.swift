import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct JSONCanonicalTests {
    private func canonical(_ text: String, ignoring ignored: [String] = []) throws -> Data {
        try JSONValue(parsing: text).canonicalText(ignoring: ignored.map { try #require(JSONPointer(text: $0)) })
    }

    @Test(arguments: [
        ["1", "1.0", "1e0", "10e-1", "0.1e1", "1E+00", "0.00001e5", "1.000e-0"], ["0", "-0", "0.0", "0e99", "-0.0e-5"],
        ["-15e-1", "-1.5", "-0.15E1", "-150e-2"], ["100", "1e2", "1E+2", "0.1e0003"],
        ["123456789012345678901234567890", "12345678901234567890123456789e1", "123456789012345678901234567890.000"],
        [
            "1e1000000000000000000000", "10e999999999999999999999", "0.1e1000000000000000000001",
            "100e0999999999999999999998",
        ],
        ["1e-1000000000000000000000", "10e-1000000000000000000001", "0.01e-999999999999999999998"],
        ["1e999999999999999999", "0.1e1000000000000000000", "10e999999999999999998"],
        ["1e99999999999999999", "0.1e100000000000000000", "10e99999999999999998"],
        [#""A/é😀""#, #""\u0041\/\u00e9\ud83d\uDE00""#], [#""\"\\\n\u0000""#, #""\u0022\u005c\u000a\u0000""#],
        [#""\ud800A""#, #""\uD800\u0041""#], [#"{"a":1,"b":[2,{}]}"#, #"{ "b" : [2.0,{ }], "\u0061":1e0}"#],
        [#"{"a":1,"b":2}"#, #"{"b":1,"a":1,"b":2}"#, #"{"a":7,"\u0062":2,"a":1}"#], ["[ ]", "[]"], ["null", " null "],
    ])
    func `all spellings of a value have the same canonical text`(spellings: [String]) throws {
        #expect(try Set(spellings.map { try canonical($0) }).count == 1)
    }

    @Test func `different values have different canonical text`() throws {
        let values = [
            "1", "-1", "10", "1.1", "1e1000000000000000000000", "1e-1000000000000000000000", "1e1000000000000000000001",
            "0", "true", "false", "null", "\"\"", "\"1\"", "\"null\"", "[]", "{}", "[[]]", "[{}]", "[1]", "[1,1]",
            "[11]",
            "[null]", #"{"a":1}"#, #"{"a":"1"}"#, #"{"a":[1]}"#, #"{"a":{"b":1}}"#, #"{"a":{},"b":1}"#, #"{"b":1}"#,
            #"{"":1}"#, #""\ud800""#, #""\\ud800""#, #""\udc00""#, "\"\u{FFFD}\"", #""a\"b""#, #""a\\\"b""#,
            "\"e\u{301}\"",
            "\"\u{E9}\"", "100000000000000000000000000000001", "100000000000000000000000000000002", "[1,2]", "[2,1]",
            #"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#, #"{"a,b":2}"#, #"{"a\":1,\"b":2}"#, #"["a","b"]"#, #"["a\",\"b"]"#,
        ]
        #expect(try Set(values.map { try canonical($0) }).count == values.count)
    }

    @Test func `values created in code have the same canonical text as parsed values`() throws {
        let made: JSONValue = ["b": [1, nil, "x\n"], "a": ["c": 2.5]]
        #expect(try made.canonicalText() == canonical(#"{"a":{"c":25e-1},"b":[1,null,"x\u000a"]}"#))
        #expect(made["b"]?.canonicalText() == Data(#"[1,null,"x\u000a"]"#.utf8))
    }

    @Test func `members excluded by name, index or wildcard are ignored`() throws {
        let text = #"{"id":1,"items":[{"id":2,"n":"a"},{"id":3,"n":"b"}]}"#
        let other = #"{"items":[{"n":"a","id":9},{"n":"b"}],"id":{}}"#
        #expect(
            try canonical(text, ignoring: ["/id", "/items/*/id"]) == canonical(other, ignoring: ["/id", "/items/*/id"]))
        #expect(try canonical(text, ignoring: ["/**/id"]) == canonical(other, ignoring: ["/**/id"]))
        #expect(try canonical(text, ignoring: ["/items/**/**/id"]) != canonical(other, ignoring: ["/items/**/**/id"]))
        #expect(try canonical(text, ignoring: ["/id"]) != canonical(other, ignoring: ["/id"]))
        #expect(try canonical(text, ignoring: ["/*/*/id"]) != canonical(other, ignoring: ["/*/*/id"]))
        #expect(
            try canonical(text, ignoring: ["/id", "/items/0/id"]) != canonical(other, ignoring: ["/id", "/items/0/id"]))
        #expect(try canonical(text, ignoring: ["/*"]) == Data("{}".utf8))
        #expect(try canonical(text, ignoring: [""]) == Data())
        #expect(try canonical(text, ignoring: ["/no/such", "/items/7", "/items/00", "/ID"]) == canonical(text))
        #expect(try canonical(#"["a","b","c"]"#, ignoring: ["/1"]) == Data(#"["a","c"]"#.utf8))
        #expect(try canonical(#"{"*":1,"a/b":2}"#, ignoring: ["/a~1b"]) == Data(#"{"*":1}"#.utf8))
    }

    @Test func `values nested up to the depth limit have a canonical text`() throws {
        try onLargeStack {
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                let text = String(repeating: open, count: 512) + "1" + String(repeating: close, count: 512)
                let bytes = try JSONValue(parsing: " \(text)\n").canonicalText()
                #expect(bytes == Data(text.utf8))
            }
        }
    }
}
