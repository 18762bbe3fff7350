import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct JSONEditorTests {
    /// Returns the text after a change.
    private func edit(_ text: String, _ change: (inout JSONEditor) throws -> Void) throws -> String {
        var editor = try JSONEditor(Data(text.utf8))
        try change(&editor)
        return String(decoding: editor.text, as: UTF8.self)
    }

    private func pointer(_ text: String) throws -> JSONPointer { try #require(JSONPointer(text: text)) }

    @Test(arguments: [
        "{}", " [ ] ", "\n{ \"a\" :\t1.50 , \"a\":\"\\u0041\\/\",\r\n\"b\":[ 1,2 ,{}]}\n", "17", " \"x\" ",
        "\u{FEFF}{\"a\":1}",
    ])
    func `text without changes is returned unchanged`(text: String) throws {
        #expect(try edit(text) { _ in } == text)
        #expect(try edit(text) { $0.replaceMembers(["none": 1]) } == text)
        #expect(try JSONEditor(Data(text.utf8)).text == Data(text.utf8))
        #expect(try edit(text) { $0.replaceMembers([:]) } == text)
    }

    @Test(arguments: ["", " ", "{", "[1,]", "{\"a\":1}}", "x", "\u{FEFF}", "1 2"])
    func `text that is not JSON is rejected`(text: String) {
        let error = #expect(throws: HARError.self) { _ = try JSONEditor(Data(text.utf8)) }
        #expect(error?.code == .malformedJSON)
    }

    @Test func `the offset in an error includes a byte order mark`() {
        let bare = #expect(throws: HARError.self) { _ = try JSONEditor(Data("[x]".utf8)) }
        let marked = #expect(throws: HARError.self) { _ = try JSONEditor(Data("\u{FEFF}[x]".utf8)) }
        #expect(marked?.context.byteOffset == bare?.context.byteOffset.map { $0 + 3 })
    }

    @Test(arguments: [
        // Replacing a value.
        ("{ \"a\" : 1.0 , \"b\":2 }", "/a", "9", "{ \"a\" : 9 , \"b\":2 }"),
        ("{\"a\":{\"b\":[1, 2 ,3]}}", "/a/b/1", "{}", "{\"a\":{\"b\":[1, {} ,3]}}"),
        (" {\"a\":1} ", "", "[true]", " [true] "),
        ("[[0],[1]]", "/1/0", "\"x\"", "[[0],[\"x\"]]"),
        ("{\"\":{\"\":1}}", "//", "2", "{\"\":{\"\":2}}"),
        ("{\"a/b\":{\"m~n\":1}}", "/a~1b/m~0n", "2", "{\"a/b\":{\"m~n\":2}}"),
        ("{\"\\u0061\":1}", "/a", "2", "{\"\\u0061\":2}"),
        ("{\"1\":0}", "/1", "2", "{\"1\":2}"),
        // Adding a member.
        ("{}", "/a", "1", "{\"a\":1}"),
        ("{ \n }", "/a", "1", "{\"a\":1}"),
        ("{\"a\":1}", "/b", "2", "{\"a\":1,\"b\":2}"),
        ("{\"a\": 1}", "/b", "2", "{\"a\": 1, \"b\": 2}"),
        ("{ \"a\" : 1 }", "/b", "2", "{ \"a\" : 1, \"b\" : 2 }"),
        ("{\"a\": 1 , \"b\": 2}", "/c", "3", "{\"a\": 1 , \"b\": 2 , \"c\": 3}"),
        ("{\n  \"a\": 1\n}\n", "/b", "2", "{\n  \"a\": 1,\n  \"b\": 2\n}\n"),
        ("{\r\n\t\"a\": 1,\r\n\t\"b\": 2\r\n}", "/c", "3", "{\r\n\t\"a\": 1,\r\n\t\"b\": 2,\r\n\t\"c\": 3\r\n}"),
        ("{\"x\": {\n    \"a\": 1\n  }}", "/x/q\"", "2", "{\"x\": {\n    \"a\": 1,\n    \"q\\\"\": 2\n  }}"),
        ("{\"a\":1}", "/-", "2", "{\"a\":1,\"-\":2}"),
        ("{\"a\":1}", "/01", "2", "{\"a\":1,\"01\":2}"),
        // Adding an element.
        ("[]", "/-", "1", "[1]"), ("[ ]", "/0", "1", "[1]"), ("[1]", "/1", "2", "[1,2]"),
        ("[ 1 ]", "/-", "2", "[ 1, 2 ]"), ("[1, 2]", "/2", "3", "[1, 2, 3]"),
        ("[\n 1,\n 2\n]", "/-", "[ 3 ]", "[\n 1,\n 2,\n [3]\n]"),
    ])
    func `a value is formatted like its neighbors`(
        text: String, place: String, value: String, expected: String
    ) throws {
        let pointer = try pointer(place)
        #expect(try edit(text) { try $0.set(JSONValue(parsing: value), at: pointer) } == expected)
    }

    @Test(arguments: [
        ("{\"a\":1}", "/a", "{}"), ("{ \"a\" : 1 }", "/a", "{}"), ("{\n  \"a\": 1\n}", "/a", "{}"),
        ("{\"a\":1,\"b\":2,\"c\":3}", "/a", "{\"b\":2,\"c\":3}"),
        ("{\"a\":1,\"b\":2,\"c\":3}", "/b", "{\"a\":1,\"c\":3}"),
        ("{\"a\":1,\"b\":2,\"c\":3}", "/c", "{\"a\":1,\"b\":2}"),
        ("{\"a\": 1, \"b\": 2}", "/a", "{\"b\": 2}"), ("{\"a\": 1, \"b\": 2}", "/b", "{\"a\": 1}"),
        ("{ \"a\":1 , \"b\":2 }", "/a", "{ \"b\":2 }"), ("{ \"a\":1 , \"b\":2 }", "/b", "{ \"a\":1 }"),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}", "/a", "{\n  \"b\": 2\n}"),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}", "/b", "{\n  \"a\": 1\n}"),
        ("{\n  \"a\": 1\n  , \"b\": 2\n}", "/b", "{\n  \"a\": 1\n}"),
        ("[1, 2, 3]", "/0", "[2, 3]"), ("[1, 2, 3]", "/1", "[1, 3]"), ("[1, 2, 3]", "/2", "[1, 2]"),
        ("[ [ 1 ] ]", "/0/0", "[ [] ]"), ("{\"a\":1,\"b\":2,\"a\":3}", "/a", "{\"b\":2}"),
    ])
    func `a value is removed along with one comma`(text: String, place: String, expected: String) throws {
        let pointer = try pointer(place)
        #expect(try edit(text) { try $0.remove(at: pointer) } == expected)
    }

    @Test func `a pointer refers to the last of several members with the same name`() throws {
        let pointer = try pointer("/a/x")
        let text = #"{"a":{"x":1},"a":{"x":2,"x":3},"b":0}"#
        #expect(try edit(text) { try $0.set(9, at: pointer) } == #"{"a":{"x":1},"a":{"x":2,"x":9},"b":0}"#)
    }

    @Test func `several changes can be made one after another`() throws {
        let text = try edit(#"{"a": {"b": [1, 2]}, "c": 3.0}"#) { editor in
            try editor.set([:], at: JSONPointer(["a", "d"]))
            try editor.set(["x": 1, "y": [true]], at: JSONPointer(["a", "d", "e"]))
            try editor.remove(at: JSONPointer(["a", "d", "e", "x"]))
            editor.replaceMembers(["y": "z"])
            try editor.set(7, at: JSONPointer(["a", "b", "-"]))
            editor.merge(["c": nil, "f": ["g": nil, "h": 1]])
        }
        #expect(text == #"{"a": {"b": [1, 2, 7], "d": {"e":{"y":"z"}}}, "f": {"h":1}}"#)
    }

    @Test func `the text can be a slice of a larger buffer`() throws {
        let bytes = Data("]]\u{FEFF} [1] ]]".utf8)
        var editor = try JSONEditor(bytes.dropFirst(2).dropLast(2))
        #expect(editor.text == Data("\u{FEFF} [1] ".utf8))
        try editor.set(2, at: JSONPointer(["0"]))
        #expect(editor.text == Data("\u{FEFF} [2] ".utf8))
    }

    @Test func `a copy is independent of later changes`() throws {
        var editor = try JSONEditor(Data(#"{"a":[1]}"#.utf8))
        try editor.set(2, at: JSONPointer(["a", "-"]))
        let copy = editor
        try editor.set(3, at: JSONPointer(["a", "0"]))
        try editor.remove(at: JSONPointer(["a", "1"]))
        #expect(copy.text == Data(#"{"a":[1,2]}"#.utf8))
        #expect(editor.text == Data(#"{"a":[3]}"#.utf8))
    }

    @Test func `parsed objects keep their text, and new values are written without whitespace`() throws {
        let read = try JSONValue(parsing: #"{ "a" : [ 1.50, "\u0041\/" ] }"#)
        #expect(try edit("[0]") { try $0.set(read, at: JSONPointer(["0"])) } == #"[{ "a" : [ 1.50, "\u0041\/" ] }]"#)
        let made: JSONValue = ["k": [read, nil], "s": "é"]
        let text = try edit("[0]") { try $0.set(made, at: JSONPointer(["0"])) }
        #expect(text == #"[{"k":[{ "a" : [ 1.50, "\u0041\/" ] },null],"s":"é"}]"#)
    }

    @Test(arguments: [
        (
            "{\"user\":{\"name\":\"secret\"}}", "/user/name/first",
            "/user/name exists, but /user/name/first does not: /user/name is a string."
        ),
        ("{\"user\":{}}", "/user/a/b", "/user exists, but /user/a does not: /user is an object without that member."),
        ("[1,2,3]", "/7", "/7 does not exist: the document is an array of 3 elements."),
        ("[[1],null]", "/1/0", "/1 exists, but /1/0 does not: /1 is null."),
        ("[[1],2]", "/0/x/y", "/0 exists, but /0/x does not: /0 is an array of 1 element."),
        ("17", "/a", "/a does not exist: the document is a number."),
    ])
    func `an error contains the existing part of a pointer`(text: String, place: String, message: String) throws {
        let pointer = try pointer(place)
        var editor = try JSONEditor(Data(text.utf8))
        let error = #expect(throws: HARError.self) { try editor.set("new", at: pointer) }
        #expect(error?.code == .editFailed)
        #expect(error?.message == message)
        #expect(error?.context.pointer == pointer)
        #expect(throws: HARError.self) { try editor.remove(at: pointer) }
        #expect(editor.text == Data(text.utf8))
    }

    @Test(arguments: [
        "/-1", "/00", "/01", "/+1", "/ 1", "/1 ", "/1e0", "/٣", "/99999999999999999999", "/4", "/1/-", "/-/-", "/",
    ])
    func `a change at an invalid array index fails`(place: String) throws {
        let pointer = try pointer(place)
        var editor = try JSONEditor(Data("[1,2,3]".utf8))
        #expect(throws: HARError.self) { try editor.set(0, at: pointer) }
        #expect(throws: HARError.self) { try editor.remove(at: pointer) }
        #expect(editor.text == Data("[1,2,3]".utf8))
    }

    @Test func `neither an element past the end nor the whole document can be removed`() throws {
        var editor = try JSONEditor(Data("[1]".utf8))
        for place in ["/-", "/1", ""] {
            let pointer = try pointer(place)
            let error = #expect(throws: HARError.self) { try editor.remove(at: pointer) }
            #expect(error?.code == .editFailed)
        }
    }
}
