import Dispatch
import Testing

@testable import HTTPArchive

@Suite(.limited) struct AuthenticationKeyTests {
    /// A test case from RFC 4231, section 4 (https://www.rfc-editor.org/rfc/rfc4231#section-4).
    struct Case: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let code: String
    }

    private static let cases = [
        Case(
            key: [UInt8](repeating: 0x0B, count: 20), message: Array("Hi There".utf8),
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Case(
            key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Case(
            key: [UInt8](repeating: 0xAA, count: 20), message: [UInt8](repeating: 0xDD, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Case(
            key: Array(0x01...0x19), message: [UInt8](repeating: 0xCD, count: 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        // The RFC contains only the first half of this code.
        Case(
            key: [UInt8](repeating: 0x0C, count: 20), message: Array("Test With Truncation".utf8),
            code: "a3b6167473100ee06e0c796c2955552b"),
        Case(
            key: [UInt8](repeating: 0xAA, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Case(
            key: [UInt8](repeating: 0xAA, count: 131),
            message: Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]

    @Test(arguments: cases)
    func `codes equal those in the RFC`(test: Case) {
        let code = AuthenticationKey(test.key).code(for: test.message)
        #expect(code.count == 32)
        #expect(Hexadecimal.text(code).hasPrefix(test.code))
    }

    @Test func `an empty key and an empty message are valid`() {
        #expect(
            Hexadecimal.text(AuthenticationKey([]).code(for: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    /// The expected value is the SHA-256 hash of the concatenated codes, as computed by Python's `hmac` and `hashlib`.
    @Test func `codes for keys and messages of every size match Python's`() {
        let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }
        var all = StreamedHash(.sha256)
        for size in 0...200 {
            all.update(AuthenticationKey(Array(bytes[..<size])).code(for: Array(bytes[..<(200 - size)])))
        }
        #expect(Hexadecimal.text(all.finish()) == "2fe06929bf05ecbdde2290129c59997983df99115eb802d0f9b935b42b12fb77")
    }

    @Test func `one key can be used by many threads concurrently`() {
        let key = AuthenticationKey(Array("Jefe".utf8))
        let expected = (0..<100).map { key.code(for: [UInt8]("\($0)".utf8)) }
        DispatchQueue.concurrentPerform(iterations: 1000) { index in
            let number = index % expected.count
            #expect(key.code(for: [UInt8]("\(number)".utf8)) == expected[number])
        }
    }
}
