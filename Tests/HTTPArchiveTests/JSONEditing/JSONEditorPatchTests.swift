import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct JSONEditorPatchTests {
    private func patch(_ text: String, _ patch: String) throws -> String {
        var editor = try JSONEditor(Data(text.utf8))
        try editor.apply(JSONPatch(parsing: patch))
        return String(decoding: editor.text, as: UTF8.self)
    }

    /// The examples in RFC 6902, appendix A, except that added members come last in the expected results.
    @Test(arguments: [
        // A.1 to A.7
        (#"{ "foo": "bar"}"#, #"[{ "op": "add", "path": "/baz", "value": "qux" }]"#, #"{ "foo": "bar", "baz": "qux"}"#),
        (
            #"{ "foo": [ "bar", "baz" ] }"#, #"[{ "op": "add", "path": "/foo/1", "value": "qux" }]"#,
            #"{ "foo": [ "bar", "qux", "baz" ] }"#
        ),
        (#"{"baz": "qux", "foo": "bar"}"#, #"[{ "op": "remove", "path": "/baz" }]"#, #"{"foo": "bar"}"#),
        (
            #"{ "foo": [ "bar", "qux", "baz" ] }"#, #"[{ "op": "remove", "path": "/foo/1" }]"#,
            #"{ "foo": [ "bar", "baz" ] }"#
        ),
        (
            #"{ "baz": "qux", "foo": "bar"}"#, #"[{ "op": "replace", "path": "/baz", "value": "boo" }]"#,
            #"{ "baz": "boo", "foo": "bar"}"#
        ),
        (
            #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
            #"[{ "op": "move", "from": "/foo/waldo", "path": "/qux/thud" }]"#,
            #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
        ),
        (
            #"{ "foo": [ "all", "grass", "cows", "eat" ] }"#,
            #"[{ "op": "move", "from": "/foo/1", "path": "/foo/3" }]"#,
            #"{ "foo": [ "all", "cows", "eat", "grass" ] }"#
        ),
        // A.8
        (
            #"{"baz":"qux","foo":["a",2,"c"]}"#,
            #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
            #"{"baz":"qux","foo":["a",2,"c"]}"#
        ),
        // A.10, A.11, A.14, A.16
        (
            #"{ "foo": "bar" }"#, #"[{ "op": "add", "path": "/child", "value": { "grandchild": { } } }]"#,
            #"{ "foo": "bar", "child": { "grandchild": { } } }"#
        ),
        (
            #"{ "foo": "bar" }"#, #"[{ "op": "add", "path": "/baz", "value": "qux", "xyz": 123 }]"#,
            #"{ "foo": "bar", "baz": "qux" }"#
        ),
        (#"{ "/": 9, "~1": 10 }"#, #"[{"op": "test", "path": "/~01", "value": 10}]"#, #"{ "/": 9, "~1": 10 }"#),
        (
            #"{ "foo": ["bar"] }"#, #"[{ "op": "add", "path": "/foo/-", "value": ["abc", "def"] }]"#,
            #"{ "foo": ["bar",["abc","def"]] }"#
        ),
    ])
    func `the successful examples in RFC 6902 have the documented results`(
        text: String, operations: String, expected: String
    ) throws {
        #expect(try patch(text, operations) == expected)
    }

    @Test(arguments: [
        // A.9, A.12, A.15
        (#"{ "baz": "qux" }"#, #"[{ "op": "test", "path": "/baz", "value": "bar" }]"#),
        (#"{ "foo": "bar" }"#, #"[{ "op": "add", "path": "/baz/bat", "value": "qux" }]"#),
        (#"{ "/": 9, "~1": 10 }"#, #"[{"op": "test", "path": "/~01", "value": "10"}]"#),
    ])
    func `the failing examples in RFC 6902 are errors`(text: String, operations: String) throws {
        let error = #expect(throws: HARError.self) { _ = try patch(text, operations) }
        #expect(error?.code == .editFailed)
    }

    @Test(arguments: [
        ("1", #"[{"op":"add","path":"","value":[2]},{"op":"add","path":"/0","value":1}]"#, "[1,2]"),
        (#"{"a":1,"b":2}"#, #"[{"op":"add","path":"/a","value":3}]"#, #"{"a":3,"b":2}"#),
        ("[1]", #"[{"op":"copy","from":"","path":"/-"},{"op":"copy","from":"","path":"/0"}]"#, "[[1,[1]],1,[1]]"),
        (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
        (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":""}]"#, "1"),
        (#"{"a":1,"b":2}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1,"b":2}"#),
        (#"{"a":1,"b":2,"a":3}"#, #"[{"op":"move","from":"/a","path":"/c"}]"#, #"{"b":2,"c":3}"#),
        (
            #"{"a":{ "x" : "\u0041" }}"#,
            #"[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/y","value":0}]"#,
            #"{"a":{ "x" : "\u0041" },"b":{ "x" : "\u0041", "y" : 0 }}"#
        ),
        ("{}", "[]", "{}"),
        ("[1, 2]", #"[{"op":"add","path":"/0","value":0}]"#, "[0, 1, 2]"),
        ("[\n 1\n]", #"[{"op":"add","path":"/0","value":0}]"#, "[\n 0,\n 1\n]"),
        ("[0]", #"[{"op":"replace","path":"/0","value":null}]"#, "[null]"),
    ])
    func `operations are applied in order`(text: String, operations: String, expected: String) throws {
        #expect(try patch(text, operations) == expected)
    }

    @Test(arguments: [
        ("[1]", "[1.0]"), (#"{"a":1,"b":[]}"#, #"{"b":[],"a":10e-1}"#), (#""\u0041""#, #""A""#), ("-0", "0"),
        ("100000000000000000000000000000001", "100000000000000000000000000000001.0"), ("null", "null"),
    ])
    func `a test operation compares values, not their spelling`(value: String, other: String) throws {
        _ = try patch(value, #"[{"op":"test","path":"","value":\#(other)}]"#)
    }

    @Test(arguments: [
        ("[1,2]", "[2,1]"), ("1", "true"), ("0", "false"), ("null", "false"), ("\"1\"", "1"), ("{}", "[]"),
        ("100000000000000000000000000000001", "100000000000000000000000000000002"), ("{\"a\":1}", "{}"),
    ])
    func `a test operation distinguishes different values`(value: String, other: String) {
        #expect(throws: HARError.self) { _ = try patch(value, #"[{"op":"test","path":"","value":\#(other)}]"#) }
        #expect(throws: HARError.self) { _ = try patch(other, #"[{"op":"test","path":"","value":\#(value)}]"#) }
    }

    @Test func `a failing operation leaves the text unchanged, and its error contains no values`() throws {
        var editor = try JSONEditor(Data(#"{"a": {"b": "secret"}}"#.utf8))
        let operations = try JSONPatch(
            parsing: #"""
                [{"op":"add","path":"/c","value":"hidden"},{"op":"remove","path":"/a/b"},
                {"op":"replace","path":"/a/b","value":"hidden"}]
                """#)
        let error = #expect(throws: HARError.self) { try editor.apply(operations) }
        #expect(
            error?.message
                == "Operation 2 (replace /a/b): /a exists, but /a/b does not: /a is an object without that member.")
        #expect(error?.context.pointer == JSONPointer(["a", "b"]))
        #expect(String(decoding: editor.text, as: UTF8.self) == #"{"a": {"b": "secret"}}"#)
        let test = try JSONPatch([["op": "test", "path": "/a", "value": "hidden"]])
        let failure = #expect(throws: HARError.self) { try editor.apply(test) }
        #expect(failure?.message == "Operation 0 (test /a): The value differs from the expected value.")
    }

    @Test(arguments: [
        ("[1]", #"{"op":"add","path":"/2","value":0}"#), ("[1]", #"{"op":"replace","path":"/-","value":0}"#),
        ("[1]", #"{"op":"replace","path":"/1","value":0}"#), ("[1]", #"{"op":"remove","path":"/-"}"#),
        ("{}", #"{"op":"replace","path":"/a","value":0}"#), ("{}", #"{"op":"remove","path":""}"#),
        ("{}", #"{"op":"move","from":"/a","path":"/a"}"#), ("{}", #"{"op":"copy","from":"/a","path":"/b"}"#),
        ("[1]", #"{"op":"move","from":"/0","path":"/1"}"#), ("[1]", #"{"op":"test","path":"/-","value":1}"#),
    ])
    func `an operation at a pointer that does not exist fails`(text: String, operation: String) throws {
        let error = #expect(throws: HARError.self) { _ = try patch(text, "[\(operation)]") }
        #expect(error?.code == .editFailed)
    }

    @Test func `copy operations that repeatedly double the document are limited`() throws {
        var editor = try JSONEditor(Data(#"{"a":0}"#.utf8))
        let copy: JSONValue = ["op": "copy", "from": "", "path": "/a"]
        let deep = try JSONPatch(.array(Array(repeating: copy, count: 600)))
        let error = #expect(throws: HARError.self) { try editor.apply(deep) }
        #expect(error?.code == .limitExceeded)
        #expect(editor.text == Data(#"{"a":0}"#.utf8))
    }
}
