package import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

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

/// A hash that is computed incrementally, using constant memory.
package struct StreamedHash: ~Copyable {
    #if canImport(CryptoKit)
        private var function: any HashFunction
    #else
        private let context: OpaquePointer

        deinit { EVP_MD_CTX_free(context) }
    #endif

    /// Creates a hash that has received no bytes.
    ///
    /// - Parameter algorithm: The hash function.
    package init(_ algorithm: HashAlgorithm) {
        #if canImport(CryptoKit)
            switch algorithm {
            case .md5: function = Insecure.MD5()
            case .sha1: function = Insecure.SHA1()
            case .sha256: function = SHA256()
            case .sha512: function = SHA512()
            }
        #else
            context = Libcrypto.require(EVP_MD_CTX_new())
            Libcrypto.require(EVP_DigestInit_ex2(context, Libcrypto.shared.hashes[algorithm.rawValue], nil))
        #endif
    }

    /// Adds a chunk of bytes to the hash.
    ///
    /// - Parameter chunk: The chunk.
    package mutating func update(_ chunk: some ContiguousBytes) {
        chunk.withUnsafeBytes { bytes in
            #if canImport(CryptoKit)
                function.update(bufferPointer: bytes)
            #else
                Libcrypto.require(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
            #endif
        }
    }

    /// Returns the hash of all chunks.
    ///
    /// - Returns: The hash.
    package consuming func finish() -> [UInt8] {
        #if canImport(CryptoKit)
            function.finalize().withUnsafeBytes { Array($0) }
        #else
            [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
                var size: CUnsignedInt = 0
                Libcrypto.require(EVP_DigestFinal_ex(context, buffer.baseAddress, &size))
                count = Int(size)
            }
        #endif
    }
}
