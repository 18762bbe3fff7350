#ifndef CCRYPTO_SHIM_H
#define CCRYPTO_SHIM_H

#include <openssl/opensslv.h>

#if !defined(OPENSSL_VERSION_MAJOR) || OPENSSL_VERSION_MAJOR < 3
#error "OpenSSL 3.0 or later is required. Debian 12 and Ubuntu 22.04 are the first releases that include it."
#endif

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

/// Initializes a context for HMAC-SHA256 with a key, which can be empty. Returns 1 on success.
///
/// This function is written in C because the parameters contain pointers that are valid only during the call.
static inline int ccrypto_begin_hmac_sha256(EVP_MAC_CTX *context, const unsigned char *key, size_t size) {
    char digest[] = "SHA256";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    // With a null pointer, OpenSSL would keep the context's previous key.
    return EVP_MAC_init(context, size ? key : (const unsigned char *)"", size, parameters);
}

/// Derives a key from a passphrase using PBKDF2 with HMAC-SHA256. Returns 1 on success.
static inline int ccrypto_derive_key(
    EVP_KDF *algorithm, const unsigned char *phrase, size_t phrase_size, const unsigned char *salt, size_t salt_size,
    unsigned int iterations, unsigned char *key, size_t key_size) {
    char digest[] = "SHA256";
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(algorithm);
    if (!context) return 0;
    // The passphrase can be empty, but its address must not be null.
    const unsigned char *bytes = phrase_size ? phrase : (const unsigned char *)"";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, (void *)bytes, phrase_size),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_size),
        OSSL_PARAM_construct_uint(OSSL_KDF_PARAM_ITER, &iterations),
        OSSL_PARAM_construct_end(),
    };
    int result = EVP_KDF_derive(context, key, key_size, parameters);
    EVP_KDF_CTX_free(context);
    return result == 1;
}

#endif
