// Calls the functions of CCertificates with damaged certificates and keys.
#include "driver.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "CCertificates.h"

void check_certificates(void) {
    ccertificates_pair authority = {NULL, NULL}, leaf = {NULL, NULL};
    unsigned char digest[32], address[16] = {0};
    assert(ccertificates_make_authority("Sanitizers", 10, &authority));
    assert(ccertificates_match(authority.certificate, authority.key));
    assert(ccertificates_days_left(authority.certificate) > 8);
    for (int kind = 0; kind < 3; kind++) {
        const char *name = kind == 0 ? "a.test" : NULL;
        assert(ccertificates_make_leaf(
            authority.certificate, authority.key, name, name ? NULL : address, kind == 1 ? 4 : 16, 1, &leaf));
        assert(ccertificates_digest_of_public_key(leaf.certificate, digest));
        assert(!ccertificates_match(authority.certificate, leaf.key));
        ccertificates_free(&leaf);
    }
    for (int run = 0; run < 300; run++) {
        // A damaged certificate and key.
        char *certificate = strdup(authority.certificate), *key = strdup(authority.key);
        assert(certificate && key);
        for (size_t count = 1 + choose(4); count > 0; count--) {
            certificate[choose(strlen(authority.certificate))] = (char)choose(128);
            key[choose(strlen(authority.key))] = (char)choose(128);
        }
        ccertificates_days_left(certificate);
        ccertificates_digest_of_public_key(certificate, digest);
        ccertificates_match(certificate, key);
        if (ccertificates_make_leaf(certificate, key, "", NULL, 0, 1, &leaf)) ccertificates_free(&leaf);
        free(certificate);
        free(key);
    }
    ccertificates_free(&authority);
}
