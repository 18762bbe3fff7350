import Foundation
import PlantedSecrets
import Testing

@testable import HTTPArchive

@Suite(.limited) struct JSONParsingTests {
    @Test func `values of every kind are parsed`() throws {
        let value = try JSONValue(
            parsing: #"{"n":null,"t":true,"f":false,"i":17,"d":1.5,"s":"x","a":[1,"2"],"o":{"p":{}}}"#)
        #expect(
            value == [
                "n": nil, "t": true, "f": false, "i": 17, "d": 1.5, "s": "x", "a": [1, "2"], "o": ["p": [:]],
            ])
        #expect(value["t"]?.bool == true)
        #expect(value["i"]?.int == 17)
        #expect(value["d"]?.double == 1.5)
        #expect(value["d"]?.int == nil)
        #expect(value["s"]?.text == "x")
        #expect(value["a"]?[1]?.text == "2")
        #expect(value["a"]?[2] == nil)
        #expect(value["a"]?[-1] == nil)
        #expect(value["a"]?["x"] == nil)
        #expect(value["o"]?["p"]?.object == [:])
        #expect(value["n"] == .some(.null))
        #expect(value["missing"] == nil)
        #expect(value["s"]?.int == nil)
        #expect(value["i"]?.text == nil)
    }

    @Test func `a document can be any value`() throws {
        #expect(try JSONValue(parsing: "null") == nil)
        #expect(try JSONValue(parsing: " true ") == true)
        #expect(try JSONValue(parsing: "-0.5\n").double == -0.5)
        #expect(try JSONValue(parsing: "\t\"x\"").text == "x")
        #expect(try JSONValue(parsing: "[]") == [])
        #expect(try JSONValue(parsing: "{}") == [:])
    }

    @Test func `whitespace is allowed everywhere between tokens`() throws {
        let tokens = [
            "{", #""a ,:""#, ":", "[", "1", ",", "-2.5", ",", "true", ",", "null", ",", "{", "}", ",", "[", "]", "]",
            ",",
            #""b""#, ":", #"" : , ""#, "}",
        ]
        let expected: JSONValue = ["a ,:": [1, -2.5, true, nil, [:], []], "b": " : , "]
        for space in ["", " ", "\n", "\r\n\t ", String(repeating: " ", count: 1000)] {
            let text = space + tokens.joined(separator: space) + space
            #expect(try JSONValue(parsing: text) == expected)
            #expect(try ReferenceJSON(parsing: JSONValue(parsing: text).data()) == ReferenceJSON(parsing: text))
        }
    }

    @Test(arguments: ["\u{B}", "\u{C}"])
    func `whitespace that JSON does not allow is accepted`(space: String) throws {
        let text = ["{", "\"a\"", ":", "[", "1", ",", "true", ",", "\"x\"", "]", "}"].joined(separator: space)
        #expect(try JSONValue(parsing: text) == ["a": [1, true, "x"]])
        #expect(try JSONValue(parsing: space + "17" + space) == 17)
        #expect(ReadingOutcome.decoding("{\(space)\"log\":{\"entries\":[]}}".utf8).code == nil)
    }

    @Test(
        arguments: [
            "", " ", "{", "}", "[1,]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "{1:2}", "[1 2]", "[1]]", "1 2", "tru", "True",
            "nul", "'a'", "\"", "\"a", "[\"a]", "/* */ 1", "1 // x", "\u{A0}1", "[,1]", "[1,,2]", "{,}", ":", ",",
            "{\"a\":}", "{\"a\"::1}", "[}", "{]",
        ])
    func `invalid JSON is rejected with a location`(text: String) {
        let error = #expect(throws: HARError.self) { _ = try JSONValue(parsing: text) }
        #expect(error?.code == .malformedJSON)
        #expect(error?.context.byteOffset.map { 0...text.utf8.count ~= $0 } == true)
        #expect(error?.context.line == 1)
    }

    @Test(arguments: [1, 127, 128, 129, 300, 512])
    func `values nested up to the limit are read and written in every layout`(depth: Int) throws {
        try onLargeStack {
            for (open, close) in [("[", "]"), ("{\"a\":[", "]}"), ("{\"a\":", "}")] {
                let levels = open.contains("[") && open.contains("{") ? depth / 2 : depth
                let text = String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
                let value = try JSONValue(parsing: text)
                let reference = try ReferenceJSON(parsing: text)
                for layout in [JSONLayout.compact, .pretty, .unchanged] {
                    #expect(try ReferenceJSON(parsing: value.data(layout: layout)) == reference)
                }
                #expect(String(decoding: value.data(), as: UTF8.self) == text)
            }
        }
    }

    @Test func `nesting one level over the limit is rejected with a location`() throws {
        let text = "[0," + String(repeating: "[", count: 512) + String(repeating: "]", count: 513)
        let error = #expect(throws: HARError.self) { _ = try JSONValue(parsing: text) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.context.byteOffset == 514)
    }

    @Test func `deeply nested values created in code are written in every layout`() throws {
        try onLargeStack {
            var value: JSONValue = ["leaf": "\u{0}"]
            for level in 0..<300 { value = level.isMultiple(of: 2) ? [value, 1] : ["a": value, "b": []] }
            let compact = try ReferenceJSON(parsing: value.data())
            for layout in [JSONLayout.pretty, .unchanged] {
                #expect(try ReferenceJSON(parsing: value.data(layout: layout)) == compact)
            }
            #expect(try JSONValue(parsing: value.data()) == value)
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `random values survive a round trip in every layout`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let value = Self.randomValue(depth: 4, using: &generator)
            for layout in [JSONLayout.compact, .pretty, .unchanged] {
                let data = value.data(layout: layout)
                let copy = try JSONValue(parsing: data)
                #expect(copy == value)
                #expect(copy.hashValue == value.hashValue)
                #expect(try ReferenceJSON(parsing: data) == ReferenceJSON(parsing: copy.data()))
            }
        }
    }

    private static func randomValue(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        let text = { (generator: inout SeededGenerator) in
            let scalars = (0..<Int.random(in: 0...6, using: &generator)).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(
                        in: 0...[0x7F, 0x3FF, 0xFFFF, 0x10FFFF][Int.random(in: 0..<4, using: &generator)],
                        using: &generator))
            }
            return JSONString(String(String.UnicodeScalarView(scalars)))
        }
        switch Int.random(in: 0..<(depth == 0 ? 5 : 8), using: &generator) {
        case 0: return nil
        case 1: return .bool(.random(using: &generator))
        case 2: return .number(JSONNumber(Int(truncatingIfNeeded: generator.next())))
        case 3: return JSONNumber(Double(bitPattern: generator.next())).map(JSONValue.number) ?? 0
        case 4: return .string(text(&generator))
        case 5:
            let count = Int.random(in: 0...4, using: &generator)
            return .array((0..<count).map { _ in randomValue(depth: depth - 1, using: &generator) })
        default:
            let count = Int.random(in: 0...4, using: &generator)
            return .object(
                JSONObject(
                    members: (0..<count).map { _ in
                        .init(name: text(&generator), value: randomValue(depth: depth - 1, using: &generator))
                    }))
        }
    }
}
