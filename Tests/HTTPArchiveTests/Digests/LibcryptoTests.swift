#if !canImport(CryptoKit)
    import CCrypto
    import Testing

    @testable import HTTPArchive

    @Suite(.limited) struct LibcryptoTests {
        /// OpenSSL frees its default context at exit, possibly while another thread is still recording.
        @Test func `hashes and codes can be computed while the process exits`() async {
            await #expect(processExitsWith: .success) {
                let key = AuthenticationKey([1])
                let code = key.code(for: [2])
                OPENSSL_cleanup()
                #expect(key.code(for: [2]) == code)
                #expect(AuthenticationKey([1]).code(for: [2]) == code)
                #expect(HashAlgorithm.sha1.hash(of: [UInt8]()).count == 20)
                #expect(HashAlgorithm.sha256.hash(of: [UInt8]()).count == 32)
            }
        }
    }
#endif
