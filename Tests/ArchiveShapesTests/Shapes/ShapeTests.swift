import ArchiveShapes
import HTTPArchive
import Testing

/// Tests of ``Shape`` with its public API.
@Suite struct ShapeTests {
    private func shape(_ texts: String...) throws -> Shape {
        try texts.reduce(into: Shape()) { $0.add(try JSONValue(parsing: $1)) }
    }

    private func differences(_ recorded: Shape, _ current: Shape) -> [String] {
        recorded.differences(from: current).map { "\($0.grade) \($0.pointer) \($0.text)" }
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":2}"#, []),
        (#"{"a":1}"#, #"{"a":1,"b":2}"#, ["added /b new member"]),
        (#"{"a":1,"b":2}"#, #"{"a":1}"#, ["missing /b missing"]),
        (#"{"a":1,"b":"x"}"#, #"{"a":1,"c":"y"}"#, ["missing /b missing; renamed to 'c'?", "added /c new member"]),
        (#"{"a":1}"#, #"{"a":"1"}"#, ["changed /a type changed"]),
        (#"{"a":1}"#, #"{"a":null}"#, ["changed /a now null"]),
        (#"{"a":null}"#, #"{"a":1}"#, ["added /a now also number"]),
        (#"{"a":[1]}"#, #"{"a":{"b":1}}"#, ["changed /a type changed"]),
        (#"{"a":[]}"#, #"{"a":[1]}"#, []),
        (#"{"a":[{"b":1},{"b":2}]}"#, #"{"a":[{"b":1},{}]}"#, ["missing /a/*/b missing in 1 of 2"]),
        (#"{"a":[{"b":1},{}]}"#, #"{"a":[{}]}"#, []),
        (#"{"a":"2026-01-01T00:00:00Z"}"#, #"{"a":"2026-01-01"}"#, ["changed /a format changed"]),
        (#"{"a":"2026-01-01"}"#, #"{"a":""}"#, []),
        (#"{"a":"a@example.com"}"#, #"{"a":"ada"}"#, ["changed /a format changed"]),
        (#"{"a":"https://example.com/"}"#, #"{"a":"example"}"#, ["changed /a format changed"]),
        (#"{"a":"12"}"#, #"{"a":"a12"}"#, []),
        (#"{"a":3}"#, #"{"a":3.5}"#, []),
        (#"{"a":"REDACTED-0123456789abcdef"}"#, #"{"a":7}"#, []),
        (#"{"a":7}"#, #"{"a":"REDACTED"}"#, []),
        (#"{"a":"REDACTED"}"#, #"{"a":[]}"#, ["changed /a type changed"]),
        (#"{"2026-01-01":1,"2026-01-02":2}"#, #"{"2026-01-03":3}"#, []),
        (#"{"2026-01-01":1,"2026-01-02":2}"#, #"{"2026-01-03":"x"}"#, ["changed /* type changed"]),
        (#"{"a\/b":{"~":1}}"#, #"{"a/b":{"~":"x"}}"#, ["changed /a~1b/~0 type changed"]),
    ])
    func `reports differences with grade and pointer`(recorded: String, current: String, expected: [String]) throws {
        #expect(differences(try shape(recorded), try shape(current)) == expected)
    }

    @Test func `reports new values of enumerations only`() throws {
        let states = try shape(#"[{"state":"open"},{"state":"paid"},{"state":"open"},{"state":"paid"}]"#)
        let changed = try shape(#"[{"state":"refunded"}]"#)
        #expect(differences(states, changed) == ["added /*/state new value of an enumeration"])
        let names = try shape(#"[{"name":"Ada"},{"name":"Bob"},{"name":"Ada"}]"#)
        #expect(differences(names, try shape(#"[{"name":"Cyd"}]"#)).isEmpty)
    }

    @Test func `recognizes maps with many names`() throws {
        let first = (0..<8).map { #"{"k\#($0)x":{"n":1}}"# }
        var recorded = Shape()
        for text in first { recorded.add(try JSONValue(parsing: text)) }
        #expect(differences(recorded, try shape(#"{"other":{"n":1}}"#)).isEmpty)
        #expect(differences(recorded, try shape(#"{"other":{}}"#)) == ["missing /*/n missing"])
        let many = "{" + (0..<1000).map { #""name\#($0)":\#($0)"# }.joined(separator: ",") + "}"
        #expect("\(try shape(many))" == "a map to integers")
    }

    @Test func `does not depend on the order of values`() throws {
        let texts = [
            #"{"a":1,"b":"open","c":[]}"#, #"{"b":"paid","a":null}"#, #"{"a":1.5,"b":"open","d":{"x":1}}"#,
            #"{"a":"x","b":"paid","c":[1,{"y":2}]}"#, #"[1,2]"#,
        ]
        var generator = SystemRandomNumberGenerator()
        let values = try texts.map { try JSONValue(parsing: $0) }
        let expected = values.reduce(into: Shape()) { $0.add($1) }
        for _ in 0..<20 {
            let shuffled = values.shuffled(using: &generator)
            var merged = Shape()
            for value in shuffled { merged.merge(Shape(of: value)) }
            #expect(expected.differences(from: merged).isEmpty && merged.differences(from: expected).isEmpty)
            for value in values { #expect(merged.differences(from: Shape(of: value)).isEmpty) }
        }
    }

    @Test func `writes JSON Schema`() throws {
        let shape = try shape(
            #"{"id":1,"at":"2026-01-01T00:00:00Z","note":null,"tags":["a"],"days":{"2026-01-01":1}}"#,
            #"{"id":2,"at":"2026-01-02T00:00:00Z","note":"x"}"#)
        let expected: JSONValue = [
            "type": "object",
            "properties": [
                "id": ["type": "integer"], "at": ["type": "string", "format": "date-time"],
                "note": ["type": ["string", "null"]], "tags": ["type": "array", "items": ["type": "string"]],
                "days": ["type": "object", "additionalProperties": ["type": "integer"]],
            ],
            "required": ["id", "at", "note"],
        ]
        #expect(shape.jsonSchema.data() == expected.data())
    }

    @Test func `deep and wide values have shapes`() throws {
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        #expect(try shape(deep).differences(from: try shape(deep)).isEmpty)
        let large = try shape("[" + (0..<5000).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]")
        #expect("\(large)" == "an array of objects (id)")
    }
}
