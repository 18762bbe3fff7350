import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct CharsetTests {
    @Test(arguments: [
        "utf-8", "UTF8", "iso-8859-1", "latin1", "us-ascii", "windows-1252", "iso-8859-2", "iso-8859-15",
        "windows-1251",
        "koi8-r", "shift_jis", "euc-jp", "iso-2022-jp", "gbk", "gb18030", "gb2312", "big5", "euc-kr", "utf-16le",
        "utf-16be",
    ])
    func `the labels of the WHATWG encodings are supported, and ASCII survives a round trip`(label: String) throws {
        let charset = try #require(Charset(label: label))
        let text = String(repeating: "Hello, world! 0123456789\n", count: 1000)
        #expect(charset.decode(charset.encode(text)) == text)
    }

    @Test func `the system supports all labels in the standard, except replacement and x-user-defined`() {
        // The standard has 228 labels, including 6 for `replacement` and 1 for `x-user-defined`.
        #expect(Charset.names.count == 221)
        for label in Charset.names.keys { #expect(Charset(label: label) != nil, "\(label)") }
    }

    @Test(arguments: [
        "", "no-such", "utf-8//TRANSLIT", "a\0b", "日", "u tf-8", "ISO-2022-CN-EXT", "iso-2022-cn", "ISO-2022-KR",
        "hz-gb-2312", "replacement", "x-user-defined", "IBM1364", "UTF-7", "UTF-7-IMAP", "UTF-32", "UCS-4", "EBCDIC-US",
        "TSCII", "ISO-8859-1//IGNORE", "wchar_t", "INTERNAL", "locale", "../../etc/passwd",
    ])
    func `nonstandard labels are not supported`(label: String) {
        #expect(Charset(label: label) == nil)
    }

    @Test func `every byte of Windows-1252 survives a round trip`() throws {
        let bytes = Data(0...255)
        #expect(Charset.windows1252.encode(Charset.windows1252.decode(bytes)) == bytes)
        #expect(Charset.windows1252.decode(Data([0x80, 0x9F])) == "€Ÿ")
    }

    @Test func `characters that cannot be converted are replaced, and the rest is unchanged`() throws {
        let japanese = try #require(Charset(label: "euc-jp"))
        #expect(japanese.decode(Data([0x61, 0xFF, 0x62, 0xC6])) == "a\u{FFFD}b\u{FFFD}")
        let cyrillic = try #require(Charset(label: "koi8-r"))
        #expect(cyrillic.decode(cyrillic.encode("да日😀нет")) == "да??нет")
    }

    @Test func `text that is longer than the conversion buffer is converted completely`() throws {
        let chinese = try #require(Charset(label: "gb18030"))
        let text = String(repeating: "漢字😀", count: 20_000)
        #expect(chinese.decode(chinese.encode(text)) == text)
    }
}
