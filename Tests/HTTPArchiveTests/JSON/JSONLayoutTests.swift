import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct JSONLayoutTests {
    private let value: JSONValue = ["a": [1, ["b": nil]], "c": [:], "d": [], "e": "x\n"]

    private func text(_ value: JSONValue, _ layout: JSONLayout) -> String {
        String(decoding: value.data(layout: layout), as: UTF8.self)
    }

    @Test func `compact text has no whitespace`() {
        #expect(text(value, .compact) == #"{"a":[1,{"b":null}],"c":{},"d":[],"e":"x\n"}"#)
    }

    @Test func `pretty text has one line per value, indented by two spaces`() {
        let lines = text(value, .pretty).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "{")
        #expect(lines.contains(#"  "a": ["#))
        #expect(lines.contains("    1,"))
        #expect(lines.contains(#"      "b": null"#))
        #expect(lines.contains(#"  "e": "x\n""#))
        #expect(lines.last == "")
    }

    @Test func `a parsed object keeps its text in the unchanged layout`() throws {
        let source = "{ \"a\" :\t[1 , {\"b\":2.0}],\r\n\"c\\/\":\"\\u0041\\/\" }"
        let value = try JSONValue(parsing: source)
        #expect(text(value, .unchanged).trimmingCharacters(in: .newlines) == source)
        #expect(text(value, .compact) == #"{"a":[1,{"b":2.0}],"c/":"A/"}"#)
    }

    @Test func `objects inside a changed object keep their text`() throws {
        var object = try #require(try JSONValue(parsing: #"{"a":{ "x" : "\u0041" },"b":[{ "y":1 }],"c":0}"#).object)
        object["c"] = 1
        let copy = text(.object(object), .unchanged)
        #expect(copy.contains(#"{ "x" : "\u0041" }"#))
        #expect(copy.contains(#"{ "y":1 }"#))
        #expect(try JSONValue(parsing: copy) == .object(object))
    }

    @Test func `empty containers are written without whitespace`() throws {
        for layout in [JSONLayout.compact, .pretty, .unchanged] {
            for value in [[:], [], [[]], [[:]], ["": []], ["": ""]] as [JSONValue] {
                #expect(try JSONValue(parsing: value.data(layout: layout)) == value)
            }
        }
        let lines = ["{", #"  "a": [],"#, #"  "b": {},"#, #"  "c": ["#, "    1", "  ]", "}", ""]
        #expect(text(["a": [], "b": [:], "c": [1]], .pretty) == lines.joined(separator: "\n"))
    }

    @Test func `names with a lone surrogate are written at every level and in every layout`() throws {
        let source = #"{"\ud800":1,"a":{"\ud801":{"\ud802":[{"\ud803":2},{"b":3,"\ud804":4,"c":5}]}},"\ud805":6}"#
        var object = try #require(try JSONValue(parsing: source).object)
        object["end"] = true
        let expected = try ReferenceJSON(parsing: source.dropLast() + #","end":true}"#)
        for layout in [JSONLayout.compact, .pretty, .unchanged] {
            #expect(try ReferenceJSON(parsing: JSONValue.object(object).data(layout: layout)) == expected)
        }
    }

    @Test func `values survive a round trip in every layout`() throws {
        let document = SampleDocument.everything.bytes
        let reference = try ReferenceJSON(parsing: document)
        let value = try JSONValue(parsing: Data(document))
        for layout in [JSONLayout.compact, .pretty, .unchanged] {
            #expect(try ReferenceJSON(parsing: value.data(layout: layout)) == reference)
        }
    }
}
