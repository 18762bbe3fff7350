#include "CCertificates.h"

#include <stdlib.h>

void ccertificates_free(ccertificates_pair *pair) {
    free(pair->certificate);
    free(pair->key);
    pair->certificate = NULL;
    pair->key = NULL;
}

#ifdef __linux__

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

// Copies the contents of a BIO, and frees it.
static char *text(BIO *bio) {
    char *bytes = NULL;
    long size = BIO_get_mem_data(bio, &bytes);
    char *copy = size > 0 ? malloc((size_t)size + 1) : NULL;
    if (copy) {
        memcpy(copy, bytes, (size_t)size);
        copy[size] = 0;
    }
    BIO_free(bio);
    return copy;
}

static int write_pair(X509 *certificate, EVP_PKEY *key, ccertificates_pair *pair) {
    BIO *bio = BIO_new(BIO_s_mem());
    if (!bio || !PEM_write_bio_X509(bio, certificate)) return BIO_free(bio), 0;
    pair->certificate = text(bio);
    bio = BIO_new(BIO_s_mem());
    if (!bio || !PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL)) return BIO_free(bio), 0;
    pair->key = text(bio);
    return pair->certificate && pair->key;
}

static X509 *read_certificate(const char *pem) {
    BIO *bio = BIO_new_mem_buf(pem, -1);
    X509 *certificate = bio ? PEM_read_bio_X509(bio, NULL, NULL, NULL) : NULL;
    BIO_free(bio);
    return certificate;
}

static EVP_PKEY *read_key(const char *pem) {
    BIO *bio = BIO_new_mem_buf(pem, -1);
    // A null callback would ask for a passphrase on the terminal.
    EVP_PKEY *key = bio ? PEM_read_bio_PrivateKey(bio, NULL, NULL, (void *)"") : NULL;
    BIO_free(bio);
    return key;
}

static int add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    int result = extension && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return result;
}

static int add_name(X509 *certificate, const char *dns_name, const unsigned char *address, size_t address_size) {
    GENERAL_NAMES *names = sk_GENERAL_NAME_new_null();
    GENERAL_NAME *name = GENERAL_NAME_new();
    ASN1_STRING *value = address ? (ASN1_STRING *)ASN1_OCTET_STRING_new() : (ASN1_STRING *)ASN1_IA5STRING_new();
    const void *bytes = address ? (const void *)address : dns_name;
    int size = address ? (int)address_size : (int)strlen(dns_name);
    if (!names || !name || !value || !ASN1_STRING_set(value, bytes, size)) {
        ASN1_STRING_free(value);
        GENERAL_NAME_free(name);
        GENERAL_NAMES_free(names);
        return 0;
    }
    GENERAL_NAME_set0_value(name, address ? GEN_IPADD : GEN_DNS, value);
    if (!sk_GENERAL_NAME_push(names, name)) return GENERAL_NAME_free(name), GENERAL_NAMES_free(names), 0;
    // The subject is empty, so the extension is critical (RFC 5280, section 4.2.1.6).
    int result = X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, 1, 0) == 1;
    GENERAL_NAMES_free(names);
    return result;
}

// Sets the version, a random serial number, the period of validity and the public key.
static int begin_certificate(X509 *certificate, EVP_PKEY *key, long days) {
    unsigned char bytes[16];
    if (RAND_bytes(bytes, sizeof bytes) != 1) return 0;
    bytes[0] = (bytes[0] & 0x7F) | 0x40;
    BIGNUM *number = BN_bin2bn(bytes, sizeof bytes, NULL);
    int result = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
    BN_free(number);
    // Clocks of clients may be slow.
    return result && X509_set_version(certificate, 2) && X509_gmtime_adj(X509_getm_notBefore(certificate), -86400)
        && X509_gmtime_adj(X509_getm_notAfter(certificate), days * 86400) && X509_set_pubkey(certificate, key);
}

int ccertificates_make_authority(const char *common_name, long days, ccertificates_pair *pair) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    X509_NAME *name = certificate ? X509_get_subject_name(certificate) : NULL;
    int result = key && name && begin_certificate(certificate, key, days)
        && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, (const unsigned char *)common_name, -1, -1, 0)
        && X509_set_issuer_name(certificate, name)
        && add_extension(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        && add_extension(certificate, certificate, NID_key_usage, "critical,keyCertSign,cRLSign")
        && add_extension(certificate, certificate, NID_subject_key_identifier, "hash")
        && X509_sign(certificate, key, EVP_sha256()) > 0 && write_pair(certificate, key, pair);
    X509_free(certificate);
    EVP_PKEY_free(key);
    if (!result) ccertificates_free(pair);
    return result;
}

int ccertificates_make_leaf(
    const char *authority, const char *authority_key, const char *dns_name, const unsigned char *address,
    size_t address_size, long days, ccertificates_pair *pair) {
    X509 *issuer = read_certificate(authority);
    EVP_PKEY *issuer_key = read_key(authority_key);
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    int result = issuer && issuer_key && key && certificate && begin_certificate(certificate, key, days)
        && X509_set_issuer_name(certificate, X509_get_subject_name(issuer))
        && add_extension(certificate, issuer, NID_basic_constraints, "critical,CA:FALSE")
        && add_extension(certificate, issuer, NID_key_usage, "critical,digitalSignature")
        && add_extension(certificate, issuer, NID_ext_key_usage, "serverAuth")
        && add_extension(certificate, issuer, NID_subject_key_identifier, "hash")
        && add_extension(certificate, issuer, NID_authority_key_identifier, "keyid")
        && add_name(certificate, dns_name, address, address_size)
        && X509_sign(certificate, issuer_key, EVP_sha256()) > 0 && write_pair(certificate, key, pair);
    X509_free(certificate);
    EVP_PKEY_free(key);
    EVP_PKEY_free(issuer_key);
    X509_free(issuer);
    if (!result) ccertificates_free(pair);
    return result;
}

int ccertificates_digest_of_public_key(const char *pem, unsigned char digest[32]) {
    X509 *certificate = read_certificate(pem);
    unsigned char *bytes = NULL;
    int size = certificate ? i2d_PUBKEY(X509_get0_pubkey(certificate), &bytes) : 0;
    int result = size > 0 && EVP_Digest(bytes, (size_t)size, digest, NULL, EVP_sha256(), NULL) == 1;
    OPENSSL_free(bytes);
    X509_free(certificate);
    return result;
}

int ccertificates_days_left(const char *pem) {
    X509 *certificate = read_certificate(pem);
    int days = -1, seconds = 0;
    if (!certificate || !ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(certificate))) days = -1;
    X509_free(certificate);
    return days;
}

int ccertificates_match(const char *pem, const char *key_pem) {
    X509 *certificate = read_certificate(pem);
    EVP_PKEY *key = read_key(key_pem);
    int result = certificate && key && X509_check_private_key(certificate, key) == 1;
    EVP_PKEY_free(key);
    X509_free(certificate);
    return result;
}

#else

int ccertificates_make_authority(const char *name, long days, ccertificates_pair *pair) { return 0; }

int ccertificates_make_leaf(
    const char *authority, const char *authority_key, const char *dns_name, const unsigned char *address,
    size_t address_size, long days, ccertificates_pair *pair) {
    return 0;
}

int ccertificates_digest_of_public_key(const char *certificate, unsigned char digest[32]) { return 0; }

int ccertificates_days_left(const char *certificate) { return -1; }

int ccertificates_match(const char *certificate, const char *key) { return 0; }

#endif
