import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct JSONEditorDepthTests {
    @Test(arguments: [("[", "]", "0"), ("{\"a\":", "}", "a"), ("{ \"b\":0 , \"a\" : ", "\n}", "a")])
    func `documents nested up to the limit can be changed at their deepest level`(
        open: String, close: String, name: String
    ) throws {
        let start = String(repeating: open, count: 512)
        let end = String(repeating: close, count: 512)
        let pointer = JSONPointer(Array(repeating: name, count: 512))
        var editor = try JSONEditor(Data("\(start)1\(end)".utf8))
        try editor.set("x", at: pointer)
        #expect(editor.text == Data("\(start)\"x\"\(end)".utf8))
        let error = #expect(throws: HARError.self) { try editor.set([], at: pointer) }
        #expect(error?.code == .limitExceeded)
        let place = JSONValue.string(JSONString(pointer.description))
        try editor.apply(JSONPatch([["op": "test", "path": place, "value": "x"], ["op": "remove", "path": place]]))
        #expect(editor.text.count <= start.utf8.count + end.utf8.count)
        #expect(throws: HARError.self) { try editor.remove(at: pointer) }
        let root = String(decoding: editor.text, as: UTF8.self)
        try editor.apply(JSONPatch(parsing: #"[{"op":"copy","from":"/\#(name)","path":""}]"#))
        #expect(root.contains(String(decoding: editor.text, as: UTF8.self)))
    }

    @Test func `setting a pointer deeper than the document fails, and a merge at the maximum depth succeeds`() throws {
        let text = String(repeating: "{\"a\":", count: 511) + "{\"b\":1}" + String(repeating: "}", count: 511)
        var editor = try JSONEditor(Data(text.utf8))
        let pointer = JSONPointer(Array(repeating: "a", count: 100_000))
        #expect(throws: HARError.self) { try editor.set(nil, at: pointer) }
        #expect(throws: HARError.self) { try editor.remove(at: pointer) }
        editor.merge(
            try JSONValue(parsing: text.replacing("1", with: "{}").replacing("\"b\":{}", with: "\"b\":null,\"c\":2")))
        #expect(editor.text == Data(text.replacing("\"b\":1", with: "\"c\":2").utf8))
        editor.replaceMembers(["c": ["d": [1]]])
        #expect(editor.text == Data(text.replacing("\"b\":1", with: "\"c\":{\"d\":[1]}").utf8))
        editor.replaceMembers(["a": 1])
        #expect(editor.text == Data("{\"a\":1}".utf8))
    }
}
