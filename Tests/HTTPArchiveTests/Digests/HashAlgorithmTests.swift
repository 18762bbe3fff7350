import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct HashAlgorithmTests {
    /// The examples from FIPS 180, and the empty message.
    @Test(arguments: [
        (
            "", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        ),
        (
            "abc", "a9993e364706816aba3e25717850c26c9cd0d89d",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `hashes equal the standard's examples`(message: String, sha1: String, sha256: String) {
        #expect(Hexadecimal.text(HashAlgorithm.sha1.hash(of: Array(message.utf8))) == sha1)
        #expect(Hexadecimal.text(HashAlgorithm.sha256.hash(of: Data(message.utf8))) == sha256)
    }

    // The longest example in FIPS 180. The message is not a test argument, because arguments are printed in logs.
    @Test(arguments: [
        (HashAlgorithm.sha1, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        (.sha256, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `the hash of a million letters equals the standard's example`(algorithm: HashAlgorithm, expected: String) {
        let message = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(Hexadecimal.text(algorithm.hash(of: message)) == expected)
    }

    /// The expected values are the hashes of the concatenated hashes, as computed by Python's `hashlib`.
    @Test(arguments: [
        (HashAlgorithm.sha1, "02d79069dc73ad0af03448abfaffbb710334f1e9"),
        (.sha256, "3275febb4612d86d586eb9f11cd21e648a9fc7d95e0f6b8d362786e28c9c5b79"),
    ])
    func `messages of every size from 0 to 200 bytes have the same hashes as in Python`(
        algorithm: HashAlgorithm, expected: String
    ) {
        var all = StreamedHash(algorithm)
        for size in 0...200 { all.update(algorithm.hash(of: message(ofSize: size))) }
        #expect(Hexadecimal.text(all.finish()) == expected)
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `a hash does not depend on how a message is split into chunks`(algorithm: HashAlgorithm) {
        let message = message(ofSize: 200)
        let expected = algorithm.hash(of: message)
        for first in 0...200 {
            for second in [first, (first + 200) / 2, 200] {
                var hash = StreamedHash(algorithm)
                hash.update(message[..<first])
                hash.update(Data(message)[first..<second])
                hash.update(Array(message[second...]))
                #expect(hash.finish() == expected)
            }
        }
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `hashing a message byte by byte results in the same hash`(algorithm: HashAlgorithm) {
        var hash = StreamedHash(algorithm)
        for byte in message(ofSize: 200) { hash.update([byte]) }
        #expect(hash.finish() == algorithm.hash(of: message(ofSize: 200)))
    }

    @Test func `a hash that is never finished is freed`() {
        for _ in 0..<100 {
            var hash = StreamedHash(.sha256)
            hash.update([1])
        }
    }

    @Test func `bytes are formatted as lowercase hexadecimal digits`() {
        #expect(Hexadecimal.text([0x00, 0x09, 0x0A, 0x9F, 0xA0, 0xFF]) == "00090a9fa0ff")
    }

    private func message(ofSize size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }
    }
}
