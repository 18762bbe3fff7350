import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct JSONStringTests {
    /// Parses a document that consists of one string, whose source is passed without quotes.
    private func string(_ source: String) throws -> JSONString { try string(Array(source.utf8)) }

    private func string(_ source: [UInt8]) throws -> JSONString {
        let value = try JSONValue(parsing: Data([0x22] + source + [0x22]))
        guard case .string(let string) = value else { throw CocoaError(.coderReadCorrupt) }
        return string
    }

    @Test(
        arguments: [
            (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"), (#"\f"#, "\u{C}"), (#"\n"#, "\n"),
            (#"\r"#, "\r"), (#"\t"#, "\t"), (#"\u0000"#, "\0"), (#"\u00e9"#, "\u{E9}"), (#"\u00E9"#, "\u{E9}"),
            (#"\uFFFD"#, "\u{FFFD}"), (#"\uffff"#, "\u{FFFF}"), (#"\u2028"#, "\u{2028}"), (#"\ud83d\ude00"#, "😀"),
            (#"\uD83D\uDE00"#, "😀"), (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\uD800\uDC00"#, "\u{10000}"),
            ("", ""), ("é", "é"), ("e\u{301}", "e\u{301}"), ("\u{7F}", "\u{7F}"), (#"\\u0041"#, #"\u0041"#),
            (#"a\\\"b\u005Cc"#, #"a\"b\c"#), ("👨‍👩‍👧‍👦\u{2028}", "👨‍👩‍👧‍👦\u{2028}"),
        ])
    func `escape sequences are decoded`(source: String, text: String) throws {
        let string = try string(source)
        #expect(string.text.unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(!string.isLossy)
        let copy = try JSONValue(parsing: JSONValue.string(string).data())
        #expect(copy == .string(JSONString(text)))
    }

    @Test(
        arguments: [
            (#"\ud800"#, "\u{FFFD}"), (#"\uDFFF"#, "\u{FFFD}"), (#"a\ud83db"#, "a\u{FFFD}b"),
            (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
            (#"\ud83d\n"#, "\u{FFFD}\n"), (#"\ud83d\u0041"#, "\u{FFFD}A"), (#"\ud83d\\ude00"#, "\u{FFFD}\\ude00"),
            (#"\"\/\ud800"#, "\"/\u{FFFD}"), (#"\ud83d😀"#, "\u{FFFD}😀"),
        ])
    func `a lone surrogate is preserved`(source: String, text: String) throws {
        let string = try string(source)
        #expect(string.text == text)
        #expect(string.isLossy)
        for layout in [JSONLayout.compact, .pretty, .unchanged] {
            let data = JSONValue.string(string).data(layout: layout)
            #expect(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines) == "\"\(source)\"")
        }
    }

    @Test(
        arguments: [
            [0xE9], [0x63, 0x61, 0x66, 0xE9], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xED, 0xB0, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFF], [0xFE, 0xFF], [0x80], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
            [0xE9, 0x5C, 0x6E], [0xC3, 0x5C, 0x22], [0x5C, 0x6E, 0xE0, 0x80, 0x80],
        ] as [[UInt8]])
    func `invalid UTF-8 is preserved`(source: [UInt8]) throws {
        let string = try string(source)
        #expect(string.text.contains("\u{FFFD}"))
        #expect(string.isLossy)
        #expect(JSONValue.string(string).data() == Data([0x22] + source + [0x22]))
        let document = Data([0x7B, 0x22] + source + [0x22, 0x3A, 0x22] + source + [0x22, 0x7D])
        #expect(try JSONValue(parsing: document).data() == document)
    }

    @Test(arguments: [#"\x"#, #"\u12"#, #"\u12g4"#, #"\"#, "\n", "\0", "\u{1F}", "\t", #"\U0041"#])
    func `characters that are not allowed in strings are rejected`(source: String) {
        let error = #expect(throws: HARError.self) { try string(source) }
        #expect(error?.code == .malformedJSON)
    }

    @Test func `every character in the Basic Multilingual Plane survives a round trip`() throws {
        let scalars = (0...0xFFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
        for start in stride(from: 0, to: scalars.count, by: 4096) {
            let text = String(String.UnicodeScalarView(scalars[start..<min(start + 4096, scalars.count)]))
            let data = JSONValue.string(JSONString(text)).data()
            #expect(try JSONValue(parsing: data) == .string(JSONString(text)))
            #expect(try ReferenceJSON(parsing: data).value == .string(text.utf16.map(UInt32.init)))
        }
    }

    @Test func `characters are escaped at every offset of a string of any length`() {
        let escapes = [
            ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\r", #"\r"#), ("\t", #"\t"#), ("\u{8}", #"\b"#),
            ("\u{C}", #"\f"#), ("\0", #"\u0000"#), ("\u{1F}", #"\u001F"#), (" ", " "), ("!", "!"), ("\u{7F}", "\u{7F}"),
            ("\u{80}", "\u{80}"), ("€", "€"), ("😀", "😀"),
        ]
        for (character, escaped) in escapes {
            for (before, after) in (0...17).flatMap({ before in (0...17).map { (before, $0) } }) {
                let (start, end) = (String(repeating: "[", count: before), String(repeating: "]", count: after))
                let text = start + character + "\"" + character + end
                let source = start + escaped + #"\""# + escaped + end
                #expect(JSONValue.string(JSONString(text)).data() == Data("\"\(source)\"".utf8))
            }
        }
    }

    @Test func `strings are equal regardless of escape sequences`() throws {
        #expect(try string(#"\u0061\/"#) == "a/")
        #expect(try string(#"\u0061\/"#).hashValue == JSONString("a/").hashValue)
        #expect(try string(#"\ud800"#) != "\u{FFFD}")
        #expect(try string(#"\ud800"#) != string(#"\ud801"#))
        #expect(try string(#"\ud800"#) == string(#"\ud800"#))
    }

    @Test func `strings with different characters are not equal, even if they look alike`() {
        #expect(JSONString("\u{E9}") != JSONString("e\u{301}"))
        #expect(JSONString("\u{212B}") != JSONString("\u{C5}"))
        #expect(JSONString("a\u{323}\u{307}") != JSONString("a\u{307}\u{323}"))
        #expect(Set([JSONString("\u{E9}"), JSONString("e\u{301}")]).count == 2)
    }

    @Test func `the description of a string is its text`() {
        #expect("\(JSONString("a\nb"))" == "a\nb")
    }
}
