import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct JSONPatchDifferenceTests {
    @Test(arguments: [
        ("{}", "{}"), ("1", "2"), ("1", "1"), (#"{"a":1}"#, #"{"b":1}"#), ("[1,2,3]", "[1,3]"), ("[1,2]", "[0,1,2]"),
        ("[]", "[1,2]"), ("[1,2]", "[]"), ("[1,1,1]", "[1,1]"), (#"{"a":{"b":[{"c":1}]}}"#, #"{"a":{"b":[{"c":2}]}}"#),
        (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), (#"{"a":[1]}"#, #"{"a":{"0":1}}"#), (#"{"a/~":1}"#, #"{"a/~":2}"#),
    ])
    func `applying a patch to the first value produces the second value`(old: String, new: String) throws {
        var editor = try JSONEditor(Data(old.utf8))
        try editor.apply(JSONPatch(from: JSONValue(parsing: old), to: JSONValue(parsing: new)))
        #expect(try JSONValue(parsing: editor.text).canonicalText() == JSONValue(parsing: new).canonicalText())
    }

    @Test func `patches transform random values into each other`() throws {
        var random = RandomJSON(seed: 11)
        for _ in 0..<300 {
            let (old, new) = try (
                JSONValue(parsing: random.document(.compact)), JSONValue(parsing: random.document(.compact))
            )
            var editor = try JSONEditor(old.data())
            try editor.apply(JSONPatch(from: old, to: new))
            let isEqual = try JSONValue(parsing: editor.text).canonicalText() == new.canonicalText()
            #expect(isEqual)
        }
    }

    @Test func `the patch between equal values is empty`() throws {
        let value = try JSONValue(parsing: #"{"a":[1,{"b":null}],"c":"d"}"#)
        #expect(JSONPatch(from: value, to: value).steps.isEmpty)
    }
}
