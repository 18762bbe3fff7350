import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct JSONTextDecoderTests {
    private func decode(_ text: String, isBase64: Bool = false, chunkSize: Int) -> [UInt8]? {
        let source = Array(text.utf8)
        var decoder = JSONTextDecoder(isBase64: isBase64)
        var decoded: [UInt8] = []
        for start in stride(from: 0, to: source.count, by: chunkSize) {
            let end = min(start + chunkSize, source.count)
            guard let bytes = decoder.decode(Array(source[start..<end]), isLast: end == source.count) else {
                return nil
            }
            decoded += bytes
        }
        return decoded
    }

    @Test(arguments: [
        #"plain"#, #"a\nb\t\\\"\/c"#, #"\u00e9\ud83d\ude00\u0041"#, #"é😀"#, #"\\\\\\\\"#, #"\ud83dx\ude00\udc80\ud83d"#,
    ])
    func `the result does not depend on where chunks split`(text: String) throws {
        let whole = Array(text.utf8).withUnsafeBytes { JSONString(source: $0).bytes }
        for size in 1...text.utf8.count { #expect(decode(text, chunkSize: size) == whole) }
    }

    @Test(arguments: [#"\"#, #"\x"#, #"\u12"#, #"\u12G4"#, #"\ud83d\u12G4"#, #"\ud83d\u"#, "a\\u"])
    func `invalid escape sequences are rejected`(text: String) {
        for size in 1...text.utf8.count { #expect(decode(text, chunkSize: size) == nil) }
    }

    @Test(arguments: [
        ("SGVsbG8sIHdvcmxkIQ==", "Hello, world!"), (#"SGVs\nbG8s\r\nIHdvcmxkIQ"#, "Hello, world!"),
        (#"Pz8\/Pz8_"#, "?????\u{3F}"), ("", ""), ("QQ==", "A"), ("QUI=", "AB"),
    ])
    func `base64 is decoded in chunks`(text: String, expected: String) throws {
        for size in 1...max(1, text.utf8.count) {
            #expect(decode(text, isBase64: true, chunkSize: size) == Array(expected.utf8))
        }
    }

    @Test(arguments: ["SGVs!", "A", "SGVsb"]) func `invalid base64 is rejected`(text: String) {
        for size in 1...text.utf8.count { #expect(decode(text, isBase64: true, chunkSize: size) == nil) }
    }
}
