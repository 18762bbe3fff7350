import HTTPArchive
import Testing

@Suite(.limited) struct FieldSyntaxTests {
    @Test(arguments: ["GET", "x", "Content-Type", "!#$%&'*+-.^_`|~09azAZ", String(repeating: "a", count: 100_000)])
    func `a token consists of letters, digits and some punctuation`(text: String) {
        #expect(FieldSyntax.isToken(text))
    }

    @Test(arguments: [
        "", " ", ":", ":status", "a b", "a:", "a\n", "\t", "a,b", "\"a\"", "(a)", "a/b", "[a]", "{a}", "a@b", "a\\b",
        "é", "a\u{301}", "\0", "\u{7F}", "a=b", "a;b", "<a>", "a?",
    ])
    func `text with other characters and empty text are not tokens`(text: String) {
        #expect(!FieldSyntax.isToken(text))
    }

    @Test(arguments: [
        ("", ""), ("a b", "a b"), ("a\r\nb", "a  b"), ("\n", " "), ("\0", " "), ("é\u{301}\nü", "é\u{301} ü"),
        ("\r\u{301}", " \u{301}"), ("\t", "\t"),
    ])
    func `characters that a field value cannot contain are replaced with spaces`(text: String, line: String) {
        #expect(Array(FieldSyntax.singleLine(text).utf8) == Array(line.utf8))
    }
}

@Suite(.limited) struct ByteSetTests {
    @Test(arguments: [
        (ByteSet.token, "!#$%&'*+-.^_`|~"), (.unreserved, "-._~"), (.form, "*-._"), (.urlPart, "-._~!$&'()*+,;=:@/?"),
        (.url, "-._~!$&'()*+,;=:@/?#[]%"), (.alphanumerics, ""),
    ])
    func `each predefined set contains exactly the letters, the digits and the listed punctuation`(
        set: ByteSet, marks: String
    ) {
        for byte in UInt8.min...UInt8.max {
            let scalar = Unicode.Scalar(byte)
            let isExpected = byte < 0x80 && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            #expect(set.contains(byte) == (isExpected || marks.utf8.contains(byte)), "\(byte)")
        }
    }

    @Test func `all bytes except control characters and the space are visible`() {
        for byte in UInt8.min...UInt8.max {
            #expect(ByteSet.visible.contains(byte) == (byte > 0x20 && byte != 0x7F), "\(byte)")
        }
    }

    @Test func `a set contains all bytes in an empty range`() {
        let bytes: [UInt8] = [0x41, 0xFF]
        bytes.withUnsafeBytes { bytes in
            #expect(ByteSet.token.containsAll(of: bytes, in: 0..<0))
            #expect(ByteSet.token.containsAll(of: bytes, in: 0..<1))
            #expect(!ByteSet.token.containsAll(of: bytes))
        }
    }
}
