import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct JSONEditorMergeTests {
    private func merge(_ text: String, _ patch: String) throws -> String {
        var editor = try JSONEditor(Data(text.utf8))
        editor.merge(try JSONValue(parsing: patch))
        return String(decoding: editor.text, as: UTF8.self)
    }

    /// The examples in RFC 7396, appendix A.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#), (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#), ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `the examples in RFC 7396 have the documented results`(text: String, patch: String, expected: String) throws {
        #expect(try merge(text, patch) == expected)
    }

    @Test func `the example in RFC 7396, section 3, keeps members that are not in the patch`() throws {
        let text = """
            {
              "title": "Goodbye!",
              "author" : {
                "givenName" : "John",
                "familyName" : "Doe"
              },
              "tags":[ "example", "sample" ],
              "content": "This will be \\u0075nchanged"
            }
            """
        let patch =
            #"{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}"#
        let expected = """
            {
              "title": "Hello!",
              "author" : {
                "givenName" : "John"
              },
              "tags":["example"],
              "content": "This will be \\u0075nchanged",
              "phoneNumber": "+01-123-456-7890"
            }
            """
        #expect(try merge(text, patch) == expected)
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":{"b":{"c":1,"d":null}},"a2":{}}"#, #"{"a":{"b":{"c":1}},"a2":{}}"#),
        (#"{ "a":1.0 }"#, "{}", #"{ "a":1.0 }"#), ("[1]", "{}", "{}"), (" 1 ", "2", " 2 "),
        (#"{"a":1,"b":2,"a":3}"#, #"{"a":4}"#, #"{"a":1,"b":2,"a":4}"#),
        (#"{"a":1,"b":2,"a":3}"#, #"{"a":null}"#, #"{"b":2}"#),
        (#"{"a":1}"#, #"{"a":null,"a":2}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"a":2,"a":null}"#, "{}"),
        (
            #"{"a":{},"b":{"x":1},"c":{}}"#, #"{"b":{"y":2},"a":null,"c":{"z":[null]}}"#,
            #"{"b":{"x":1,"y":2},"c":{"z":[null]}}"#
        ),
    ])
    func `members are set, removed and merged`(text: String, patch: String, expected: String) throws {
        #expect(try merge(text, patch) == expected)
    }
}
