import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct CompactTextTests {
    /// Returns an equal value whose objects do not refer to their text, so that the generator writes every token.
    private func rebuilt(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(rebuilt))
        case .object(let object):
            .object(JSONObject(members: object.members.map { .init(name: $0.name, value: rebuilt($0.value)) }))
        default: value
        }
    }

    private func expectSameText(_ text: Data) throws {
        let value = try JSONValue(parsing: text)
        let expected = rebuilt(value).data(layout: .compact)
        #expect(value.data(layout: .compact) == expected, "\(String(decoding: text.prefix(200), as: UTF8.self))")
        let nested: JSONValue = ["a": [value, 1], "b": value]
        #expect(nested.data(layout: .compact) == rebuilt(nested).data(layout: .compact))
    }

    @Test(arguments: 0..<100)
    func `the compact text of a parsed value is the text that the generator writes`(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for layout in RandomJSON.Layout.allCases { try expectSameText(Data(random.document(layout).utf8)) }
    }

    @Test func `strings are escaped as the generator escapes them`() throws {
        let strings = [
            #"\""#, #"\\"#, #"\/"#, #"\\/"#, #"\\\/"#, #"\b\f\n\r\t"#, #"\u0041"#, #"\\u0041"#, #"\\\u0041"#,
            #"\u001f"#, #"\u001F"#, #"\u0008"#, #"\u007f"#, #"\u00e4"#, "ä", #"\ud83d\ude00"#, #"\ud83d"#, #"\/\ud83d"#,
            "\u{7F}",
            #"\u2028"#, #"a,b:c [1 , 2] { "#, #"\"},{\""#, String(repeating: "long ", count: 100),
            String(repeating: #"\n\"\\"#, count: 100), String(repeating: "long ", count: 100) + #"\u00e4\/"#,
        ]
        for string in strings {
            try expectSameText(Data("{ \"\(string)\" : [ \"\(string)\" ,\"\" ], \"\(string)\": \"x\" }".utf8))
        }
    }

    @Test func `invalid UTF-8 and the escape sequences next to it are unchanged`() throws {
        for string in [[0xFF], [0x5C, 0x2F, 0xFF], [0xC3], [0xED, 0xA0, 0x80, 0x5C, 0x75, 0x30, 0x30, 0x34, 0x31]] {
            let quoted: [UInt8] = [0x22] + string.map { UInt8($0) } + [0x22]
            try expectSameText(Data(Array("{ ".utf8) + quoted + Array(" : [ ".utf8) + quoted + Array(" ] }".utf8)))
        }
    }

    @Test func `documents with rare features have the same compact text`() throws {
        for document in SampleDocument.small + [.everything] {
            guard !document.bytes.starts(with: [0xEF]) else { continue }
            try expectSameText(Data(document.bytes))
        }
    }

    @Test func `a value that is nested deeply has the same compact text`() throws {
        let text = String(repeating: #"{ "a": [ "#, count: 200) + "1" + String(repeating: " ] } ", count: 200)
        try expectSameText(Data(text.utf8))
    }
}
