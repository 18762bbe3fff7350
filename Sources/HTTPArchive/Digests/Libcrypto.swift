#if !canImport(CryptoKit)
    import CCrypto

    /// The algorithms provided by the system's libcrypto, each fetched only once.
    ///
    /// Fetching an algorithm takes longer than hashing a short string. The algorithms belong to a separate library
    /// context for two reasons: OpenSSL's configuration file, which applies to the default context, can disable
    /// algorithms, and OpenSSL frees the default context at exit, when other threads may still be redacting entries.
    ///
    /// The type is safe to send between threads, because the properties point to immutable objects whose reference
    /// counts are atomic.
    struct Libcrypto: @unchecked Sendable {
        /// The algorithms, which are never freed.
        static let shared = Libcrypto()

        /// The hash functions, in the order of ``HashAlgorithm``.
        let hashes: [OpaquePointer]

        /// PBKDF2 with any hash function.
        let keyDerivation: OpaquePointer

        /// HMAC with any hash function.
        let hmac: OpaquePointer

        private init() {
            let context = OSSL_LIB_CTX_new()
            hashes = ["MD5", "SHA1", "SHA256", "SHA512"].map { (name: String) in
                Self.require(EVP_MD_fetch(context, name, nil))
            }
            keyDerivation = Self.require(EVP_KDF_fetch(context, "PBKDF2", nil))
            hmac = Self.require(EVP_MAC_fetch(context, "HMAC", nil))
        }

        /// Unwraps a handle that libcrypto allocated.
        ///
        /// With valid arguments, libcrypto functions fail only when memory is exhausted, which terminates a Swift
        /// program anyway.
        static func require(_ handle: OpaquePointer?) -> OpaquePointer {
            guard let handle else { preconditionFailure("libcrypto cannot allocate memory") }
            return handle
        }

        /// Checks that a libcrypto function returned 1, which means success.
        static func require(_ result: CInt) {
            precondition(result == 1, "libcrypto cannot allocate memory")
        }
    }
#endif
