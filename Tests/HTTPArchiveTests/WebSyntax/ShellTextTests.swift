import Foundation
import PlantedSecrets
import Testing

@testable import HTTPArchive

@Suite(.limited) struct ShellTextTests {
    @Test(arguments: [
        ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("$(x)`\\!\n", "'$(x)`\\!\n'"),
        ("'\u{301}", "''\\''\u{301}'"), ("é", "'é'"),
    ])
    func `a word is enclosed in single quotes`(word: String, quoted: String) {
        #expect(Array(ShellText.quoted(word).utf8) == Array(quoted.utf8))
    }

    @Test func `binary data is printed with octal escapes`() {
        #expect(ShellText.printing(Data()) == "printf ''")
        #expect(ShellText.printing(Data([0x41, 0, 0x25, 0xFF, 0x27, 0x5C])) == #"printf 'A\000\045\377\047\134'"#)
        #expect(ShellText.printing("a'b") == #"printf '%s' 'a'\''b'"#)
    }
}

@Suite(.limited) struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("QQ==", "A"), ("QQ", "A"), ("QUI=", "AB"), ("QUJD", "ABC"), ("QU\r\nJD", "ABC"), (" QQ = = ", "A"),
        ("-_-_", "\u{FB}"), ("QQ==QQ==", "A\u{4}\u{10}"),
    ])
    func `base64 is decoded leniently`(text: String, start: String) throws {
        let data = try #require(Base64.decode(text))
        if start.utf8.allSatisfy({ $0 < 0x80 }) { #expect(data.starts(with: start.utf8)) }
        #expect(start.isEmpty == data.isEmpty)
    }

    @Test(arguments: ["Q", "QQQQQ", "Q!Q=", "é", "Q\0Q=", "%51%51"])
    func `invalid base64 is not decoded`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: 0..<40)
    func `encoding and decoding returns the same bytes`(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        for isForURLs in [false, true] {
            let text = Base64.encode(bytes, isForURLs: isForURLs, hasPadding: false)
            #expect(text.withUnsafeBytes { Base64.decode($0) } == bytes)
            let padded = Base64.encode(bytes, isForURLs: isForURLs, hasPadding: true)
            #expect(Base64.decode(String(decoding: padded, as: UTF8.self)) == Data(bytes))
        }
    }
}
