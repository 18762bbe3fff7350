import Foundation
import PlantedSecrets
import Testing

@testable import HTTPArchive

@Suite(.limited) struct JSONEditorMembersTests {
    private func replacing(_ text: String, _ values: [String: JSONValue]) throws -> String {
        var editor = try JSONEditor(Data(text.utf8))
        editor.replaceMembers(values)
        return String(decoding: editor.text, as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"a":1,"b":2}"#, #"{"a":"x","b":2}"#),
        (#"{ "a" : [1, {"a":2}] , "b" : { "a" : {"a":null} } }"#, #"{ "a" : "x" , "b" : { "a" : "x" } }"#),
        (#"[{"a":true},[[{"b":[{"a":{}}]}]],"a",1]"#, #"[{"a":"x"},[[{"b":[{"a":"x"}]}]],"a",1]"#),
        (#"{"a":1,"a":[2],"c":{"a":-1.5e3}}"#, #"{"a":"x","a":"x","c":{"a":"x"}}"#),
        (#"{"\u0061":1,"A":2,"aa":3,"":4,"b":"a"}"#, #"{"\u0061":"x","A":2,"aa":3,"":4,"b":"a"}"#),
        (
            "\u{FEFF}{\n\t\"b\": \"\\u0041\\/\",\n\t\"a\":\n0\n}\n",
            "\u{FEFF}{\n\t\"b\": \"\\u0041\\/\",\n\t\"a\":\n\"x\"\n}\n"
        ),
        (#""a""#, #""a""#), (#"["a","a"]"#, #"["a","a"]"#), (#"{"\ud800a":1}"#, #"{"\ud800a":1}"#),
    ])
    func `every member with the name receives the new value, and all other bytes are unchanged`(
        text: String, expected: String
    ) throws {
        #expect(try replacing(text, ["a": "x"]) == expected)
    }

    @Test func `replacements are not searched, and several names can be replaced at once`() throws {
        let text = try replacing(
            #"{"a":1,"b":{"c":2},"d":3}"#, ["a": ["b": 0, "a": 0], "b": ["a": 7], "c": 9, "missing": 1])
        let value = try JSONValue(parsing: text)
        #expect(
            value == ["a": ["b": 0, "a": 0], "b": ["a": 7], "d": 3]
                || value == ["a": ["a": 0, "b": 0], "b": ["a": 7], "d": 3])
    }

    @Test func `names that only look alike are different`() throws {
        #expect(try replacing("{\"e\u{301}\":1,\"\u{E9}\":2}", ["\u{E9}": 0]) == "{\"e\u{301}\":1,\"\u{E9}\":0}")
    }

    @Test func `inserted text is ASCII if the document is not valid UTF-8`() throws {
        let latin = Data(#"{"name":"M"#.utf8) + [0xFC] + Data(#"ller","a":1}"#.utf8)
        var editor = try JSONEditor(latin)
        editor.replaceMembers(["a": "é😀\n"])
        #expect(editor.text == latin.dropLast(2) + Data(#""\u00e9\ud83d\ude00\n"}"#.utf8))
        try editor.set("ß", at: JSONPointer(["ö"]))
        #expect(editor.text.suffix(26) == Data(#"de00\n","\u00f6":"\u00df"}"#.utf8).suffix(26))
        let operations = try JSONPatch([["op": "copy", "from": "/name", "path": "/copy"]])
        try editor.apply(operations)
        #expect(editor.text.suffix(17) == Data(#","copy":"M"#.utf8) + [0xFC] + Data(#"ller"}"#.utf8))
        #expect(editor.text.prefix(latin.count - 2) == latin.dropLast(2))
    }

    @Test func `all bytes around a change are preserved`() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            let bytes = (0..<40).map { _ in UInt8.random(in: 0x20...0xFF, using: &generator) }
                .filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            let text = Data("[\"".utf8) + bytes + Data("\",{\"a\":".utf8)
            var editor = try JSONEditor(text + Data("0}]".utf8))
            editor.replaceMembers(["a": 1])
            #expect(editor.text == text + Data("1}]".utf8))
            try editor.set(2, at: JSONPointer(["1", "a"]))
            #expect(editor.text == text + Data("2}]".utf8))
        }
    }

    @Test func `a document with many members is changed completely`() throws {
        let record =
            #"{"id":17,"name":"someone","tags":["a","b"],"price":1.50,"nested":{"id":"x","deep":[[{"id":null}]]}},"#
        let count = 500
        var editor = try JSONEditor(Data(("[" + String(repeating: record, count: count) + "0]").utf8))
        editor.replaceMembers(["id": 1, "other": 2])
        let expected = record.replacing("17", with: "1").replacing("\"x\"", with: "1").replacing("null", with: "1")
        #expect(editor.text == Data(("[" + String(repeating: expected, count: count) + "0]").utf8))
    }
}
