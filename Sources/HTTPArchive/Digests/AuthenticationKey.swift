#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// A key for HMAC-SHA256 (RFC 2104, https://www.rfc-editor.org/rfc/rfc2104).
final class AuthenticationKey: Sendable {
    #if canImport(CryptoKit)
        private let key: SymmetricKey
    #else
        // Computing each code from a copy of this keyed state is faster than setting the key again.
        private let keyed: AuthenticationContext
    #endif

    /// Creates a key from any number of bytes.
    init(_ bytes: [UInt8]) {
        #if canImport(CryptoKit)
            key = SymmetricKey(data: bytes)
        #else
            keyed = AuthenticationContext(key: bytes)
        #endif
    }

    /// Derives the bytes of a key from a passphrase, using PBKDF2 with HMAC-SHA256 (RFC 8018, section 5.2,
    /// https://www.rfc-editor.org/rfc/rfc8018#section-5.2).
    ///
    /// The salt is constant, because everyone who knows the passphrase must get the same key.
    static func derivedBytes(fromPhrase phrase: [UInt8]) -> [UInt8] {
        let salt = Array("HTTPArchive redaction".utf8)
        #if canImport(CryptoKit)
            let key = AuthenticationKey(phrase)
            var code = key.code(for: salt + [0, 0, 0, 1])
            var bytes = code
            for _ in 1..<iterationCount {
                code = key.code(for: code)
                for index in bytes.indices { bytes[index] ^= code[index] }
            }
            return bytes
        #else
            return [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
                count = 32
                let algorithm = Libcrypto.shared.keyDerivation
                Libcrypto.require(
                    ccrypto_derive_key(
                        algorithm, phrase, phrase.count, salt, salt.count, UInt32(iterationCount), bytes.baseAddress,
                        count))
            }
        #endif
    }

    /// The number of iterations.
    ///
    /// They take about 50 ms.
    private static let iterationCount = 100_000

    /// Returns the 32-byte authentication code of a message.
    func code(for message: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            HMAC<SHA256>.authenticationCode(for: message, using: key).withUnsafeBytes { Array($0) }
        #else
            keyed.copy().finish(message)
        #endif
    }
}

#if !canImport(CryptoKit)
    /// An owned libcrypto context with the state of an HMAC-SHA256 computation.
    ///
    /// The type is safe to send between threads, because copying only reads the context, and `finish(_:)`, which
    /// modifies the context, consumes the value.
    private struct AuthenticationContext: ~Copyable, @unchecked Sendable {
        private let handle: OpaquePointer

        init(key: [UInt8]) {
            handle = Libcrypto.require(EVP_MAC_CTX_new(Libcrypto.shared.hmac))
            Libcrypto.require(ccrypto_begin_hmac_sha256(handle, key, key.count))
        }

        private init(handle: OpaquePointer) {
            self.handle = handle
        }

        deinit { EVP_MAC_CTX_free(handle) }

        func copy() -> Self { Self(handle: Libcrypto.require(EVP_MAC_CTX_dup(handle))) }

        consuming func finish(_ message: [UInt8]) -> [UInt8] {
            Libcrypto.require(EVP_MAC_update(handle, message, message.count))
            return [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
                Libcrypto.require(EVP_MAC_final(handle, buffer.baseAddress, &count, buffer.count))
            }
        }
    }
#endif
