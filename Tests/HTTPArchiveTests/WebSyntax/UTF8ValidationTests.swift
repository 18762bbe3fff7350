import Testing

@testable import HTTPArchive

@Suite struct UTF8ValidationTests {
    /// The first and last bytes of each range in RFC 3629.
    private static let bytes: [UInt8] = [
        0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
        0xF0,
        0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]

    private static func isValid(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { $0.isUTF8 } }

    @Test func `three bytes are valid if the standard library accepts them`() {
        for first in Self.bytes {
            for second in Self.bytes {
                for third in Self.bytes {
                    let text = [first, second, third]
                    #expect(Self.isValid(text) == (String(validating: text, as: UTF8.self) != nil), "\(text)")
                }
            }
        }
    }

    @Test(arguments: 0...17)
    func `four bytes after ASCII characters are valid if the standard library accepts them`(count: Int) {
        let before = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        for first in Self.bytes where first >= 0xE0 {
            for second in Self.bytes {
                for last in Self.bytes {
                    let text = before + [first, second, 0x80, last]
                    #expect(Self.isValid(text) == (String(validating: text, as: UTF8.self) != nil), "\(text)")
                }
            }
        }
    }

    @Test func `a text is invalid if its last character is incomplete`() {
        let text = Array("aé€😀".utf8)
        let ends = [0, 1, 3, 6, 10]
        for end in 0...text.count { #expect(Self.isValid(Array(text[..<end])) == ends.contains(end)) }
    }
}
