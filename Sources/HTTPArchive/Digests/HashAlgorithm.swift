package import Foundation

/// A hash function: MD5 (RFC 1321, https://www.rfc-editor.org/rfc/rfc1321), or a function defined in FIPS 180-4
/// (https://doi.org/10.6028/NIST.FIPS.180-4).
package enum HashAlgorithm: Int, CaseIterable, Sendable {
    /// MD5 (16 bytes), used only to recognize existing digests.
    case md5

    /// SHA-1 (20 bytes), used only for file names, because it is not collision-resistant.
    case sha1

    /// SHA-256 (32 bytes).
    case sha256

    /// SHA-512 (64 bytes).
    case sha512

    /// Returns the hash of a sequence of bytes.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The hash.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    package func hash(of bytes: some ContiguousBytes) -> [UInt8] {
        var hash = StreamedHash(self)
        hash.update(bytes)
        return hash.finish()
    }
}
