import Foundation
import PlantedSecrets
import Testing

@testable import HTTPArchive

@Suite(.limited) struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("a", "a"), ("%41", "A"), ("%4a%4A", "JJ"), ("%C3%A9", "é"), ("a+b", "a+b"), ("%", "%"),
        ("%4", "%4"), ("%%41", "%A"), ("%zz", "%zz"), ("%4g", "%4g"), ("%25%34%31", "%41"), ("é", "é"), ("%00", "\0"),
        ("100%", "100%"), ("%+1", "%+1"), ("%\u{FF11}1", "%\u{FF11}1"),
    ])
    func `escapes are decoded, and everything else is unchanged`(text: String, decoded: String) {
        #expect(Array(PercentEncoding.decoded(text[...].utf8).utf8) == Array(decoded.utf8))
        #expect(PercentEncoding.decodedUTF8(text[...].utf8) == decoded)
    }

    @Test(arguments: [("%FF", "\u{FFFD}"), ("%C3", "\u{FFFD}"), ("a%E2%82b", "a\u{FFFD}b"), ("%ED%A0%80", nil)])
    func `bytes that are not UTF-8 are replaced or reported`(text: String, repaired: String?) {
        #expect(PercentEncoding.decodedUTF8(text[...].utf8) == nil)
        if let repaired { #expect(PercentEncoding.decoded(text[...].utf8) == repaired) }
    }

    @Test func `a plus sign is a space in forms only`() {
        #expect(PercentEncoding.decoded("a+b%2B"[...].utf8) == "a+b+")
        #expect(PercentEncoding.decoded("a+b%2B"[...].utf8, plusIsSpace: true) == "a b+")
        #expect(PercentEncoding.decodedUTF8("+"[...].utf8, plusIsSpace: true) == " ")
    }

    @Test func `the decoder reports the offset of each byte`() {
        let text = Array("a%41%4+%zz".utf8)
        let found: [[Int]] = text.withUnsafeBytes { text in
            var decoder = PercentDecoder(text, plusIsSpace: true)
            var found: [[Int]] = []
            while true {
                let offset = decoder.offset
                guard let byte = decoder.next() else { return found }
                found.append([offset, Int(byte)])
            }
        }
        #expect(
            found == [
                [0, 0x61], [1, 0x41], [4, 0x25], [5, 0x34], [6, 0x20], [7, 0x25], [8, 0x7A], [9, 0x7A],
            ])
    }

    @Test(arguments: [
        ("", ""), ("azAZ09-._~", "azAZ09-._~"), ("a b", "a%20b"), ("é", "%C3%A9"), ("/?#%+&=", "%2F%3F%23%25%2B%26%3D"),
        ("\0\n\u{7F}", "%00%0A%7F"),
    ])
    func `all characters except those in the set are encoded`(text: String, encoded: String) {
        #expect(PercentEncoding.encoded(text, keeping: .unreserved) == encoded)
        #expect(PercentEncoding.decoded(encoded[...].utf8) == text)
    }

    @Test func `existing escapes are kept on request`() {
        let text = "%41 %zz%%4"
        #expect(PercentEncoding.encoded(text[...], keeping: .urlPart, keepsEscapes: true) == "%41%20%25zz%25%254")
        #expect(PercentEncoding.encoded(text, keeping: .urlPart) == "%2541%20%25zz%25%254")
    }

    @Test(arguments: [
        ("", ""), ("/a%41%7e", "/aA~"), ("%2f%2F/", "%2F%2F/"), ("%", "%25"), ("%25", "%25"), ("%zz", "%25zz"),
        (" é\u{7F}", "%20%C3%A9%7F"), ("%20%c3%a9", "%20%C3%A9"), ("\"<>", "\"<>"), ("%22%3C", "\"<"), ("%4", "%254"),
    ])
    func `normalization produces a single spelling for each byte`(text: String, normal: String) {
        let delimiters = ByteSet("/%")
        #expect(PercentEncoding.normalized(text[...].utf8, delimiters: delimiters) == normal)
        #expect(PercentEncoding.normalized(normal[...].utf8, delimiters: delimiters) == normal)
    }

    @Test(arguments: 0..<50)
    func `encoding and decoding random bytes returns the same bytes`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let bytes = (0..<200).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        for set in [ByteSet.unreserved, .form, .alphanumerics] {
            let encoded = bytes.withUnsafeBytes { PercentEncoding.encoded($0, keeping: set) }
            #expect(encoded.withUnsafeBytes { PercentEncoding.bytes(of: $0) } == bytes)
        }
    }
}

@Suite(.limited) struct HexadecimalTests {
    @Test func `each byte is encoded as two lowercase digits`() {
        #expect(Hexadecimal.text([]) == "")
        #expect(Hexadecimal.text([0, 9, 0x0A, 0x1F, 0xFF]) == "00090a1fff")
    }

    @Test(arguments: [("", []), ("00", [0]), ("fFAa", [0xFF, 0xAA])])
    func `hexadecimal digits in either case are decoded`(text: String, bytes: [UInt8]) {
        #expect(Hexadecimal.bytes(text) == bytes)
    }

    @Test(arguments: ["0", "0g", "g0", " 00", "00 ", "0x00", "é", "\u{FF11}1", "-1"])
    func `text that is not hexadecimal is not decoded`(text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
    }

    @Test func `every hexadecimal digit has a value`() {
        for byte in UInt8.min...UInt8.max {
            let value = Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
            #expect(byte.hexadecimalDigit == value, "\(byte)")
        }
    }
}
