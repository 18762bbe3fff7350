#ifndef CCERTIFICATES_H
#define CCERTIFICATES_H

#include <stddef.h>

/// Texts in PEM format, which `ccertificates_free` frees.
typedef struct {
    char *certificate;
    char *key;
} ccertificates_pair;

/// Frees the texts of a pair.
void ccertificates_free(ccertificates_pair *pair);

/// Makes a self-signed certificate authority with a new P-256 key. Returns 1 on success.
int ccertificates_make_authority(const char *name, long days, ccertificates_pair *pair);

/// Makes a server certificate with a new P-256 key, signed by an authority in PEM format. Returns 1 on success.
///
/// The alternative name is a DNS name, or an address of 4 or 16 bytes.
int ccertificates_make_leaf(
    const char *authority, const char *authority_key, const char *dns_name, const unsigned char *address,
    size_t address_size, long days, ccertificates_pair *pair);

/// Writes the SHA-256 digest of the public key of a certificate in PEM format. Returns 1 on success.
int ccertificates_digest_of_public_key(const char *certificate, unsigned char digest[32]);

/// Returns the number of days until a certificate in PEM format expires, or -1 if it is invalid.
int ccertificates_days_left(const char *certificate);

/// Returns 1 if a private key in PEM format belongs to a certificate in PEM format.
int ccertificates_match(const char *certificate, const char *key);

#endif
