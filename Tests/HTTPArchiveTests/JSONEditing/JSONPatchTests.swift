import HTTPArchive
import Testing

@Suite(.limited) struct JSONPatchTests {
    @Test(arguments: [
        #"{"op":"add"}"#, #"{}"#, "1", #"{"op":1,"path":""}"#, #"{"op":"add","path":""}"#, #"{"op":"spam","path":""}"#,
        #"{"op":"Add","path":"","value":1}"#, #"{"op":"remove","path":"a"}"#, #"{"op":"remove","path":"/a~2"}"#,
        #"{"op":"remove","path":"/a~"}"#, #"{"op":"remove","path":null}"#, #"{"op":"move","path":"/a"}"#,
        #"{"op":"copy","path":"/a","from":"b"}"#, #"{"op":"move","from":"/a","path":"/a/b"}"#,
        #"{"op":"move","from":"","path":"/a"}"#, #"{"op":"remove","path":"/\ud800"}"#, #"{"op":"test","path":"/a"}"#,
        // RFC 6902, appendix A.13.
        #"{ "op": "add", "path": "/baz", "value": "qux", "op": "remove" }"#,
        #"{"op":"remove","path":"/a","path":"/b"}"#, #"{"op":"add","path":"/a","value":1,"value":2}"#,
    ])
    func `an invalid operation is identified by its index`(operation: String) {
        let text = #"[{"op":"remove","path":"/secret"},\#(operation)]"#
        let error = #expect(throws: HARError.self) { _ = try JSONPatch(parsing: text) }
        #expect(error?.code == .invalidRule)
        #expect(error?.message.hasPrefix("Operation 1 of the JSON Patch is invalid: ") == true)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(arguments: ["{}", "null", "\"x\"", "[", "", #"{"op":"remove","path":"/a"}"#])
    func `a patch that is not an array is rejected`(text: String) {
        let error = #expect(throws: HARError.self) { _ = try JSONPatch(parsing: text) }
        #expect(error?.code == .invalidRule)
    }

    @Test func `the location of invalid JSON is reported`() {
        let error = #expect(throws: HARError.self) { _ = try JSONPatch(parsing: "[\n x]") }
        #expect(error?.context.line == 2)
        #expect((error?.underlying as? HARError)?.code == .malformedJSON)
    }

    @Test func `patches are equal if their operations are equal`() throws {
        let patch = try JSONPatch(parsing: #"[ {"op":"add", "path":"/a", "value":{ "b":1 }} ]"#)
        #expect(try patch == JSONPatch([["value": ["b": 1], "op": "add", "path": "/a", "note": nil]]))
        #expect(try patch != JSONPatch([["value": ["b": 2], "op": "add", "path": "/a"]]))
        #expect(try patch != JSONPatch([["value": ["b": 1], "op": "replace", "path": "/a"]]))
        #expect(try JSONPatch([]) == JSONPatch(parsing: "[]"))
        #expect(try JSONPatch([["op": "move", "from": "/a", "path": "/ab"]]) != JSONPatch([]))
    }
}
