import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct JSONObjectTests {
    private func object(_ text: String) throws -> JSONObject {
        try #require(try JSONValue(parsing: text).object)
    }

    private func text(_ object: JSONObject) -> String {
        String(decoding: JSONValue.object(object).data(), as: UTF8.self)
    }

    @Test func `members keep their order, including duplicate names`() throws {
        let object = try object(#"{"z":1,"a":2,"z":3,"":4,"a":{}}"#)
        #expect(object.members.map(\.name.text) == ["z", "a", "z", "", "a"])
        #expect(object["z"] == 3)
        #expect(object["a"] == [:])
        #expect(object[""] == 4)
        #expect(object["b"] == nil)
        #expect(text(object) == #"{"z":1,"a":2,"z":3,"":4,"a":{}}"#)
    }

    @Test func `members are found before and after containers with members of the same names`() throws {
        let object = try object(
            #"{"":"first","a":{"b":1},"b":{"a":[{"c":2},[]],"d":{}},"c":[[{"d":3}]],"\u0064":[],"e":{"a":4}}"#)
        #expect(object[""] == "first")
        #expect(object["a"] == ["b": 1])
        #expect(object["b"]?["a"] == [["c": 2], []])
        #expect(object["b"]?["d"] == [:])
        #expect(object["b"]?["b"] == nil)
        #expect(object["c"]?[0]?[0]?["d"] == 3)
        #expect(object["d"] == [])
        #expect(object["e"]?["a"] == 4)
        #expect(object["f"] == nil)
    }

    @Test func `setting a member replaces only the last member with that name`() throws {
        var object = try object(#"{"z":1,"a":2.50,"z":"\ud800","b":[1e9]}"#)
        object["z"] = 5
        #expect(text(object) == #"{"z":1,"a":2.50,"z":5,"b":[1e9]}"#)
        object["a"] = nil
        #expect(text(object) == #"{"z":1,"z":5,"b":[1e9]}"#)
        object["new"] = "x"
        #expect(text(object) == #"{"z":1,"z":5,"b":[1e9],"new":"x"}"#)
        object["z"] = nil
        #expect(text(object) == #"{"b":[1e9],"new":"x"}"#)
        object["b"] = nil
        object["new"] = nil
        #expect(text(object) == "{}")
    }

    @Test func `a copy is independent of later changes`() throws {
        let original = try object(#"{"a":{"b":1}}"#)
        var copy = original
        copy["a"] = 2
        #expect(original["a"]?["b"] == 1)
        #expect(copy["a"] == 2)
    }

    @Test func `lone surrogates and invalid bytes around a change are preserved, in keys and values`() throws {
        for source in [#"\ud800"#, #"x\"\udc00"#, #"\/\ud83d\n"#] {
            var object = try object(#"{"\#(source)":"\#(source)","a":1,"b":{"\#(source)":["\#(source)"]}}"#)
            object["a"] = 2
            #expect(text(object) == #"{"\#(source)":"\#(source)","a":2,"b":{"\#(source)":["\#(source)"]}}"#)
        }
    }

    @Test func `a name is found regardless of escape sequences`() throws {
        var object = try object(#"{"\u0061\/b":1,"\ud83d\ude00":2,"tab\t":3,"q\"":4}"#)
        for _ in 0..<2 {
            #expect(object["a/b"] == 1)
            #expect(object["😀"] == 2)
            #expect(object["tab\t"] == 3)
            #expect(object["q\""] == 4)
            #expect(object[#"\u0061\/b"#] == nil)
            #expect(object[#"tab\t"#] == nil)
            object["changed"] = true
        }
    }

    @Test func `names of any size are found, and the last of several members is used`() throws {
        let names = (0...20).map { String("abcdefghijklmnopqrstu".prefix($0)) }
        for escaped in [#"\u0061"#, "a"] {
            let members = names.map { #""\#($0.replacing("a", with: escaped))": \#($0.utf8.count)"# }
            let object = try object("{" + ([#""": -1, "abc": -1"#] + members).joined(separator: ",") + "}")
            for name in names { #expect(object[name] == .number(JSONNumber(name.utf8.count))) }
            for name in names.dropFirst() { #expect(object[String(name.dropLast() + "x")] == nil) }
        }
    }

    @Test func `a name that is not valid text is not found`() throws {
        var object = try object(#"{"\ud800":1,"\ud801":2}"#)
        #expect(object["\u{FFFD}"] == nil)
        object["\u{FFFD}"] = 3
        #expect(text(object) == "{\"\\ud800\":1,\"\\ud801\":2,\"\u{FFFD}\":3}")
        #expect(object["\u{FFFD}"] == 3)
        object["\u{FFFD}"] = nil
        #expect(text(object) == #"{"\ud800":1,"\ud801":2}"#)
    }

    @Test func `names that only look alike are different, before and after a change`() throws {
        var object = try object("{\"\u{E9}\":1,\"e\u{301}\":2}")
        for _ in 0..<2 {
            #expect(object["\u{E9}"] == 1)
            #expect(object["e\u{301}"] == 2)
            object["changed"] = true
        }
        object["\u{E9}"] = nil
        #expect(object["e\u{301}"] == 2)
    }

    @Test func `an object keeps its byte range until it is changed`() throws {
        let text = #" [ {"a" : { "b" : 1 } } ] "#
        var outer = try #require(try JSONValue(parsing: text)[0]?.object)
        #expect(outer.byteRange == 3..<23)
        #expect(outer["a"]?.object?.byteRange == 10..<21)
        outer["c"] = 1
        #expect(outer.byteRange == nil)
        #expect(outer["a"]?.object?.byteRange == 10..<21)
        #expect(JSONObject().byteRange == nil)
    }

    @Test func `removing a missing member changes nothing`() throws {
        var object = try object(#"{"a":1}"#)
        object["b"] = nil
        #expect(object.byteRange == 0..<7)
    }

    @Test func `objects are equal if their members are equal and in the same order`() throws {
        #expect(try object(#"{"a":1,"b":[{}]}"#) == ["a": 1, "b": [[:]]])
        #expect(try object(#"{ "\u0061" : 1 }"#) == object(#"{"a":1}"#))
        #expect(try object(#"{ "\u0061" : 1 }"#).hashValue == object(#"{"a":1}"#).hashValue)
        #expect(try object(#"{"a":1,"b":2}"#) != object(#"{"b":2,"a":1}"#))
        #expect(try object(#"{"a":1}"#) != object(#"{"a":1.0}"#))
        #expect(try object(#"{"a":1}"#) != object(#"{"a":1,"a":1}"#))
    }

    @Test func `members can be changed as an array`() throws {
        var object = try object(#"{"a":1,"b":2}"#)
        object.members.swapAt(0, 1)
        object.members[0].name = "c"
        object.members.append(.init(name: "a", value: nil))
        #expect(text(object) == #"{"c":2,"a":1,"a":null}"#)
    }
}
