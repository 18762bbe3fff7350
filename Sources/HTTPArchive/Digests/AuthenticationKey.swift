#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// A key of HMAC-SHA256 (RFC 2104, https://www.rfc-editor.org/rfc/rfc2104).
final class AuthenticationKey: Sendable {
    #if canImport(CryptoKit)
        private let key: SymmetricKey
    #else
        // Every code continues from a copy of the state after the key, which takes less time than setting the key again.
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

    /// Returns the authentication code of a message, 32 bytes.
    func code(for message: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
            HMAC<SHA256>.authenticationCode(for: message, using: key).withUnsafeBytes { Array($0) }
        #else
            keyed.copy().finish(message)
        #endif
    }
}

#if !canImport(CryptoKit)
    /// Owns a context of libcrypto with the state of an HMAC-SHA256.
    ///
    /// Unchecked, because only `finish(_:)` changes the context, and consumes it. Copying only reads it.
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
