import HTTPArchive
import Testing

@Suite(.limited) struct JSONDifferenceTests {
    private func differences(
        _ here: String, _ there: String, ignoring ignored: [String] = [], limit: Int = .max
    ) throws -> [String] {
        let pointers = try ignored.map { try #require(JSONPointer(text: $0)) }
        return try JSONValue(parsing: here)
            .differences(from: JSONValue(parsing: there), ignoring: pointers, limit: limit)
            .map { "\($0.pointer) \($0.kind)" }
    }

    @Test(
        arguments: [
            ("1", "1.0", []), ("1", "2", [" otherValue"]), ("1", "\"1\"", [" otherType"]),
            ("true", "false", [" otherValue"]),
            ("{}", "[]", [" otherType"]), ("null", "{}", [" otherType"]), ("[]", "[1]", ["/0 missingHere"]),
            ("[1,2,3]", "[1]", ["/1 missingThere", "/2 missingThere"]),
            (#"{"a":1,"b":{"c":[1,{"d":2}]}}"#, #"{"b":{"c":[1.0,{"d":3}]},"a":10e-1}"#, ["/b/c/1/d otherValue"]),
            (
                #"{"a":1,"c":2,"e":3}"#, #"{"b":1,"c":4,"d":2,"e":"x","f":{}}"#,
                [
                    "/a missingThere", "/b missingHere", "/c otherValue", "/d missingHere", "/e otherType",
                    "/f missingHere",
                ]
            ),
            (
                #"{"f":1,"d":1}"#, #"{"e":1,"a":1}"#,
                ["/a missingHere", "/d missingThere", "/e missingHere", "/f missingThere"]
            ),
            (#"{"a/b":{"m~n":1}}"#, #"{"a/b":{"m~n":2}}"#, ["/a~1b/m~0n otherValue"]),
            (#"{"a":1,"a":2}"#, #"{"a":2,"b":1,"b":3}"#, ["/b missingHere"]),
            (
                #"{"a":[[1],[2]],"b":0}"#, #"{"a":[[2],[2,3]],"b":1}"#,
                ["/a/0/0 otherValue", "/a/1/1 missingHere", "/b otherValue"]
            ),
            (#""\u0041""#, #""A""#, []), ("1e400", "1e401", [" otherValue"]),
        ] as [(String, String, [String])])
    func `differences have a JSON pointer and a kind`(here: String, there: String, expected: [String]) throws {
        #expect(try differences(here, there) == expected)
        let mirrored = try differences(there, here)
        #expect(mirrored.count == expected.count)
        let same = try JSONValue(parsing: here).canonicalText() == JSONValue(parsing: there).canonicalText()
        #expect(same == expected.isEmpty)
    }

    @Test func `excluded members are not compared`() throws {
        let here = #"{"id":1,"items":[{"id":2,"n":1},{"n":2}]}"#
        let there = #"{"items":[{"id":3,"n":1},{"id":"x","n":2},{}]}"#
        #expect(try differences(here, there, ignoring: ["/items/*/id", "/id"]) == ["/items/2 missingHere"])
        #expect(try differences(here, there, ignoring: ["/items/*", "/id"]) == [])
        #expect(try differences(here, there, ignoring: ["/*"]) == [])
        #expect(try differences(here, there, ignoring: [""]) == [])
    }

    @Test func `the number of differences is limited`() throws {
        #expect(try differences("[1,2,3,4]", "[0,0,0,0]", limit: 2) == ["/0 otherValue", "/1 otherValue"])
        #expect(try differences("[1]", "[0]", limit: 0) == [])
        #expect(try differences("[1]", "[0]", limit: -1) == [])
    }
}
