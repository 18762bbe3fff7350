import PlantedSecrets
import TestSupport
import Testing

@testable import HTTPArchive

@Suite(.limited) struct StringSourceTests {
    /// Parts of strings as they occur in files: plain text, escape sequences, lone surrogates and invalid UTF-8.
    private static let pieces: [[UInt8]] =
        [
            "a", "plain", "a longer piece of text", "/", "é", "日本", "😀", #"\n"#, #"\t"#, #"\r"#, #"\b"#, #"\f"#, #"\/"#,
            #"\\"#, #"\""#, #"\u0000"#, #"\u0041"#, #"\u00e9"#, #"\u00E9"#, #"\u20ac"#, #"\ud83d\ude00"#, #"\uD83D"#,
            #"\ude00"#, #"\ud83d\u0041"#, #"\ud83d\ud83d"#, #"\uFFFD"#,
        ].map { Array($0.utf8) } + [[0xE9], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98], [0xFF], [0x80]]

    private func text(_ source: [UInt8], hasEscape: Bool) -> String {
        source.withUnsafeBytes { String(source: $0, hasEscape: hasEscape) }
    }

    @Test func `text decoded directly from the source equals the string's text`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<Cases.count(5_000, orAll: 20_000) {
            let count = Int.random(in: 0...12, using: &generator)
            let source = (0..<count).flatMap { _ in Self.pieces.randomElement(using: &generator) ?? [] }
            let expected = source.withUnsafeBytes { JSONString(source: $0) }.text
            #expect(text(source, hasEscape: true).utf8.elementsEqual(expected.utf8))
            if !source.contains(UInt8(ascii: "\\")) {
                #expect(text(source, hasEscape: false).utf8.elementsEqual(expected.utf8))
            }
        }
    }

    @Test func `an escape sequence is decoded at every offset`() {
        for (escape, character) in [
            (#"\n"#, "\n"), (#"\u00e9"#, "é"), (#"\ud83d\ude00"#, "😀"), (#"\ud800"#, "\u{FFFD}"),
        ] {
            for before in 0..<20 {
                for after in 0..<20 {
                    let (first, last) = (String(repeating: "x", count: before), String(repeating: "y", count: after))
                    #expect(text(Array((first + escape + last).utf8), hasEscape: true) == first + character + last)
                }
            }
        }
    }

    @Test func `every two-character escape sequence is decoded`() {
        let letters = [
            ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"), ("r", "\r"),
            ("t", "\t"),
        ]
        for (letter, character) in letters {
            #expect(text(Array("\\\(letter)".utf8), hasEscape: true) == character)
        }
    }
}
